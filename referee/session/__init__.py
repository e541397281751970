"""A bot in a phase.

player             a bot's seats, open questions and time limits, over as many processes as it takes
outbox             the messages to a process: how they are composed, and which are written
inbox              the messages of a process: which answers count, and what breaks the protocol
readiness          the matches that a process is yet to get ready for
service_clock      the clock of a process, which runs only while a question is open
recovery           the questions that wait for a process, and the reports of failures
crash_attribution  which match a failing process is charged to
session            from before a process's hello until it fails or is no longer needed
local_session      ... of a bot that the referee starts
silent_start       what is known of a bot that said no hello in time
attached_session   ... of a bot that somebody else starts
remote_session     ... of a bot that dials from elsewhere
"""
