"""The record of a match: read it, verify it and play it again.

played_rules        the game and options of a stored match
match_log           the log as everybody or one seat could see it: events, decisions, faults
text                the log as lines for people, or as JSON values
printed             what bots printed: whole tracebacks, once
answer_clock        the time of each answer and what it left of the bank
scenario_export     a match, or its beginning, as a scenario file
event_verification  compare what is stored of an event with its definition and its log
played_answers      whose the answers of a record are, and whether faults, decisions and charged times fit them
unverified          what no verification can prove
match_verification  replay a record by the rules and compare it with what is stored
redealt_prefix      the first answers of a match that continues another with what a seat could not know redealt
"""
