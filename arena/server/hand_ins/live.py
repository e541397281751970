"""The progress of a hand-in, as server-sent events with the changed part of its page."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_rows import HandInRow
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.server.hand_ins.entries import hand_in_entries
from arena.server.hand_ins.progress import HandInState, progress
from arena.server.live.event_streams import COMMENT, event
from arena.server.live.shared_reads import SharedReads
from arena.store import Store

PAUSE = 0.5
"""Seconds between two queries of the database about the same hand-in, for any number of pages."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What pages show of a hand-in: the event with the part that changes, and whether it changes no more."""

    text: str
    is_over: bool = field(compare=False)


class LiveHandIns:
    """Follows hand-ins in the database, whoever checks them.

    places: where they are in the queue.
    """

    def __init__(self, store: Store, places: HandInPlaces) -> None:
        self._store = store
        self._places = places
        self._reads = SharedReads[int, _Shown](PAUSE)

    def state(self, row: HandInRow) -> HandInState:
        """Return what the page of a hand-in shows."""
        report = HandIns(self._store).report(row.id) if row.is_finished else None
        log = Rejudging(self._store).log(row.id) if row.rejudged else []
        return HandInState(row, self._places.of(row), report, hand_in_entries(self._store, row), log)

    async def events(self, id: int, on_query: Callable[[], Any] = lambda: None) -> AsyncGenerator[str, None]:
        """Yield an event with the progress whenever it has changed, and a last one when it is over.

        on_query: called after each query.
        """
        changes = self._reads.changes(id, partial(self._query, id), lambda shown: shown.is_over, on_query)
        async with aclosing(changes):
            async for shown in changes:
                yield COMMENT if shown is None else shown.text
        yield event("over", {})

    def _query(self, id: int, _before: _Shown | None) -> _Shown:
        state = self.state(HandIns(self._store).find(id))
        return _Shown(event("progress", str(progress(state))), state.is_over)
