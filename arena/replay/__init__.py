"""What happened in a stored match, and whether its record is correct.

played_rules        the game and options of a stored match
match_log           the log as everybody or one seat could see it: events, decisions, faults
text                the log as lines for people, or as JSON values
printed             what bots printed: whole tracebacks, once
slow_answers        answers that took long, in one match or in many
failure_report      process failures, in words or as JSON values
owner_view          a match as the owner of some of its bots may read it
scenario_export     a match, or its beginning, as a scenario file
event_verification  compare what is stored of an event with its definition and its log
played_answers      whose the answers of a record are, and whether faults, decisions and charged times fit them
unverified          what no verification can prove
match_verification  replay a record by the rules and compare it with what is stored
"""
