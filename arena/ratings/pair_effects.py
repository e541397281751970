"""What two bots may do for each other, as columns beside the strengths in the comparisons of a tally.

    flow        points go from one to the other: the second is that much stronger, but against the first alone
    together    both are that much stronger, against everybody else, in deals in which they sit at one table

A row is a deal and a pair of teams, with the shares of the bots in it (see `arena.ratings.bradley_terry`). The column
of two bots has what their effect adds to the same difference.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import coo_array, csc_array, csr_array

from arena.ratings.keyed_sums import Floats, Ints

EffectKind = Literal["flow", "together"]


@dataclass(frozen=True, slots=True)
class PairEffects:
    """All effects that can be looked for, one of `kinds`, `first`, `second` and `columns` for each.

    first, second: the two bots, as places in the lineup, the earlier first. A flow is from first to second.
    """

    kinds: tuple[EffectKind, ...]
    first: Ints
    second: Ints
    columns: csc_array


def build_effects(deal: Ints, rows: csr_array) -> PairEffects:
    """Return the effects of every two bots that met. deal: of each row.

    Where a team has several bots there is none of being together: partners are there to help each other.
    """
    found: dict[EffectKind, tuple[Ints, Ints, Floats]] = {"flow": _flow(rows)}
    if (np.diff(rows.indptr) == 2).all():
        found["together"] = _together(deal, rows)
    kinds: list[EffectKind] = []
    pairs, at, places, values = [], [], [], []
    for kind, (row, pair, value) in found.items():
        present, place = np.unique(pair, return_inverse=True)
        at.append(row)
        places.append(place + len(kinds))
        values.append(value)
        pairs.append(present)
        kinds += [kind] * len(present)
    shape = (rows.shape[0], len(kinds))
    columns = coo_array((np.concatenate(values), (np.concatenate(at), np.concatenate(places))), shape)
    first, second = np.divmod(np.concatenate(pairs), max(rows.shape[1], 1))
    return PairEffects(tuple(kinds), first, second, csc_array(columns))


def _flow(rows: csr_array) -> tuple[Ints, Ints, Floats]:
    """Return row, pair of bots (earlier * bots + later) and value of each entry."""
    bots = rows.shape[1]
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    up, down = np.flatnonzero(rows.data > 0), np.flatnonzero(rows.data < 0)
    left, right = _join(row_of[up], row_of[down])
    gains, gives = up[left], down[right]
    one, other = rows.indices[gains].astype(np.int64), rows.indices[gives].astype(np.int64)
    value = -rows.data[gains] * rows.data[gives] * np.where(one > other, 1.0, -1.0)
    return row_of[gains], np.minimum(one, other) * bots + np.maximum(one, other), value


def _together(deal: Ints, rows: csr_array) -> tuple[Ints, Ints, Floats]:
    """Return the same of rows with one bot against one; whoever met somebody in a deal sat at a table with it."""
    bots, count = rows.shape[1], rows.shape[0]
    every = np.arange(count)
    gains = rows.data > 0
    first, second = rows.indices[gains].astype(np.int64), rows.indices[~gains].astype(np.int64)
    sitting = np.concatenate((deal * bots + first, deal * bots + second))
    mate = np.concatenate((second, first))
    order = np.argsort(sitting, kind="stable")
    left, right = _join(sitting, sitting[order])
    with_whom = mate[order][right]
    third = with_whom != mate[left]
    left, with_whom = left[third], with_whom[third]
    bot = np.concatenate((first, second))[left]
    value = np.concatenate((np.ones(count), -np.ones(count)))[left]
    return (
        np.concatenate((every, every))[left],
        np.minimum(bot, with_whom) * bots + np.maximum(bot, with_whom),
        value,
    )


def _join(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return the places of all entries of `left` and of `right`, which is sorted, that are equal."""
    begins, ends = np.searchsorted(right, left), np.searchsorted(right, left, "right")
    sizes = ends - begins
    places = np.repeat(begins - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    return np.repeat(np.arange(len(left)), sizes), places
