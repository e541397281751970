"""Bot processes and the processor time that they get.

bot_process     start a bot confined, bound its output, end it with all it started
exit_status     how a process ended: exit code or signal
cpu_accounting  how long processes ran, and how long they were ready and had no core
cpu_fairness    which bots rest, and what is not charged to their clocks
"""
