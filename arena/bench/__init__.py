"""Measures what arena costs on this machine. docs/benchmarks.md explains the figures.

figures               Figure: one measured number and its conditions; Sampling: how long to measure
processes             CPU time, memory and descendants of other processes; pinning
machine_info          the machine that was measured
rules_benchmark       a game's rules, copies and views, in this process
protocol              one referee process with its bots, at several numbers of matches at once
tournament_benchmark  `arena tourney` as a user starts it
starts                start-up times
clocks                answers lost to delays of the machine
sandboxes             the cost of sandboxing
stores                a database of a million matches
kill_resume           no figure: kills everything at random moments; nothing may be lost
soak                  no figure: half an hour of kills, stops, locks, a full disk and floods  -> kill_resume
interval_coverage     `python -m arena.bench.interval_coverage`: how many 95 % intervals hold the true value
audit_simulation      `python -m arena.bench.audit_simulation`: which bots audits accuse
suite                 all measurements, by group
figure_table          the figures as text
"""
