"""Simulations: `python -m bench.research.MODULE`; `make bench-ratings` and `make bench-league` run them.

interval_coverage   how many 95 % intervals hold the true value
repeated_matches    what repeated matches do to intervals and tests
audit_simulation    which bots audits accuse                                         -> interval_coverage
error_rates         how often equal bots are called unequal; early ends              -> audit_simulation
league_ratings      time, memory and errors of the ratings of a league
simulated_league    a league of entries of known strengths, rated by a joint fit
league_experiments  matchmaking beside random tables in such leagues                 -> simulated_league
league_simulation   what matchmaking saves                                           -> league_experiments
"""
