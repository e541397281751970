"""Where in a match to jump to, told by the lines of its log."""

import re
from collections.abc import Sequence
from functools import lru_cache

ROUND, LOSS, OUT, FAULT = "round", "loss", "out", "fault"
"""Kinds of marks: a round, deal or set begins; a seat is beaten; a seat is out; a bot failed."""

NAMES = {ROUND: "round", LOSS: "defeat", OUT: "elimination", FAULT: "fault"}
"""What they are called where people read it."""

_PATTERNS = (
    (ROUND, re.compile(r"(round|deal|set) \d+( begins|:)")),
    (
        OUT,
        re.compile(
            r"seat \d+ (is out|stays out|has no chips left|is out of the set|has no token left)"
            r"|the match is over: seat \d+ has no chips left"
        ),
    ),
    (LOSS, re.compile(r"seat \d+ (is defeated|loses|had the lowest card)")),
)


def marks(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of what some lines of a log tell, each once."""
    told = [kinds for line in lines if (kinds := _kinds(line))]
    return tuple(kind for kind, _ in _PATTERNS if any(kind in kinds for kinds in told)) if told else ()


@lru_cache(4096)
def _kinds(line: str) -> frozenset[str]:
    """Return the kinds of what one line tells. Few lines of a long log are new."""
    return frozenset(kind for kind, pattern in _PATTERNS if pattern.match(line))
