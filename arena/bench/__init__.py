"""What arena costs on this machine. docs/benchmarks.md says what each figure means.

figures      Figure: one measured number, and under which conditions; Effort: how long to measure
processes    CPU time, memory and descendants of other processes; pinning
machine      what was measured on
rules        a game's rules, copies and views, in this process
protocol     one referee process with its bots, at several numbers of matches at once
tournaments  `arena tourney` as a user starts it
starts       how soon anything happens
suite        all of it, by group
"""
