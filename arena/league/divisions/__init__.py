"""Divisions of a league: who plays in which for a span of days, and who is promoted and relegated at its end.

A league with divisions has one joint rating and one matchmaking, as any other: neighbours meet most, and random batches
keep the whole field comparable. A division is a membership that stays for a span. Each end of a span is one decision in
the log of the league, which follows from a stored snapshot of the ratings; nothing else of divisions is stored. The
lowest division has all who are in no other, so that whoever enters begins there.

`arena.league.run.division_keeper` takes the decisions that are due, `arena.league.division_verification` repeats them.

rules       who moves, as a pure function of a snapshot
decisions   the decisions in the log, and who holds the places of a division now
report      the divisions as pages, commands and the API show them
"""
