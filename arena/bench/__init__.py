"""Measures what arena costs on this machine: `arena bench`. docs/benchmarks.md explains the figures.

Whoever runs tournaments compares machines, sandboxes and installations with it, so it is part of arena. What only its
developers measure and simulate is in `bench`, and what kills and soaks it in `tests/soak`.

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
suite                 all measurements, by group
figure_table          the figures as text
measured              measured figures with their machine: to JSON and back
comparison            figures of two measurements side by side
"""
