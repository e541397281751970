"""The sums of a tally, in an order that does not depend on the order of the matches."""

from dataclasses import dataclass

import numpy as np

from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.lineup import BITS, Lineup, LineupBuilder
from arena.ratings.repeats import Repeats

_MASK = (1 << BITS) - 1


@dataclass(frozen=True, slots=True)
class PairSums:
    """Comparisons per deal and pair of teams, sorted by deal, first and second; first < second."""

    deal: Ints
    first: Ints
    second: Ints
    points: Ints
    """Twice the points of the first team against the second: 2 for each better rank, 1 for each tie."""
    count: Ints
    """The number of comparisons of the two teams."""
    ties: Ints
    """The number of ties in these comparisons."""


@dataclass(frozen=True, slots=True)
class BotSums:
    """Results per deal and bot, sorted by deal and bot; each team of the bot counts."""

    deal: Ints
    bot: Ints
    count: Ints
    """The number of results, over all matches of the deal."""
    score: Ints
    """The sum of the scores of these results."""


@dataclass(frozen=True, slots=True)
class PlaceSums:
    """Results per bot and number of teams at the table."""

    bot: Ints
    size: Ints
    count: Ints
    place: Ints
    """Twice the sum of the places, 1 to `size`; teams that tie share the mean of their places."""


@dataclass(frozen=True, slots=True)
class SeatSums:
    """Results per bot and seat (of its team, where there are teams)."""

    bot: Ints
    seat: Ints
    count: Ints
    score: Ints
    """The sum of the scores."""
    place: Ints
    """Twice the sum of the places, as in `PlaceSums`."""


@dataclass(frozen=True, slots=True)
class Totals:
    """All sums of a tally. Numbers of bots and teams are their positions in the lineup."""

    lineup: Lineup
    matches: Ints
    """The matches that each bot played, however many seats it held in each."""
    played: int
    """The number of all matches."""
    pairs: PairSums
    sittings: BotSums
    places: PlaceSums
    seats: SeatSums
    repeats: Repeats | None = None
    """What was found of repeated matches, as in `Tally`."""


def build_totals(
    builder: LineupBuilder,
    played: int,
    matches: KeyedSums,
    pairs: KeyedSums,
    sittings: KeyedSums,
    places: KeyedSums,
    seats: KeyedSums,
    repeats: Repeats | None,
) -> Totals:
    """Return the sums with teams and bots in order.

    builder: the one that numbered the teams and bots of the keys.
    """
    lineup, team, bot = builder.lineup()
    per_bot = np.zeros(len(bot), np.int64)
    bots, (counts,) = matches.total()
    per_bot[bot[bots]] = counts
    return Totals(
        lineup,
        per_bot,
        played,
        _pairs(team, pairs),
        _sittings(lineup, team, sittings),
        _places(lineup, team, places),
        _seats(lineup, team, seats),
        repeats,
    )


def _pairs(number: Ints, sums: KeyedSums) -> PairSums:
    keys, (points, count, ties) = sums.total()
    deal, one, other = keys >> 2 * BITS, number[keys >> BITS & _MASK], number[keys & _MASK]
    swapped = one > other
    first, second = np.where(swapped, other, one), np.where(swapped, one, other)
    points = np.where(swapped, 2 * count - points, points)
    order = _order((deal << BITS | first) << BITS | second)
    return PairSums(deal[order], first[order], second[order], points[order], count[order], ties[order])


def _order(keys: Ints) -> Ints | slice:
    """Return the indices that sort the keys; a full slice if they are sorted, as stored sums are."""
    return slice(None) if (keys[1:] >= keys[:-1]).all() else np.argsort(keys)


def _sittings(lineup: Lineup, number: Ints, sums: KeyedSums) -> BotSums:
    keys, values = sums.total()
    keys, (count, score) = lineup.by_bot(keys >> BITS, number[keys & _MASK], values)
    return BotSums(keys >> BITS, keys & _MASK, count, score)


def _places(lineup: Lineup, number: Ints, sums: KeyedSums) -> PlaceSums:
    keys, values = sums.total()
    keys, (count, place) = lineup.by_bot(keys & _MASK, number[keys >> BITS], values)
    order = np.lexsort((keys >> BITS, keys & _MASK))
    keys = keys[order]
    return PlaceSums(keys & _MASK, keys >> BITS, count[order], place[order])


def _seats(lineup: Lineup, number: Ints, sums: KeyedSums) -> SeatSums:
    keys, values = sums.total()
    keys, (count, score, place) = lineup.by_bot(keys & _MASK, number[keys >> BITS], values)
    return SeatSums(keys & _MASK, keys >> BITS, count, score, place)
