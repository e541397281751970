"""The progress of a running tournament and its newest matches, as server-sent events."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arena.results.stage_names import StageNames
from arena.server.live.event_streams import COMMENT, event
from arena.server.live.shared_reads import SharedReads
from arena.store import Store
from arena.values.rows import ListedMatch
from referee.engine.registry import in_units

PAUSE = 1.0
"""Seconds between two queries of the database."""

SHOWN = 10
"""The number of newest matches in an event."""


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """The progress of a tournament.

    It counts as changed where more matches are stored, or all are.
    """

    stored: int
    """The number of stored matches."""
    over: bool
    names: list[str] = field(compare=False)
    """The names of the field, which change as an account is closed."""
    event_text: str = field(compare=False)
    """The event to send."""


class LiveTournaments:
    """Queries each tournament at most once a second, for any number of pages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stages = StageNames(store)
        self._reads = SharedReads[int, TournamentProgress](PAUSE)

    async def progress(self, tournament: int) -> TournamentProgress:
        """Return the progress of a tournament, at most a second old. Raises NoSuchRow if there is none."""
        return await self._reads.read(tournament, partial(self._query, tournament))

    async def events(self, tournament: int, on_query: Callable[[], Any] = lambda: None) -> AsyncGenerator[str, None]:
        """Yield an event whenever there are more matches, and a last one when all are stored.

        on_query: called after each query.
        """
        query = partial(self._query, tournament)
        changes = self._reads.changes(tournament, query, lambda progress: progress.over, on_query)
        async with aclosing(changes):
            async for progress in changes:
                yield COMMENT if progress is None else progress.event_text
        yield event("over", {})

    def _query(self, tournament: int, before: TournamentProgress | None) -> TournamentProgress:
        row = self._store.tournament(tournament)
        count = self._store.count(tournament)
        over = row.finished is not None
        if before is not None and (before.stored, before.over, before.names) == (count, over, row.names):
            return before
        newest = self._store.matches(tournament=tournament, limit=SHOWN)
        values = {"stored": count, "planned": row.matches, "newest": [self._match(match) for match in newest]}
        return TournamentProgress(count, over, row.names, event("progress", values))

    def _match(self, match: ListedMatch) -> dict[str, Any]:
        """Return a listed match as JSON values."""
        return {
            "id": match.id,
            "stage": self._stages.of(match.tournament, match.deal),
            "deal": match.deal,
            "players": match.players,
            "scores": [in_units(match.game, score) for score in match.scores],
            "ranks": match.ranks,
            "faults": match.faults_text(),
            "fault_count": sum(sum(kinds.values()) for kinds in match.faults),
        }
