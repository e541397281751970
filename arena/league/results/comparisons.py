"""Entries of a league compared: who is better, and how they did against each other."""

from typing import NamedTuple

import numpy as np

from arena.league.results.league_fit import LeagueFit
from arena.league.results.stored_fit import load_fit
from arena.league.store.batches import Batches
from arena.store import Store


class Meetings(NamedTuple):
    """What an entry did against another."""

    other: int
    deals: int
    """The deals in which they met."""
    comparisons: int
    """The comparisons of their places in matches."""
    points: float
    """The points of the entry: 1 for each comparison in which it was placed above the other, a half for each tie."""


class LeagueComparisons:
    """The sums of all stored batches of a league, as of the last update."""

    def __init__(self, store: Store, league: int) -> None:
        self.results = 0
        self._store = store
        self._league = league
        self._fit = LeagueFit()

    def update(self) -> None:
        """Add the batches that were stored since."""
        if not self.results:
            self._fit, self.results = load_fit(self._store, self._league)
        for result, _, packed in Batches(self._store).sums(self._league, after=self.results):
            self._fit.add(packed)
            self.results = result

    def los(self, one: int, other: int) -> float | None:
        """Return the probability that an entry is better than another; None if it is unknown or one never played."""
        if not {one, other} <= set(self._fit.sums.entries.tolist()):
            return None
        return self._fit.los(one, other)

    def opponents(self, entry: int) -> list[Meetings]:
        """Return what an entry did against each other one that it met, most meetings first."""
        sums = np.zeros((int(self._fit.sums.entries.max(initial=0)) + 1, 3), np.int64)
        for kinds in self._fit.sums.kinds:
            for pair, (first, second) in enumerate(zip(*kinds.pairs, strict=True)):
                counts = kinds.counts[:, pair] * kinds.deals
                won = kinds.points[:, pair]
                for here, there, points in ((first, second, won), (second, first, 2 * counts - won)):
                    rows = (kinds.entries[:, here] == entry) & (counts > 0)
                    values = np.stack((kinds.deals, counts, points), axis=1)[rows]
                    np.add.at(sums, kinds.entries[rows, there], values)
        met = [
            Meetings(other, int(deals), int(comparisons), int(points) / 2)
            for other, (deals, comparisons, points) in enumerate(sums)
            if deals
        ]
        return sorted(met, key=lambda opponent: (-opponent.comparisons, opponent.other))
