"""Sums of deals by experiment, for games in which chance does not deal.

There a set (all matches of a deal at a table) may repeat another, or begin from the same opening, and both are one
experiment (`arena.ratings.experiments`). In which batch it was played does not matter, so each set has two numbers,
which are hashes: that of its experiment, and that of its line-up with its logs. Sets with the first number in common
are summed up together, and those with the second in common are counted as repeats.

However many there are, sums stay small, and those of the same sets are the same in whatever order they come:

- Of more than `MOST` sums by experiment and kind, only the last bits of experiments' numbers are kept, fewer and fewer
  to `COARSEST`. Experiments are put together by chance then. Their results have nothing to do with each other, so the
  spread stays what it is on average, and is estimated from fewer of them: 256 or more.
- Of more than `MOST` different sets only those are kept whose numbers end in zeros, half as many with each zero: a
  random sample, from which the share of repeats is estimated.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import log1p
from typing import NamedTuple

import numpy as np

from arena.league.results.deal_kinds import DealKinds
from arena.ratings.keyed_sums import Ints, KeyedSums, sum_by_key
from arena.ratings.repeats import Repeats

MOST = 1 << 16
"""Rows from which on experiments are put together, and sets are sampled."""

FINEST = 31
"""Bits of a number: the last says whether it is that of an opening."""

COARSEST = 9
"""Bits that are always kept of the number of an experiment: 256 openings, and as many sets, are told apart."""

_COARSE = 16
"""Bits once any are dropped: with more, too few rows would fall together."""

_KIND_BITS = 32
"""The bits of a key for the row of the kind; the number stands in the bits above."""


class SetNumbers(NamedTuple):
    """What tells whether a set says anything new: two hashes, as the module explains."""

    experiment: int
    """The number of its experiment."""
    log: int
    """The number of its line-up with its logs."""

    @classmethod
    def of(cls, matches: Iterable[tuple[tuple[int, ...], bytes]], opening: str) -> "SetNumbers":
        """Return the numbers of a set.

        matches: of each, the entries by seat, and the digest of its log.
        opening: from which it begins; empty where all matches begin alike.
        """
        log = _number(repr(sorted(matches)))
        return cls(_number(opening) << 1 | 1 if opening else log << 1, log)


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little") >> 2


class KindRows(NamedTuple):
    """Sums by kind and by number of the experiment or set."""

    kind: Ints
    """The place among the kinds, for each column of `sums`."""
    number: Ints
    """The number of the experiment or set, for each column of `sums`."""
    sums: Ints
    """The sums: a row for each of them, such as the deals."""


class ExperimentSums:
    """Sums of tables of `size` entries.

    kinds: of all its deals.
    bits: how many bits of the numbers of experiments are kept.
    zeros: in how many zeros the numbers of counted sets end.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.kinds = DealKinds(size)
        self.bits = FINEST
        self.zeros = 0
        self._experiments = KeyedSums(1 + len(self.kinds.pairs[0]))
        self._sets = KeyedSums(1)
        self._unsettled = 0

    def add(
        self, keys: Ints, sums: Ints, experiments: KindRows, sets: KindRows, bits: int = FINEST, zeros: int = 0
    ) -> None:
        """Add sums, as `columns` returns them.

        keys, sums: of kinds, as `DealKinds.add` takes them.
        experiments: the deals, and the points of the first of each pair.
        sets: the deals.
        """
        rows = self.kinds.add(keys, sums)
        self._experiments.add(experiments.number << _KIND_BITS | rows[experiments.kind], *experiments.sums)
        self._sets.add(sets.number << _KIND_BITS | rows[sets.kind], *sets.sums)
        self.bits, self.zeros = min(self.bits, bits), max(self.zeros, zeros)
        self._unsettled += len(experiments.kind) + len(sets.kind)
        if self._unsettled > MOST:
            self._settle()

    def columns(self) -> tuple[Ints, Ints, KindRows, KindRows, int, int]:
        """Return the sums as `add` takes them, in an order that does not depend on the order of additions."""
        self._settle()
        order = self.kinds.order()
        place = np.argsort(order)
        sorted_rows = []
        for sums in (self._experiments, self._sets):
            kind, number, values = _split(sums)
            at = np.lexsort((number, place[kind]))
            sorted_rows.append(KindRows(place[kind][at], number[at], values[:, at]))
        return *self.kinds.rows(), sorted_rows[0], sorted_rows[1], self.bits, self.zeros

    def experiments(self) -> KindRows:
        """Return the deals, and the points of the first of each pair, by experiment and row of a kind."""
        self._settle()
        return _split(self._experiments)

    def sets(self) -> KindRows:
        """Return the deals of each set that is counted, with the row of its kind."""
        self._settle()
        return _split(self._sets)

    def _settle(self) -> None:
        """Keep of all that was added what is to be kept."""
        if not self._unsettled:
            return
        self._unsettled = 0
        keys, sums = self._experiments.total()
        keys, sums = _with_bits(keys, sums, self.bits)
        while len(keys) > MOST and self.bits > COARSEST:
            self.bits = min(self.bits - 1, _COARSE)
            keys, sums = _with_bits(keys, sums, self.bits)
        self._experiments = _keyed(keys, sums)
        keys, sums = self._sets.total()
        remaining = _ends_in(keys, self.zeros)
        while remaining.sum() > MOST:
            self.zeros += 1
            remaining = _ends_in(keys, self.zeros)
        self._sets = _keyed(keys[remaining], sums[:, remaining])


