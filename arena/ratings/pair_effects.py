"""Effects of two bots on each other's results, as columns beside the strengths in the comparisons of a tally.

    flow        points go from one to the other: the second is stronger against the first only
    together    both are stronger against all others in deals in which they sit at one table

Bots of one author may help each other, and two of them may meet too seldom to be tested. So the effects of all pairs of
an author's bots are tested as one, too:

    group       the bots of an author are stronger against all others in deals in which two of them sit at one table
    group flow  points go to one of an author's bots from the others

A row is a deal and a pair of teams, with the shares of the bots in it (see `arena.ratings.bradley_terry`). A column
holds what the effect of two bots adds to the difference of the teams' strengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import coo_array, csc_array, csr_array, hstack

from arena.ratings.keyed_sums import Floats, Ints

EffectKind = Literal["flow", "together", "group", "group flow"]

_MIN_GROUP = 3
"""The fewest bots of a group: the effects of two are those of a pair."""


@dataclass(frozen=True, slots=True)
class PairEffects:
    """All effects that can be tested; `kinds`, `first`, `second` and `columns` have an entry for each.

    first, second: the numbers of the two bots, the lower one first. A flow is from first to second. Of a group, first
        is its number, below 0: -1 for the first group, and second the bot that points flow to, else -1.
    """

    kinds: tuple[EffectKind, ...]
    first: Ints
    second: Ints
    columns: csc_array


def add_groups(effects: PairEffects, groups: Sequence[Sequence[int]]) -> PairEffects:
    """Return the effects with those of groups of three bots or more.

    groups: the numbers of the bots of each.
    """
    kinds, first, second = list(effects.kinds), [effects.first], [effects.second]
    columns = [effects.columns]
    flows = np.array([kind == "flow" for kind in effects.kinds], np.bool_)
    for number, group in enumerate(groups, 1):
        inside = np.isin(effects.first, group) & np.isin(effects.second, group)
        if len(group) < _MIN_GROUP or not inside.any():
            continue
        added: list[tuple[EffectKind, int, Floats]] = []
        if (inside & ~flows).any():
            added.append(("group", -1, (inside & ~flows).astype(np.float64)))
        for bot in group:
            # A flow column is from the lower to the higher number.
            sign = (effects.second == bot).astype(np.float64) - (effects.first == bot)
            added.append(("group flow", bot, sign * (inside & flows)))
        for kind, bot, weights in added:
            if weights.any():
                kinds.append(kind)
                first.append(np.array([-number]))
                second.append(np.array([bot]))
                columns.append(csc_array(effects.columns @ csc_array(weights[:, None])))
    return PairEffects(
        tuple(kinds), np.concatenate(first), np.concatenate(second), csc_array(hstack(columns, format="csc"))
    )


def build_effects(deal: Ints, rows: csr_array) -> PairEffects:
    """Return the effects of every two bots that met.

    deal: of each row.

    If a team has several bots there are no effects of being together, as partners are meant to help each other.
    """
    entries: dict[EffectKind, tuple[Ints, Ints, Floats]] = {"flow": _flow(rows)}
    if (np.diff(rows.indptr) == 2).all():
        entries["together"] = _together(deal, rows)
    kinds: list[EffectKind] = []
    pairs, rows_of_entries, columns_of_entries, values = [], [], [], []
    for kind, (row, pair, value) in entries.items():
        present_pairs, position = np.unique(pair, return_inverse=True)
        rows_of_entries.append(row)
        columns_of_entries.append(position + len(kinds))
        values.append(value)
        pairs.append(present_pairs)
        kinds += [kind] * len(present_pairs)
    shape = (rows.shape[0], len(kinds))
    columns = coo_array(
        (np.concatenate(values), (np.concatenate(rows_of_entries), np.concatenate(columns_of_entries))), shape
    )
    first, second = np.divmod(np.concatenate(pairs), max(rows.shape[1], 1))
    return PairEffects(tuple(kinds), first, second, csc_array(columns))


def _flow(rows: csr_array) -> tuple[Ints, Ints, Floats]:
    """Return the row, the pair of bots (lower * bots + higher) and the value of each entry of the flow columns."""
    bots = rows.shape[1]
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    positive, negative = np.flatnonzero(rows.data > 0), np.flatnonzero(rows.data < 0)
    left, right = _join(row_of[positive], row_of[negative])
    positive_entry, negative_entry = positive[left], negative[right]
    one, other = rows.indices[positive_entry].astype(np.int64), rows.indices[negative_entry].astype(np.int64)
    value = -rows.data[positive_entry] * rows.data[negative_entry] * np.where(one > other, 1.0, -1.0)
    return row_of[positive_entry], np.minimum(one, other) * bots + np.maximum(one, other), value


def _together(deal: Ints, rows: csr_array) -> tuple[Ints, Ints, Floats]:
    """Return the same for the columns of being together, for rows with one bot against one.

    Bots that met in a deal sat at one table.
    """
    bots, count = rows.shape[1], rows.shape[0]
    row = np.arange(count)
    is_positive = rows.data > 0
    first, second = rows.indices[is_positive].astype(np.int64), rows.indices[~is_positive].astype(np.int64)
    deal_bot = np.concatenate((deal * bots + first, deal * bots + second))
    opponent = np.concatenate((second, first))
    order = np.argsort(deal_bot, kind="stable")
    left, right = _join(deal_bot, deal_bot[order])
    companion = opponent[order][right]
    is_third = companion != opponent[left]
    left, companion = left[is_third], companion[is_third]
    bot = np.concatenate((first, second))[left]
    value = np.concatenate((np.ones(count), -np.ones(count)))[left]
    return (
        np.concatenate((row, row))[left],
        np.minimum(bot, companion) * bots + np.maximum(bot, companion),
        value,
    )


def _join(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Join two arrays: return the positions in `left` and in `right`, which is sorted, of all equal entries."""
    starts, ends = np.searchsorted(right, left), np.searchsorted(right, left, "right")
    sizes = ends - starts
    positions = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    return np.repeat(np.arange(len(left)), sizes), positions
