"""A tournament under way, as server-sent events: how far it is, and the matches that ended last."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any

import trio

from arena.store import Store
from arena.store.rows import ListedMatch
from arena.web.event_streams import HEARTBEAT, NOTHING, event
from referee.engine.registry import in_units

PAUSE = 1.0
"""Seconds between two looks at the database."""

SHOWN = 10
"""How many of the newest matches are told of at once."""

LOOKS = 4
"""Tournaments that are looked at in the database at the same time."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is. stored: matches. told: the event that says so."""

    stored: int
    over: bool
    told: str


@dataclass(slots=True)
class _Latest:
    """What was seen last, and when."""

    progress: Progress | None = None
    seen: float = 0.0
    looking: trio.Lock = field(default_factory=trio.Lock)


class Live:
    """Looks at tournaments once a second, however many pages follow them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: dict[int, _Latest] = {}
        self._threads = trio.CapacityLimiter(LOOKS)

    async def progress(self, tournament: int) -> Progress:
        """Return how far a tournament is, or was within the last second. Raises NoSuchRow where there is none."""
        latest = self._latest.setdefault(tournament, _Latest())
        async with latest.looking:
            if latest.progress is None or trio.current_time() >= latest.seen + PAUSE:
                try:
                    latest.progress = await trio.to_thread.run_sync(
                        self._look, tournament, latest.progress, limiter=self._threads
                    )
                except BaseException:
                    self._latest.pop(tournament, None)  # there is none of this number, as a rule
                    raise
                latest.seen = trio.current_time()
            return latest.progress

    async def events(self, tournament: int, looked: Callable[[], Any] = lambda: None) -> AsyncGenerator[str, None]:
        """Yield an event whenever there are more matches, and a last one when all are stored.

        looked: called after each look.
        """
        stored, quiet = -1, 0.0
        while True:
            progress = await self.progress(tournament)
            if progress.stored != stored or progress.over:
                yield progress.told
                stored, quiet = progress.stored, 0.0
            elif quiet >= HEARTBEAT:
                yield NOTHING
                quiet = 0.0
            looked()
            if progress.over:
                yield event("over", {})
                return
            await trio.sleep(PAUSE)
            quiet += PAUSE

    def _look(self, tournament: int, before: Progress | None) -> Progress:
        frame = self._store.tournament(tournament)
        count = self._store.count(tournament)
        over = frame.finished is not None
        if before is not None and (before.stored, before.over) == (count, over):
            return before
        newest = self._store.matches(tournament=tournament, limit=SHOWN)
        told = {"stored": count, "planned": frame.matches, "newest": list(map(line, newest))}
        return Progress(count, over, event("progress", told))


def line(match: ListedMatch) -> dict[str, Any]:
    """Return a match of a list as JSON values."""
    return {
        "id": match.id,
        "deal": match.deal,
        "players": match.players,
        "scores": [in_units(match.game, score) for score in match.scores],
        "ranks": match.ranks,
        "faults": match.faults_text(),
    }
