"""Whether a machine has too little CPU time to tell how fast a bot is."""

from referee.process.cpu_accounting import CpuUse

STARVED = 3.0
"""How many times as long as it ran the control waited for a core, where the machine is too busy: as where four programs
or more want each core."""


def is_starved(use: CpuUse) -> bool:
    """Tell whether the control had so little CPU time that its machine tells nothing of how fast a bot is."""
    return use.waited > STARVED * use.ran
