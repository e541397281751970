"""Fingerprints for comparing sums without storing them.

Each sum is multiplied by a 64-bit hash of its key, and the products are added up modulo 2**64. The fingerprint is
therefore additive: the fingerprints of the parts add up to that of the whole, however it is divided. Different sums
collide with a probability of about 10**-19, as the hash is salted with a value that is not known in advance.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.ratings.integer_columns import join_keys
from arena.ratings.keyed_sums import Ints
from arena.ratings.lineup import BITS
from arena.ratings.result import Result
from arena.ratings.tally import Tally

_Words = npt.NDArray[np.uint64]

_MASK = (1 << BITS) - 1

_BLOCK = 1 << 14
"""Rows of columns that are worked on, and results that are added up, at a time."""

_SUMS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("deal", "team", "team"), 3),
    (("deal", "team"), 2),
    (("team", "size"), 2),
    (("team", "seat"), 3),
    (("bot",), 1),
)
"""What the keys of the sums of a `Tally` are made of, in their order, and how many columns each has."""


class Fingerprint:
    """The fingerprint of results and of tallies. salt: 8 bytes."""

    def __init__(self, salt: bytes) -> None:
        self._salt = np.frombuffer(salt, np.uint64, 1)
        self._found: dict[tuple[int, int], int] = {}
        self._played = 0
        self._tally = Tally()
        self._waiting = 0

    def add(self, result: Result) -> None:
        """Add one match, as `Tally.add`."""
        self._tally.add(result)
        self._waiting += 1
        if self._waiting == _BLOCK:
            self._settle()

    def absorb(self, header: Mapping[str, Any], columns: Sequence[Ints]) -> None:
        """Add the state of a tally, as `Tally.state` returns it. Raises ValueError or LookupError for anything else."""
        if len(columns) != sum(3 + count for _, count in _SUMS):
            raise ValueError(f"{len(columns)} columns are not those of a tally")
        teams = [tuple(team) for team in header["teams"]]
        bots = list(dict.fromkeys(bot for team in teams for bot in team))
        words = {"team": _named(teams), "bot": _named(bots)}
        at = iter(columns)
        for number, (parts, count) in enumerate(_SUMS):
            keys = join_keys(next(at), next(at), next(at))
            values = [next(at) for _ in range(count)]
            for low in range(0, len(keys), _BLOCK):
                self._add(number, self._words(keys[low : low + _BLOCK], parts, words), values, low)
        self._played += header["played"]

    def told(self) -> tuple[int, dict[tuple[int, int], int]]:
        """Return the fingerprint; equal sums with equal salts have equal fingerprints."""
        self._settle()
        return self._played, {place: word for place, word in self._found.items() if word}

    def _settle(self) -> None:
        if self._waiting:
            tally, self._tally, self._waiting = self._tally, Tally(), 0
            self.absorb(*tally.state())

    def _add(self, number: int, words: _Words, values: Sequence[Ints], low: int) -> None:
        """Add rows from `low` on, with the words of their keys, to the fingerprints of the columns of one sum."""
        for column, each in enumerate(values):
            part = each[low : low + len(words)].astype(np.uint64) * _mixed(words + np.uint64(column + 1))
            place = number, column
            self._found[place] = (self._found.get(place, 0) + int(part.sum(dtype=np.uint64))) % (1 << 64)

    def _words(self, keys: Ints, parts: Sequence[str], words: Mapping[str, _Words]) -> _Words:
        """Return a number for each key; bots and teams go into it by name, as numbers differ by tally."""
        found = np.repeat(self._salt, len(keys))
        for place, part in enumerate(parts):
            shift = BITS * (len(parts) - 1 - place)
            piece = keys >> shift if place == 0 else keys >> shift & _MASK
            found = _mixed(found ^ (words[part][piece] if part in words else piece.astype(np.uint64)))
        return found


def _named(names: Sequence[object]) -> _Words:
    """Return a number for each name."""
    digests = b"".join(blake2b(repr(name).encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, np.uint64)


def _mixed(words: _Words) -> _Words:
    """Return numbers that look drawn at random, one for each (the last step of SplitMix64, Steele and others 2014)."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
