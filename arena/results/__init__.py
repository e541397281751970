"""What became of a tournament, and what its organiser may decide.

stored_tournament  a tournament with what follows from its definition, its log and its matches
summary            sums over stored matches, from which rankings are made
meetings           who has met whom, and who sat after whom
standings          the ranking of a stored tournament
stage_names        what the stages of matches are called
tournament_header  what is printed above it: what was played, how, and from which seed
pooled_ranking     one ranking of several tournaments
seeding            a field in the order of an earlier tournament
openings           from which openings matches begin
team_results       seats that win or lose together
early_stopping     when a tournament ends before its last round
audit              collusion, forfeits, seats
summary_check      whether the summaries are the sums of the matches
match_check        matches checked against schedule and rules, by several processes
verification       whether all records of a tournament are true
integrity          whether the values of a database can be true
control            pause, resume, withdraw, void, enter: what is allowed when
archive/           tournaments as files, and back

docs/tournaments.md explains tournaments.
"""
