"""Which entries have passed another one on the board, for its owner.

Ratings move with every batch, so places alone tell little. An entry has passed another one if their 95 % intervals lie
apart, and it was not ahead before. It stays ahead until the intervals lie apart the other way round: only then can it
pass again. Those that were ahead when an entry got its place have not passed it.
"""

from collections.abc import Iterator, Mapping

from arena.league.results.league_ratings import EntryRating
from arena.league.store.league_rows import EntryRow
from arena_webhooks.rows import Rivals


def rivals_now(
    known: Mapping[int, Rivals | None], ratings: Mapping[int, EntryRating], entries: Mapping[int, EntryRow]
) -> list[Rivals]:
    """Return who is ahead of some entries now, for those of which that has changed.

    known: who was ahead of each of them; None where that is not known.
    ratings, entries: those of the league, by the number of the entry.
    """
    standing = [entry for entry in entries.values() if entry.state == "standing" and entry.number in ratings]
    changed = []
    for entry in standing:
        if entry.number in known:
            others = [other for other in standing if not other.is_anchor and other.owner != entry.owner]
            was = known[entry.number]
            now = _first(entry, others, ratings) if was is None else _next(was, others, ratings)
            if was is None or now.ahead != was.ahead:
                changed.append(now)
    return changed


def _first(entry: EntryRow, others: list[EntryRow], ratings: Mapping[int, EntryRating]) -> Rivals:
    own = ratings[entry.number].elo
    return Rivals(entry.number, frozenset(other.number for other in others if ratings[other.number].elo > own))


def _next(was: Rivals, others: list[EntryRow], ratings: Mapping[int, EntryRating]) -> Rivals:
    own = ratings[was.entry]
    passed = tuple(_ahead_of(own, [ratings[other.number] for other in others if other.number not in was.ahead]))
    behind = {other.number for other in others if _is_ahead(own, ratings[other.number])}
    return Rivals(was.entry, (was.ahead | set(passed)) - behind, passed)


def _ahead_of(own: EntryRating, others: list[EntryRating]) -> Iterator[int]:
    return (other.entry for other in others if _is_ahead(other, own))


def _is_ahead(one: EntryRating, other: EntryRating) -> bool:
    """Return whether the 95 % interval of one lies above that of the other; without one nothing does."""
    return one.ci95 is not None and other.ci95 is not None and one.elo - one.ci95 > other.elo + other.ci95
