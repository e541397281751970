"""What became of a tournament.

summaries       sums over stored matches, from which rankings are made
meetings        who has met whom, and who sat after whom
standings       the ranking of a stored tournament
pooled_ranking  one ranking of several tournaments
seeding         a field in the order of an earlier tournament
team_results    seats that win or lose together
early_stopping  when a tournament ends before its last round
progress        how far a tournament is
audit           collusion, forfeits, seats
recount         whether the sums are those of the matches
match_proofs    matches held against schedule and rules, by several processes
verification    whether all records of a tournament are true
"""
