"""What a tally holds, in an order that does not depend on the order of the matches."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arena.ratings.sums import Ints, Sums

BITS = 16
"""Bits of a bot's number and of a table's size within a key."""

_MASK = (1 << BITS) - 1


@dataclass(frozen=True, slots=True)
class Pairs:
    """Comparisons per deal and pair of bots, sorted by deal, first and second; first < second."""

    deal: Ints
    first: Ints
    second: Ints
    points: Ints
    """Twice the points of the first bot against the second: 2 for each better rank, 1 for each tie."""
    count: Ints
    """How many times the two were compared."""


@dataclass(frozen=True, slots=True)
class Sittings:
    """Seats per deal and bot, sorted by deal and bot."""

    deal: Ints
    bot: Ints
    count: Ints
    """Seats held, over all matches of the deal."""
    score: Ints
    """The sum of their scores."""


@dataclass(frozen=True, slots=True)
class Places:
    """Seats per bot and table size."""

    bot: Ints
    size: Ints
    count: Ints
    place: Ints
    """Twice the sum of their places, 1 to `size`; seats that tie share the mean of their places."""


@dataclass(frozen=True, slots=True)
class Totals:
    """All that was tallied. A bot's number is its position in `bots`."""

    bots: tuple[str, ...]
    """Sorted."""
    matches: Ints
    """Per bot, the matches it sat in, however many seats it held there."""
    played: int
    """Matches in all."""
    pairs: Pairs
    sittings: Sittings
    places: Places


def totals(codes: Mapping[str, int], played: int, matches: Sums, pairs: Sums, sittings: Sums, places: Sums) -> Totals:
    """Return the sums with bots renumbered by name; `codes` are the numbers the sums' keys were made with."""
    bots = tuple(sorted(codes))
    number = np.empty(len(bots), np.int64)
    number[[codes[bot] for bot in bots]] = np.arange(len(bots))
    present, (times,) = matches.total()
    per_bot = np.zeros(len(bots), np.int64)
    per_bot[number[present]] = times
    return Totals(bots, per_bot, played, _pairs(number, pairs), _sittings(number, sittings), _places(number, places))


def _pairs(number: Ints, sums: Sums) -> Pairs:
    keys, (points, count) = sums.total()
    deal, one, other = keys >> 2 * BITS, number[keys >> BITS & _MASK], number[keys & _MASK]
    swapped = one > other
    first, second = np.where(swapped, other, one), np.where(swapped, one, other)
    points = np.where(swapped, 2 * count - points, points)
    order = np.argsort((deal << BITS | first) << BITS | second)
    return Pairs(deal[order], first[order], second[order], points[order], count[order])


def _sittings(number: Ints, sums: Sums) -> Sittings:
    keys, (count, score) = sums.total()
    deal, bot = keys >> BITS, number[keys & _MASK]
    order = np.argsort(deal << BITS | bot)
    return Sittings(deal[order], bot[order], count[order], score[order])


def _places(number: Ints, sums: Sums) -> Places:
    keys, (count, place) = sums.total()
    bot, size = number[keys >> BITS], keys & _MASK
    order = np.argsort(bot << BITS | size)
    return Places(bot[order], size[order], count[order], place[order])
