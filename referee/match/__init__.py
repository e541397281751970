"""One match.

match      asks the seats that must answer, judges their answers, plays them
seat       one seat: its clock, its open question, what its bot knows
faults     what can go wrong at a seat
interning  stores equal events once
"""
