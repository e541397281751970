"""What happened in a stored match, and whether its record is true.

rules    the game and options that a stored match was played by
log      the log as everybody, or as one seat could know it: events, decisions, faults
text     the log as lines for people, or as JSON values
failures processes of bots that failed, in words or as JSON values
owned    a match as the owner of some of its bots may read it
truth    play a record again and hold it against what was stored
"""