def find_repeats(experiments: Mapping[int, ExperimentSums], loose: Iterable[DealKinds], matches: int) -> Repeats | None:
    """Return what was found of repeats in all sets; None where they were not looked for.

    experiments: the sums of sets by size.
    loose: deals beside them, of which nothing is known.
    matches: the number of matches of a set.
    """
    if not any(len(sums.kinds) for sums in experiments.values()):
        return None
    played: dict[int, int] = {}
    for kinds in (*loose, *(sums.kinds for sums in experiments.values())):
        _count(played, kinds.entries, kinds.deals)
    looked_at: dict[int, int] = {}
    counted: dict[int, int] = {}
    different: dict[int, int] = {}
    openings = np.empty(0, np.int64)
    bits = min(sums.bits for sums in experiments.values())
    sets = all_counted = all_different = 0
    for sums in experiments.values():
        kind, _, (deals,) = sums.sets()
        entries = sums.kinds.entries[kind]
        _count(looked_at, sums.kinds.entries, sums.kinds.deals)
        _count(counted, entries, deals)
        _count(different, entries, np.ones_like(deals))
        sets += int(sums.kinds.deals.sum())
        all_counted += int(deals.sum())
        all_different += len(deals)
        numbers = sums.experiments().number
        openings = np.union1d(openings, numbers[numbers & 1 == 1] & (1 << bits) - 1)
    repeated = sets - round(sets * all_different / all_counted) if all_counted else 0
    shares = {
        str(entry): 1 - looked_at[entry] / played[entry] * (1 - different[entry] / deals)
        for entry, deals in counted.items()
    }
    is_estimate = bits < FINEST or any(sums.zeros for sums in experiments.values())
    return Repeats(sets, repeated, matches, _different(len(openings), bits), shares, is_estimate=is_estimate)


def _different(distinct: int, bits: int) -> int:
    """Return how many openings there are if some were found of those that so many bits tell apart (linear counting)."""
    most = 1 << bits - 1
    return round(-most * log1p(-min(distinct, most - 0.5) / most))


def _count(counts: dict[int, int], entries: Ints, deals: Ints) -> None:
    """Add deals to those of each of their entries, a row for each."""
    numbers, place = np.unique(entries, return_inverse=True)
    sums = np.bincount(place.ravel(), np.repeat(deals, entries.shape[1]), len(numbers))
    for entry, count in zip(numbers.tolist(), sums.tolist(), strict=True):
        counts[entry] = counts.get(entry, 0) + int(count)


def _split(sums: KeyedSums) -> KindRows:
    keys, values = sums.total()
    return KindRows(keys & (1 << _KIND_BITS) - 1, keys >> _KIND_BITS, values)


def _keyed(keys: Ints, values: Ints) -> KeyedSums:
    sums = KeyedSums(len(values))
    sums.add_sums(keys, values)
    return sums


def _with_bits(keys: Ints, sums: Ints, bits: int) -> tuple[Ints, Ints]:
    """Return sums by key of which numbers have only their last bits."""
    return sum_by_key(keys & ((1 << bits + _KIND_BITS) - 1), sums)


def _ends_in(keys: Ints, zeros: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    """Return which keys have numbers that end in so many zeros."""
    ends: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = keys >> _KIND_BITS & (1 << zeros) - 1 == 0
    return ends
