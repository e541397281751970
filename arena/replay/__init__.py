"""What happened in a stored match, and whether its record is true.

played_rules  the game and options that a stored match was played by
match_log     the log as everybody, or as one seat could know it: events, decisions, faults
text          the log as lines for people, or as JSON values
failures processes of bots that failed, in words or as JSON values
owner_view    a match as the owner of some of its bots may read it
verification    play a record again and hold it against what was stored
"""
