"""One match.

match      ask whoever must answer, judge the answers, keep the record
seat       who is asked, on what clock, what they were told and have answered
faults     what can go wrong at a seat
interning  equal events are kept once
"""
