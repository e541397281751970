"""A league whose entries have known strengths: results are simulated, and rated by a joint fit."""

from collections.abc import Sequence

import numpy as np

from arena.league.plan.matchmaking.information import ELO_PER_NAT
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.ratings.keyed_sums import Floats, Ints

_PRIOR = 0.01
"""Information about each strength per nat², beside that of results: keeps estimates finite where all went one way."""

_MIN_DEALS = 10
"""Deals from which on an entry has an interval."""

_CHUNK = 1 << 21
"""Results in memory at a time."""


class SimulatedLeague:
    """Plays tables of entries of known strengths, and rates them.

    elo: the true strengths.
    strengths, covariance: the estimates in nats, with mean 0, as of the last fit.
    deals: of each entry.
    matches: of all entries.
    points: of each entry (row) against each other (column).
    """

    def __init__(self, elo: Floats, seats: int, random: np.random.Generator) -> None:
        """Begin without results."""
        self.elo = elo
        self.seats = seats
        self.random = random
        count = len(elo)
        self.strengths: Floats = np.zeros(count)
        self.covariance: Floats = np.zeros((count, count))
        self.deals: Ints = np.zeros(count, np.int64)
        self.matches = 0
        self._rated = self.deals.copy()
        self.points: Floats = np.zeros((count, count))
        self._seated: list[Ints] = []
        self._per_table: list[Ints] = []
        self._sums: list[Floats] = []
        self._products: list[Floats] = []

    def copy(self, random: np.random.Generator) -> "SimulatedLeague":
        """Return a league that goes on from here with luck of its own."""
        twin = SimulatedLeague(self.elo, self.seats, random)
        twin.strengths, twin.covariance = self.strengths.copy(), self.covariance.copy()
        twin.deals, twin.matches, twin.points = self.deals.copy(), self.matches, self.points.copy()
        twin._rated = self._rated.copy()
        twin._seated, twin._per_table = self._seated[:], self._per_table[:]
        twin._sums, twin._products = self._sums[:], self._products[:]
        return twin

    def play(self, tables: Ints, deals: int) -> None:
        """Play some deals at each table in all rotations.

        tables: the entries of each, tables x seats.
        """
        step = max(_CHUNK // (deals * self.seats**3), 1)
        for start in range(0, len(tables), step):
            self._play(tables[start : start + step], deals)

    def _play(self, tables: Ints, deals: int) -> None:
        """Play: of luck's variance 0.3 come with the seat, 0.3 with the bot."""
        from scipy.special import ndtr

        seats, count = self.seats, len(self.elo)
        shape = (len(tables), deals, seats)
        cards, style = self.random.standard_normal((2, *shape))
        wins = np.zeros((*shape, seats))
        for rotation in range(seats):
            own = self.random.standard_normal(shape)
            luck = ndtr(0.3**0.5 * np.roll(cards, rotation, axis=2) + 0.3**0.5 * style + 0.4**0.5 * own)
            result = (self.elo[tables] / ELO_PER_NAT)[:, None, :] - np.log(-np.log(luck))
            wins += result[..., :, None] > result[..., None, :]
        points = wins.sum(axis=3)
        cells = (tables[:, :, None] * count + tables[:, None, :]).ravel()
        self.points += np.bincount(cells, wins.sum(axis=1).ravel(), count * count).reshape(count, count)
        self._seated.append(tables)
        self._per_table.append(np.full(len(tables), deals))
        self._sums.append(points.sum(axis=1))
        self._products.append(np.einsum("tdi,tdj->tij", points, points))
        self.deals += deals * np.bincount(tables.ravel(), minlength=count)
        self.matches += len(tables) * deals * seats

    def fit(self) -> None:
        """Fit all strengths jointly (Newton's method from the last estimates), with a covariance clustered by deal."""
        counts = self.points + self.points.T
        total = self.points.sum(axis=1)
        strengths = self.strengths
        for _ in range(100):
            expected = 1 / (1 + np.exp(strengths - strengths[:, None]))
            weight = counts * expected * expected.T
            hessian = np.diag(weight.sum(axis=1) + _PRIOR) - weight
            step = np.linalg.solve(hessian, total - (counts * expected).sum(axis=1) - _PRIOR * strengths)
            strengths = strengths + step * min(1.0, 1 / max(np.abs(step).max(), 1e-12))
            if np.abs(step).max() < 1e-6:
                break
        self._rated = self.deals.copy()
        self.strengths = strengths - strengths.mean()
        self.covariance = self._clustered(np.linalg.inv(hessian).astype(np.float64))

    def _clustered(self, bread: Floats) -> Floats:
        tables, deals = np.concatenate(self._seated), np.concatenate(self._per_table)[:, None, None]
        sums, products = np.concatenate(self._sums), np.concatenate(self._products)
        seated = self.strengths[tables]
        win = 1 / (1 + np.exp(seated[:, None, :] - seated[:, :, None]))
        expected = self.seats * (win.sum(axis=2) - 0.5)
        mixed = sums[:, :, None] * expected[:, None, :]
        residual = products - mixed - mixed.transpose(0, 2, 1) + deals * expected[:, :, None] * expected[:, None, :]
        count = len(self.elo)
        cells = (tables[:, :, None] * count + tables[:, None, :]).ravel()
        meat = np.bincount(cells, residual.ravel(), count * count).reshape(count, count)
        covariance: Floats = bread @ meat @ bread
        return covariance

    def ci95(self) -> Floats:
        """Return half the width of each entry's 95 % interval in Elo; infinite with fewer than ten deals."""
        width = 1.96 * ELO_PER_NAT * np.sqrt(np.diag(self.covariance))
        return np.where(self.deals < _MIN_DEALS, np.inf, width)

    def snapshot(
        self, number: int, recent: Ints, cpu_us: Sequence[int], placing: Sequence[bool], active: Sequence[bool]
    ) -> Snapshot:
        """Return what matchmaking may know.

        recent, cpu_us, placing: as in `RatedEntry`.
        active: who is in it.
        """
        elo, ci95, pending = np.rint(self.strengths * ELO_PER_NAT), self.ci95(), self.deals - self._rated
        entries = [
            RatedEntry(
                number=place,
                owner=place,
                elo=int(elo[place]),
                ci95=round(ci95[place]) if np.isfinite(ci95[place]) else None,
                deals=int(self._rated[place]),
                recent_deals=int(recent[place]),
                cpu_us_per_deal=cpu_us[place],
                pending_deals=int(pending[place]),
                is_placing=placing[place],
            )
            for place in np.flatnonzero(active).tolist()
        ]
        return Snapshot(number, entries)


def error_of_order(elo: Floats, strengths: Floats) -> Floats:
    """Return by how many Elo each entry stands in the wrong order with the others, on average over these.

    A pair in the right order counts as 0, one in the wrong order as the Elo by which its entries differ.
    """
    difference = elo[:, None] - elo
    wrong = (strengths[:, None] - strengths) * difference < 0
    error: Floats = (np.abs(difference) * wrong).sum(axis=1) / max(len(elo) - 1, 1)
    return error
