"""Where in a match to jump to, told by the lines of its log."""

import re

ROUND, LOSS, OUT, FAULT = "round", "loss", "out", "fault"
"""Kinds of marks: a round, deal or set begins; a seat is beaten; a seat is out; a bot failed."""

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


def marks(lines: list[str]) -> tuple[str, ...]:
    """Return the kinds of what some lines of a log tell, each once."""
    return tuple(kind for kind, pattern in _PATTERNS if any(pattern.match(line) for line in lines))
