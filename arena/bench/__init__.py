"""What arena costs on this machine. docs/benchmarks.md says what each figure means.

figures            Figure: one measured number, and under which conditions; Effort: how long to measure
processes          CPU time, memory and descendants of other processes; pinning
machine            what was measured on
rules              a game's rules, copies and views, in this process
protocol           one referee process with its bots, at several numbers of matches at once
tournaments        `arena tourney` as a user starts it
starts             how soon anything happens
clocks             answers that are lost to the machine
sandboxes          what it costs to confine bots
stores             a database of a million matches
kill_resume        no figure: everything is killed at random moments, and nothing may be lost
soak               no figure: half an hour of kills, stops, locks, a full disk and floods  -> kill_resume
interval_coverage  `python -m arena.bench.interval_coverage`: do 95 % intervals hold the truth?
audit_simulation   `python -m arena.bench.audit_simulation`: which bots do audits accuse?
suite              all of it, by group; report: figures as people read them
"""
