"""Measures what arena costs on this machine. docs/benchmarks.md explains the figures.

figures               Figure: one measured number and its conditions; Sampling: how long to measure
yardstick             the game in plain Python that decisions are compared with; never changed
processes             CPU time, memory and descendants of other processes; pinning
watched_command       a command that is run to its end, with the CPU time of its groups of processes
machine_info          the machine that was measured
rules_benchmark       a game's rules, copies and views, in this process
protocol              one referee process with its bots, at several numbers of matches at once
tournament_benchmark  `arena tourney` as a user starts it
starts                start-up times
clocks                answers lost to delays of the machine
sandboxes             the cost of sandboxing
languages             the sample bots in other languages: start, warm-up, steady play
stores                a database of a million matches
peers                 match managers of chess, in turn with whole tournaments; shuffle_engine.c plays for them
kill_resume           no figure: kills everything at random moments; nothing may be lost
kill_league           the same of a league
soak                  no figure: half an hour of kills, stops, locks, a full disk and floods  -> kill_resume, incidents
league_soak           the same of a league, for an hour, with hand-ins and viewers              -> incidents
league_visitors       those owners and viewers
incidents             what can go wrong: kills, stops, locks, a full disk
interval_coverage     `python -m arena.bench.interval_coverage`: how many 95 % intervals hold the true value
repeated_matches      `python -m arena.bench.repeated_matches`: what they do to intervals and tests
audit_simulation      `python -m arena.bench.audit_simulation`: which bots audits accuse
league_ratings        `python -m arena.bench.league_ratings`: time, memory and errors of the ratings of a league
league_pace           how soon a new bot of a league is rated, and what the league takes beside the play
error_rates           `python -m arena.bench.error_rates`: how often equal bots are called unequal; early ends
simulated_league      a league of entries of known strengths, rated by a joint fit
league_experiments    matchmaking beside random tables in such leagues                    -> simulated_league
league_simulation     `python -m arena.bench.league_simulation`: what matchmaking saves   -> league_experiments
suite                 all measurements, by group
figure_table          the figures as text
measured              measured figures with their machine: to JSON and back
comparison            figures of two measurements side by side
"""
