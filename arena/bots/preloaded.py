"""What checks of hand-ins import, loaded once by the process from which those of checks are forked.

To import it takes a second of CPU time, and much longer on a busy machine. What imports gRPC is left out: that holds
locks that a fork would keep for ever. So is what starts threads, as NumPy does.
"""

import gc
from importlib import import_module

MODULES = (
    "arena.bots.findings",
    "arena.bots.script",
    "arena.bots.intake",
    "arena.packs.upload",
    "referee.connection.own_sockets",
    "arena.bots.match_budget",
    "referee.process.cpu_fairness",
    "arena.values.thinking",
    "arena.bridge.bot_lines",
    "arena.bots.starvation",
    "arena.bots.kept_phases",
    "arena.bots.hand_in_rows",
    "arena.bots.hand_in_limits",
    "arena.bots.check_processes",
)
"""With what they import, nearly all modules of arena that a check imports."""

for name in MODULES:
    import_module(name)

gc.freeze()
