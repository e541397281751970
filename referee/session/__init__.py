"""A bot in a phase.

player             a bot's open questions, answers and faults, over as many processes as it takes
service_clock      the clock of a process, which runs only while a question is open
crash_attribution  which match a failing process is charged to
session            from before a process's hello until it fails or is no longer needed
local_session      ... of a bot that the referee starts
attached_session   ... of a bot that somebody else starts
remote_session     ... of a bot that dials from elsewhere
"""
