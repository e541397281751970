"""Incremental fit: repeat a fit as deals are added, at a cost that does not grow with the earlier deals.

Deals in which the same teams met equally often are of one kind, and differ only in who took the points. Of all deals of
a kind it is enough to know how many they are, the points of each pair, and the products of every two bots' points: the
residuals of `solution` are those points less what is expected, which is the same in each of them. So the effort grows
with the kinds, not with the deals: where few bots play there are few kinds, and where many do, a block has many deals
and there are few blocks.
"""

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.lineup import Lineup, LineupBuilder
from arena.ratings.solver import (
    DealSums,
    Solution,
    build_comparisons,
    group_by_size,
    solve_comparisons,
    sum_by_bot,
)
from arena.ratings.totals import BotSums, PairSums


def _none() -> Ints:
    return np.empty(0, np.int64)


class IncrementalFit:
    """A fit to which deals are added, and whose solution can be asked for at any time."""

    def __init__(self) -> None:
        self._entries = LineupBuilder()
        self._kinds: dict[bytes, int] = {}
        # By kind: its deals, the place of its first pair, and that of its first product.
        self._deals, self._pairs_at, self._products_at = _none(), _none(), _none()
        # By kind and pair: who met how often in each deal, and the points of all deals, doubled as in `PairSums`.
        self._kind, self._first, self._second, self._count, self._points = (_none() for _ in range(5))
        # By kind and bot, and by kind and every two of these bots: the sum of the products of their points.
        self._of, self._bot, self._products = _none(), _none(), np.empty(0)

    def add(self, lineup: Lineup, pairs: PairSums) -> None:
        """Add the comparisons of deals, all of each deal at once. lineup: to which the numbers of teams belong."""
        number = self._entries.numbers(list(lineup.teams))
        one, other = number[pairs.first], number[pairs.second]
        swapped = one > other
        first, second = np.where(swapped, other, one), np.where(swapped, one, other)
        points = np.where(swapped, 2 * pairs.count - pairs.points, pairs.points)
        order = np.lexsort((second, first, pairs.deal))
        deal, first, second, count, points = (each[order] for each in (pairs.deal, first, second, pairs.count, points))
        for rows in group_by_size(deal):
            self._add(first[rows], second[rows], count[rows], points[rows])

    def _add(self, first: Ints, second: Ints, count: Ints, points: Ints) -> None:
        """Add deals with equally many pairs, a row each."""
        met = np.concatenate((first, second, count), axis=1)
        keys = met.view(f"V{met.itemsize * met.shape[1]}").ravel().tolist()
        known = len(self._kinds)
        kind = np.array([self._kinds.setdefault(key, len(self._kinds)) for key in keys], np.int64)
        found, at = np.unique(kind, return_index=True)
        fresh, new = at[found >= known], found[found >= known]
        pairs = first.shape[1]
        self._deals = np.append(self._deals, np.zeros_like(new))
        self._pairs_at = np.append(self._pairs_at, len(self._kind) + pairs * np.arange(len(new)))
        self._products_at = np.append(self._products_at, np.full_like(new, -1))
        self._kind = np.append(self._kind, np.repeat(new, pairs))
        self._first = np.append(self._first, first[fresh])
        self._second = np.append(self._second, second[fresh])
        self._count = np.append(self._count, count[fresh])
        self._points = np.append(self._points, np.zeros_like(first[fresh]))
        np.add.at(self._deals, kind, 1)
        np.add.at(self._points, self._pairs_at[kind][:, None] + np.arange(pairs), points)
        self._multiply(kind, first, second, points)

    def _multiply(self, kind: Ints, first: Ints, second: Ints, points: Ints) -> None:
        """Add the products of the points of every two bots of each deal."""
        lineup, team, bot = self._entries.lineup()
        bots = len(lineup.bots)
        shared = lineup.shares[team[first.ravel()]] - lineup.shares[team[second.ravel()]]
        shared.eliminate_zeros()
        row = np.repeat(np.arange(first.size), np.diff(shared.indptr))
        seats, seat = np.unique(
            row // first.shape[1] * bots + np.argsort(bot)[shared.indices], return_inverse=True
        )  # a bot keeps its number, whoever comes in later
        made = np.bincount(seat, shared.data * points.ravel()[row] / 2, len(seats))
        for rows in group_by_size(seats // bots):
            of, size = kind[seats[rows[:, 0]] // bots], rows.shape[1]
            new = np.flatnonzero(self._products_at[of] < 0)
            fresh, at = np.unique(of[new], return_index=True)
            chosen = rows[new[at]]
            self._products_at[fresh] = len(self._products) + size * size * np.arange(len(fresh))
            self._of = np.append(self._of, np.repeat(fresh, size))
            self._bot = np.append(self._bot, seats[chosen] % bots)
            self._products = np.append(self._products, np.zeros(len(fresh) * size * size))
            value = made[rows]
            products = value[:, :, None] * value[:, None, :]
            np.add.at(self._products, self._cells(of, size), products.reshape(len(rows), -1))

    def _cells(self, kind: Ints, size: int) -> Ints:
        """Return the places of the products of kinds with so many bots, a row for each."""
        return self._products_at[kind][:, None] + np.arange(size * size)

    def solution(self) -> tuple[tuple[str, ...], Solution]:
        """Return the bots, sorted, and the fit of all deals added so far."""
        lineup, team, bot = self._entries.lineup()
        bots = bot[self._bot]
        order = np.lexsort((bots, self._of))
        none = np.zeros_like(self._kind)  # ties have no parameter here
        pairs = PairSums(
            self._kind,
            team[self._first],
            team[self._second],
            self._points,
            self._count * self._deals[self._kind],
            none,
        )
        # All deals of each kind taken as one: their `deal` is the number of the kind.
        kinds = DealSums(lineup, pairs, BotSums(self._of[order], bots[order], none, none))
        comparisons = build_comparisons(kinds)

        def by_bot(values: Floats) -> Floats:
            found = np.empty(len(order))
            found[order], _ = sum_by_bot(kinds, comparisons, values)
            return found

        made = by_bot(pairs.points / 2)

        def meat(chances: Floats) -> tuple[Floats, Ints]:
            due = by_bot(pairs.count * chances[comparisons.of_pair])
            size = len(lineup.bots)
            sums = np.zeros(size * size)
            for rows in group_by_size(self._of):
                kind, of_kind = self._of[rows[:, 0]], rows.shape[1]
                deals = self._deals[kind][:, None, None]
                one, other = made[rows][:, :, None], due[rows][:, :, None]
                products = self._products[self._cells(kind, of_kind)].reshape(-1, of_kind, of_kind)
                mixed = one * due[rows][:, None, :] / deals
                products = products - mixed - mixed.transpose(0, 2, 1) + other * due[rows][:, None, :] / deals
                cells = bots[rows][:, :, None] * size + bots[rows][:, None, :]
                sums += np.bincount(cells.ravel(), products.ravel(), size * size)
            deals_of = np.bincount(bots, self._deals[self._of], size)
            return sums.reshape(size, size), deals_of.astype(np.int64)

        return lineup.bots, solve_comparisons(comparisons, np.zeros(len(comparisons.counts)), meat)
