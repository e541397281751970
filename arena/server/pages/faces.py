"""The face of a bot: a small drawing that follows from its name, the same wherever the bot is named.

It is a colour and a pattern of five by five squares that is symmetric, as eyes take symmetric ones for faces: some
300,000 different ones. Its colours are attributes, as pages allow no styles within elements, and hold on light and on
dark pages.
"""

from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from arena.values.versioned_names import base_name

SIDE, HALF = 5, 3
"""Squares of a side, and those of them that are drawn: the others mirror them."""

HUES = 24
"""Colours."""

FEWEST, MOST = 6, 11
"""Squares of the left half, the middle among them, that are filled: fewer or more look all the same."""


class Face(NamedTuple):
    """A face, as it is drawn in a square of seven."""

    ground: str
    """The colour of the ground."""
    ink: str
    """The colour of the pattern."""
    path: str
    """The pattern: runs of squares in each line."""


@lru_cache(maxsize=4096)
def face(name: str) -> Face:
    """Return the face of a bot, the same for all its versions.

    name: its name, with its version or without.
    """
    base = base_name(name)
    attempt = 0
    while True:
        digest = blake2b(f"{base}\0{attempt}".encode(), digest_size=4).digest()
        bits = int.from_bytes(digest[1:3], "big") & 0x7FFF
        if FEWEST <= bits.bit_count() <= MOST:
            break
        attempt += 1
    hue = digest[0] % HUES * (360 // HUES)
    lines = [[bool(bits >> (HALF * y + min(x, SIDE - 1 - x)) & 1) for x in range(SIDE)] for y in range(SIDE)]
    path = "".join(_run(start, y, length) for y, line in enumerate(lines) for start, length in _runs(line))
    return Face(f"hsl({hue},46%,38%)", f"hsl({hue},70%,90%)", path)


def _runs(line: list[bool]) -> list[tuple[int, int]]:
    """Return where filled squares begin in a line, and how many follow each other."""
    runs: list[tuple[int, int]] = []
    for x, filled in enumerate(line):
        if not filled:
            continue
        if runs and sum(runs[-1]) == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((x, 1))
    return runs


def _run(x: int, y: int, length: int) -> str:
    return f"M{x + 1} {y + 1}h{length}v1h-{length}z"
