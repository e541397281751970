"""The ranking of each tournament, made anew when there is something new, and not too often."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import perf_counter

from arena.language.message import Message
from arena.ratings.crosstable import Crosstable, SeatResults, build_crosstable, seat_results
from arena.results.meetings import Sittings
from arena.results.stage_names import StageNames
from arena.results.standings import Standings, standings
from arena.results.stored_tournament import StoredTournament
from arena.store import Store
from arena.values.rows import TournamentRow
from referee.engine.registry import in_units

REST = 100
"""A ranking that changed is made anew after this many times what it took: one per cent of a core at most.

Sooner where there are twice as many matches by now, which seldom happens: nobody looks at that of none for minutes.
"""

AT_LEAST = 1.0
"""Seconds between two of them in any case."""


@dataclass(frozen=True, slots=True)
class CachedRanking:
    """What the pages tell of a tournament, from its first `count` stored matches."""

    count: int
    decided: int
    """How many decisions of the organiser were in its log."""
    names: list[str]
    """The names of the field, which change as an account is closed."""
    standings: Standings
    stage: Message | None
    """What the last stage that has begun is called; None in formats without stages."""
    met: Crosstable
    sat: SeatResults
    together: Sittings
    """Which bots have met which others."""
    made: float
    """When it was made, in seconds on the clock of the cache."""
    cost: float
    """How many seconds it took to make it."""


class RankingCache:
    """Rankings by the event of their tournament; safe to be asked from several threads."""

    stages: StageNames
    """The names of the stages of tournaments."""

    def __init__(self, store: Store, clock: Callable[[], float] = perf_counter) -> None:
        self.stages = StageNames(store)
        self._store = store
        self._clock = clock
        self._kept: dict[int, CachedRanking] = {}
        self._locks: dict[int, Lock] = {}  # one each: nobody waits for the ranking of another tournament

    def waiting(self, tournament: TournamentRow) -> int:
        """Return how many matches must be read one by one before there is a ranking; 0 where it comes at once."""
        return 0 if tournament.key in self._kept else StoredTournament(self._store, tournament).count_unread()

    def of(self, tournament: TournamentRow) -> CachedRanking:
        """Return the ranking of a tournament; an older one where it was made only just now."""
        count, decided = self._store.count(tournament.id), self._store.decision_count(tournament.id)
        with self._locks.setdefault(tournament.key, Lock()):
            known = self._kept.get(tournament.key)
            if (
                known is None
                or known.names != tournament.names
                or ((known.count, known.decided) != (count, decided) and self._rested(known, tournament, count))
            ):
                known = self._kept[tournament.key] = self._made(tournament, count, decided)
            return known

    def apart(self, bot: str, other: str) -> set[int]:
        """Return the tournaments in which two bots have not met, as far as rankings that are at hand tell it."""
        found = set()
        for tournament in self._store.tournaments():
            places = {entrant.name: place for place, entrant in enumerate(tournament.entrants)}
            known = self._kept.get(tournament.key)
            if known is None or bot == other or not places.keys() >= {bot, other}:
                continue
            now = self._store.count(tournament.id), self._store.decision_count(tournament.id)
            if (known.count, known.decided) == now and not known.together.meetings[places[bot]][places[other]]:
                found.add(tournament.id)
        return found

    def _rested(self, known: CachedRanking, tournament: TournamentRow, count: int) -> bool:
        rest = AT_LEAST if count >= 2 * known.count else max(AT_LEAST, REST * known.cost)
        return tournament.finished is not None or self._clock() >= known.made + rest

    def _made(self, tournament: TournamentRow, count: int, decided: int) -> CachedRanking:
        began = self._clock()
        stored = StoredTournament(self._store, tournament)
        found = standings(stored)
        bots = [row.bot for row in found.table.rows]
        totals = found.source.tally().totals()
        met = build_crosstable(totals, bots)
        sat = seat_results(totals, bots, 1 / in_units(tournament.game, 1))
        together = stored.summary.meetings.sittings(len(tournament.entrants))
        now = self._clock()
        return CachedRanking(
            count, decided, tournament.names, found, stored.stage, met, sat, together, now, now - began
        )
