"""Upsets: matches that were won by an entry of which the ratings expected it least."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import exp
from typing import NamedTuple

from arena.ratings.ranking import ELO_PER_NAT
from arena.store.matches.seat_results import SeatResult

LONGEST_CHANCE = 0.1
"""A win that the ratings expected more often is no upset."""

MOST_CI95 = 100.0
"""Elo: entries with wider intervals are left out, as their ratings say little."""


class Upset(NamedTuple):
    """A match that its winner was not expected to win."""

    match: int
    """The id of the match."""
    winner: int
    """The number of the entry that won."""
    losers: tuple[int, ...]
    """The numbers of the other entries, by seat."""
    chance: float
    """The chance of the win, by the ratings."""
    when: str
    """When its batch was stored, in UTC as ISO 8601."""


class UpsetGroup(NamedTuple):
    """The upsets of one bot, whichever of its entries won them."""

    first: Upset
    """The least expected one."""
    more: int
    """How many others there are."""


def grouped(upsets: Iterable[Upset], bots: Mapping[int, str]) -> list[UpsetGroup]:
    """Return upsets by the bot that won, in the order of the first of each: a weak bot that plays much has many.

    upsets: the least expected first.
    bots: the name of the bot of each entry.
    """
    of_bot: dict[str, list[Upset]] = {}
    for upset in upsets:
        of_bot.setdefault(bots[upset.winner], []).append(upset)
    return [UpsetGroup(first, len(more)) for first, *more in of_bot.values()]


def find_upsets(
    seats: Iterable[SeatResult], entries: Sequence[int], elo: Mapping[int, float], when: str
) -> list[Upset]:
    """Return the upsets of a batch, the least expected first.

    By the ratings, an entry is first with a chance in proportion to 10^(Elo / 400) (Bradley and Terry, and Luce for
    more than two), which is about right where places are decided by strength and luck.

    seats: of its matches, in order.
    entries: by place in the field.
    elo: of the entries that are known well enough.
    when: the time at which the batch was stored.
    """
    upsets = []
    for match, rows in groupby(seats, lambda seat: seat.id):
        ranks: dict[int, int] = {}
        for seat in rows:
            entry = entries[seat.entrant]
            ranks[entry] = min(seat.rank, ranks.get(entry, seat.rank))
        winners = [entry for entry, rank in ranks.items() if rank == 1]
        if len(winners) != 1 or len(ranks) < 2 or not ranks.keys() <= elo.keys():
            continue
        [winner] = winners
        chance = 1 / sum(exp((elo[entry] - elo[winner]) / ELO_PER_NAT) for entry in ranks)
        if chance <= LONGEST_CHANCE:
            upsets.append(Upset(match, winner, tuple(entry for entry in ranks if entry != winner), chance, when))
    return sorted(upsets, key=lambda upset: (upset.chance, upset.match))
