"""Incremental fit: repeat a fit as deals are added, at a cost that does not grow with the earlier deals.

Deals in which the same teams met equally often are of one kind, and differ only in their results. For all deals of a
kind it suffices to store their number, the points of each pair, and the products of every two bots' points: the
residuals are those points minus the expected points, which are the same in each deal. So the cost grows with the kinds,
not with the deals: with few bots there are few kinds; with many, a block has many deals and there are few blocks.
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


def _empty() -> Ints:
    return np.empty(0, np.int64)


class IncrementalFit:
    """A fit to which deals are added, and whose solution can be asked for at any time."""

    def __init__(self) -> None:
        self._builder = LineupBuilder()
        self._kinds: dict[bytes, int] = {}
        # By kind: its deals, the position of its first pair, and that of its first product.
        self._deals, self._pairs_at, self._products_at = _empty(), _empty(), _empty()
        # By kind and pair: the teams, their meetings in each deal, and the points of all deals, as in `PairSums`.
        self._kind, self._first, self._second, self._count, self._points = (_empty() for _ in range(5))
        # By kind and bot, and by kind and every two of these bots: the sum of the products of their points.
        self._product_kind, self._product_bot, self._products = _empty(), _empty(), np.empty(0)

    def add(self, lineup: Lineup, pairs: PairSums) -> None:
        """Add the comparisons of deals, all of each deal together.

        lineup: that of the teams' numbers.
        """
        number = self._builder.numbers(list(lineup.teams))
        one, other = number[pairs.first], number[pairs.second]
        swapped = one > other
        first, second = np.where(swapped, other, one), np.where(swapped, one, other)
        points = np.where(swapped, 2 * pairs.count - pairs.points, pairs.points)
        order = np.lexsort((second, first, pairs.deal))
        deal, first, second, count, points = (
            column[order] for column in (pairs.deal, first, second, pairs.count, points)
        )
        for rows in group_by_size(deal):
            self._add(first[rows], second[rows], count[rows], points[rows])

    def _add(self, first: Ints, second: Ints, count: Ints, points: Ints) -> None:
        """Add deals with equally many pairs, a row each."""
        met = np.concatenate((first, second, count), axis=1)
        keys = met.view(f"V{met.itemsize * met.shape[1]}").ravel().tolist()
        kind_count = len(self._kinds)
        kind = np.array([self._kinds.setdefault(key, len(self._kinds)) for key in keys], np.int64)
        kinds, first_row = np.unique(kind, return_index=True)
        new_rows, new_kinds = first_row[kinds >= kind_count], kinds[kinds >= kind_count]
        pairs = first.shape[1]
        self._deals = np.append(self._deals, np.zeros_like(new_kinds))
        self._pairs_at = np.append(self._pairs_at, len(self._kind) + pairs * np.arange(len(new_kinds)))
        self._products_at = np.append(self._products_at, np.full_like(new_kinds, -1))
        self._kind = np.append(self._kind, np.repeat(new_kinds, pairs))
        self._first = np.append(self._first, first[new_rows])
        self._second = np.append(self._second, second[new_rows])
        self._count = np.append(self._count, count[new_rows])
        self._points = np.append(self._points, np.zeros_like(first[new_rows]))
        np.add.at(self._deals, kind, 1)
        np.add.at(self._points, self._pairs_at[kind][:, None] + np.arange(pairs), points)
        self._multiply(kind, first, second, points)

    def _multiply(self, kind: Ints, first: Ints, second: Ints, points: Ints) -> None:
        """Add the products of the points of every two bots of each deal."""
        lineup, team, bot = self._builder.lineup()
        bots = len(lineup.bots)
        share_differences = lineup.shares[team[first.ravel()]] - lineup.shares[team[second.ravel()]]
        share_differences.eliminate_zeros()
        row = np.repeat(np.arange(first.size), np.diff(share_differences.indptr))
        entries, entry = np.unique(
            row // first.shape[1] * bots + np.argsort(bot)[share_differences.indices], return_inverse=True
        )  # a bot's number in the builder does not change
        bot_points = np.bincount(entry, share_differences.data * points.ravel()[row] / 2, len(entries))
        for rows in group_by_size(entries // bots):
            deal_kinds, size = kind[entries[rows[:, 0]] // bots], rows.shape[1]
            new_deals = np.flatnonzero(self._products_at[deal_kinds] < 0)
            new_kinds, at = np.unique(deal_kinds[new_deals], return_index=True)
            new_rows = rows[new_deals[at]]
            self._products_at[new_kinds] = len(self._products) + size * size * np.arange(len(new_kinds))
            self._product_kind = np.append(self._product_kind, np.repeat(new_kinds, size))
            self._product_bot = np.append(self._product_bot, entries[new_rows] % bots)
            self._products = np.append(self._products, np.zeros(len(new_kinds) * size * size))
            values = bot_points[rows]
            products = values[:, :, None] * values[:, None, :]
            np.add.at(self._products, self._cells(deal_kinds, size), products.reshape(len(rows), -1))

    def _cells(self, kind: Ints, size: int) -> Ints:
        """Return the positions of the products of kinds with `size` bots, a row for each kind."""
        return self._products_at[kind][:, None] + np.arange(size * size)

    def solution(self) -> tuple[tuple[str, ...], Solution]:
        """Return the bots, sorted, and the fit of all deals added so far."""
        lineup, team, bot = self._builder.lineup()
        bots = bot[self._product_bot]
        order = np.lexsort((bots, self._product_kind))
        none = np.zeros_like(self._kind)  # ties have no parameter here
        pairs = PairSums(
            self._kind,
            team[self._first],
            team[self._second],
            self._points,
            self._count * self._deals[self._kind],
            none,
        )
        # All deals of a kind are summed: the kind's number stands for the deal.
        kinds = DealSums(lineup, pairs, BotSums(self._product_kind[order], bots[order], none, none))
        comparisons = build_comparisons(kinds)

        def by_bot(values: Floats) -> Floats:
            bot_sums = np.empty(len(order))
            bot_sums[order], _ = sum_by_bot(kinds, comparisons, values)
            return bot_sums

        bot_points = by_bot(pairs.points / 2)

        def meat(expected: Floats) -> tuple[Floats, Ints]:
            expected_points = by_bot(pairs.count * expected[comparisons.of_pair])
            size = len(lineup.bots)
            sums = np.zeros(size * size)
            for rows in group_by_size(self._product_kind):
                kind, kind_size = self._product_kind[rows[:, 0]], rows.shape[1]
                deals = self._deals[kind][:, None, None]
                points, due = bot_points[rows][:, :, None], expected_points[rows][:, :, None]
                products = self._products[self._cells(kind, kind_size)].reshape(-1, kind_size, kind_size)
                cross = points * expected_points[rows][:, None, :] / deals
                products = products - cross - cross.transpose(0, 2, 1) + due * expected_points[rows][:, None, :] / deals
                cells = bots[rows][:, :, None] * size + bots[rows][:, None, :]
                sums += np.bincount(cells.ravel(), products.ravel(), size * size)
            deals_of = np.bincount(bots, self._deals[self._product_kind], size)
            return sums.reshape(size, size), deals_of.astype(np.int64)

        return lineup.bots, solve_comparisons(comparisons, np.zeros(len(comparisons.counts)), meat)
