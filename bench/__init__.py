"""Measurements for developers of arena, in no wheel.

What `arena bench` measures is in `arena.bench`; kills and soaks are in `tests/soak`.

hand_in_deadline  many hand-ins of many owners within a minute: what they cost, and whose turn it is
league_pace  how soon a new bot of a league is rated, and what the league takes beside the play
peers        other libraries of games beside arena: `make bench-peers`
searcher_ratings  how strong search is: against the best rule-based sample bot of each game
research     simulations: what ratings, audits, tests and matchmaking promise, and whether they keep it
"""
