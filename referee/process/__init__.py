"""Bot processes and their CPU time.

bot_process       starts a bot confined, bounds its output, ends it with all it started
background        work for a bot beside the loop that serves all bots
exit_status       how a process ended: exit code or signal
cpu_accounting    how long processes ran, and how long they were ready to run and had no core
awake_clock       trio's clock without the pauses of the machine
memory_watch      watches the memory of a bot where no control group limits it
open_descriptors  what the kernel may keep for its sockets and pipes
cpu_fairness      pauses bots that are not asked, and measures delays that are not charged to their clocks
"""
