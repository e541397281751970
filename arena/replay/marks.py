"""Marks of the frames to jump to, as the rules declare them with the lines of the log."""

from collections.abc import Sequence

from arena.replay.log_lines import LogLine
from referee.engine.events import Mark

ROUND, FAULT = "round", "fault"
LOSS, OUT = Mark.DEFEAT.value, Mark.ELIMINATION.value
"""Kinds of marks: the start of a round, deal or set; a fault; a defeat; an elimination."""

NAMES = {ROUND: "round", LOSS: "defeat", OUT: "elimination", FAULT: "fault"}
"""The names that users read."""


def marks(lines: Sequence[LogLine]) -> tuple[str, ...]:
    """Return the kinds of marks that some lines of a log give, each once."""
    kinds = {line.kind.mark.value for line in lines if line.kind.mark}
    if any(line.kind.begins for line in lines):
        kinds.add(ROUND)
    return tuple(kind for kind in (ROUND, OUT, LOSS) if kind in kinds)
