"""Fingerprints for comparing sums without storing them.

Each sum is multiplied by a 64-bit hash of its key, and the products are added up modulo 2**64. The fingerprint is
therefore additive: the fingerprints of parts add up to that of the whole, however it is divided. Different sums
collide with a probability of about 10**-19, as the hash is salted with a value that is not known in advance. So
stored sums are compared with those of the matches without keeping either.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.ratings.integer_columns import join_keys
from arena.ratings.keyed_sums import Ints
from arena.ratings.lineup import BITS
from arena.ratings.tally import Tally
from arena.values.result import Result

_Hashes = npt.NDArray[np.uint64]

_MASK = (1 << BITS) - 1

_BLOCK = 1 << 14
"""Rows of columns, and results, that are processed at a time."""

_SUMS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("deal", "team", "team"), 3),
    (("deal", "team"), 2),
    (("team", "size"), 2),
    (("team", "seat"), 3),
    (("bot",), 1),
)
"""For each of the sums of a `Tally`, in order: the parts of its keys, and the number of its columns."""


class Fingerprint:
    """The fingerprint of results and of tallies.

    salt: 8 bytes.
    """

    def __init__(self, salt: bytes) -> None:
        self._salt = np.frombuffer(salt, np.uint64, 1)
        self._column_sums: dict[tuple[int, int], int] = {}
        self._played = 0
        self._tally = Tally()
        self._pending = 0

    def add(self, result: Result) -> None:
        """Add one match, as `Tally.add`."""
        self._tally.add(result)
        self._pending += 1
        if self._pending == _BLOCK:
            self._flush()

    def add_state(self, header: Mapping[str, Any], columns: Sequence[Ints]) -> None:
        """Add the state of a tally, as `Tally.state` returns it. Raises ValueError or LookupError for anything else."""
        if len(columns) != sum(3 + count for _, count in _SUMS):
            raise ValueError(f"{len(columns)} columns are not those of a tally")
        teams = [tuple(team) for team in header["teams"]]
        bots = list(dict.fromkeys(bot for team in teams for bot in team))
        hashes = {"team": _hash_names(teams), "bot": _hash_names(bots)}
        at = iter(columns)
        for number, (parts, count) in enumerate(_SUMS):
            keys = join_keys(next(at), next(at), next(at))
            values = [next(at) for _ in range(count)]
            for low in range(0, len(keys), _BLOCK):
                self._add(number, self._hash_keys(keys[low : low + _BLOCK], parts, hashes), values, low)
        self._played += header["played"]

    def value(self) -> tuple[int, dict[tuple[int, int], int]]:
        """Return the fingerprint; equal sums with equal salts have equal fingerprints."""
        self._flush()
        return self._played, {place: word for place, word in self._column_sums.items() if word}

    def _flush(self) -> None:
        if self._pending:
            tally, self._tally, self._pending = self._tally, Tally(), 0
            self.add_state(*tally.state())

    def _add(self, number: int, hashes: _Hashes, values: Sequence[Ints], low: int) -> None:
        """Add rows from `low` on, with the hashes of their keys, to the fingerprints of the columns of one sum."""
        for column, column_values in enumerate(values):
            products = column_values[low : low + len(hashes)].astype(np.uint64) * _mix(hashes + np.uint64(column + 1))
            key = number, column
            self._column_sums[key] = (self._column_sums.get(key, 0) + int(products.sum(dtype=np.uint64))) % (1 << 64)

    def _hash_keys(self, keys: Ints, parts: Sequence[str], hashes: Mapping[str, _Hashes]) -> _Hashes:
        """Return a hash of each key, in which bots and teams are hashed by name, as their numbers differ by tally."""
        key_hashes = np.repeat(self._salt, len(keys))
        for position, part in enumerate(parts):
            shift = BITS * (len(parts) - 1 - position)
            values = keys >> shift if position == 0 else keys >> shift & _MASK
            key_hashes = _mix(key_hashes ^ (hashes[part][values] if part in hashes else values.astype(np.uint64)))
        return key_hashes


def _hash_names(names: Sequence[object]) -> _Hashes:
    """Return a hash of each name."""
    digests = b"".join(blake2b(repr(name).encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, np.uint64)


def _mix(hashes: _Hashes) -> _Hashes:
    """Return pseudorandom numbers, one for each (the last step of SplitMix64, Steele and others 2014)."""
    hashes = (hashes ^ hashes >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ hashes >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return hashes ^ hashes >> np.uint64(31)
