"""Who is in which division after the end of a span: a pure function of the ratings and of who was where.

Ratings decide, and not a count of promotions: where the best of a division are not rated above the worst of the one
above, nobody moves, as both are measured on one scale. So divisions follow the order of the ratings at a pace of a few
places a span.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot

Places = tuple[tuple[int, ...], ...]
"""The numbers of the entries in each division but the lowest, the best division first."""


@dataclass(frozen=True, slots=True)
class Division:
    """The outcome of a span."""

    places: Places
    exchanges: tuple[tuple[int, int], ...] = ()
    """The entries that change places with each other: who is promoted, and who is relegated for it."""

    def moves(self, before: Places, lowest: int) -> list[tuple[int, int, int]]:
        """Return each entry that is in another division than before, with that and its new one, by the new one.

        lowest: the number of the lowest division.
        """
        old, new = division_of(before), division_of(self.places)
        numbers = dict.fromkeys((*new, *old))
        moved = [(entry, old.get(entry, lowest), new.get(entry, lowest)) for entry in numbers]
        return sorted((move for move in moved if move[1] != move[2]), key=lambda move: move[2])


def division_of(places: Places) -> dict[int, int]:
    """Return the number of the division of each entry that is not in the lowest, from 1."""
    return {entry: number for number, entries in enumerate(places, 1) for entry in entries}


def divide(snapshot: Snapshot, anchors: Collection[int], before: Places, definition: LeagueDefinition) -> Division:
    """Return who is in which division after a span.

    First free places are filled, the highest division first, each with the best of the nearest division below. Then the
    best of each division change places with the worst of the one above, pair by pair, where they are rated higher; who
    has just got a free place stays there. Only entries whose placement is over are promoted. Of equals the one that
    entered earlier stands higher.

    snapshot: the ratings of the active entries.
    anchors: the entries that are in no division.
    before: the active entries in each division but the lowest.
    """
    rated = {entry.number: entry for entry in snapshot.entries if entry.number not in anchors}
    upper = [[number for number in entries if number in rated] for entries in before[: definition.divisions - 1]]
    upper += [[] for _ in range(definition.divisions - 1 - len(upper))]
    taken = {number for entries in upper for number in entries}
    pools = [*upper, [number for number in rated if number not in taken]]
    seated = set[int]()
    for place, pool in enumerate(pools[:-1]):
        while len(pool) < definition.division_size:
            below = (_promotable(lower, rated) for lower in pools[place + 1 :])
            best = next((candidates[0] for candidates in below if candidates), None)
            if best is None:
                break
            next(lower for lower in pools[place + 1 :] if best in lower).remove(best)
            pool.append(best)
            seated.add(best)
    stay = [[number for number in pool if number not in seated] for pool in pools]
    exchanges = [
        (rising, falling)
        for higher, lower in pairwise(stay)
        for rising, falling in zip(
            _promotable(lower, rated)[: definition.division_moves],
            _in_order(higher, rated)[::-1][: definition.division_moves],
            strict=False,
        )
        if _strength(rated[rising]) > _strength(rated[falling])
    ]
    swaps = {**dict(exchanges), **{falling: rising for rising, falling in exchanges}}
    return Division(
        tuple(tuple(_in_order([swaps.get(number, number) for number in pool], rated)) for pool in pools[:-1]),
        tuple(exchanges),
    )


def ended_span(days: int, length: int) -> int:
    """Return the number of the last span that has ended, from 1; 0 if none has.

    days: since the season began.
    length: of a span in days; 0: it is as long as the season.
    """
    return days // length if length else 0


def _strength(entry: RatedEntry) -> tuple[bool, int]:
    """Return what ranks an entry: one that has not played is below all others."""
    return entry.deals > 0, entry.elo


def _in_order(numbers: Iterable[int], rated: dict[int, RatedEntry]) -> list[int]:
    """Return entries, the best first."""
    ordered = sorted(numbers)
    return sorted(ordered, key=lambda number: _strength(rated[number]), reverse=True)


def _promotable(numbers: Sequence[int], rated: dict[int, RatedEntry]) -> list[int]:
    """Return the entries that may be promoted, the best first."""
    return _in_order((number for number in numbers if not rated[number].is_placing), rated)
