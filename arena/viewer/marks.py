"""Marks of the frames to jump to, found by patterns in the log lines."""

import re
from collections.abc import Sequence
from functools import lru_cache

ROUND, LOSS, OUT, FAULT = "round", "loss", "out", "fault"
"""Kinds of marks: the start of a round, deal or set; a defeat; an elimination; a fault."""

NAMES = {ROUND: "round", LOSS: "defeat", OUT: "elimination", FAULT: "fault"}
"""The names that users read."""

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
    """Return the kinds of marks that some log lines give, each once."""
    kinds = frozenset[str]().union(*map(_kinds, lines))
    return tuple(kind for kind, _ in _PATTERNS if kind in kinds)


@lru_cache(4096)
def _kinds(line: str) -> frozenset[str]:
    """Return the kinds of marks that one line gives; cached, because the lines of a long log repeat."""
    return frozenset(kind for kind, pattern in _PATTERNS if pattern.match(line))
