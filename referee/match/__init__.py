"""One match.

match   asks the seats that must answer, judges their answers, plays them; what is kept for each seat
faults  what can go wrong at a seat
"""
