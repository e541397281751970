"""Leagues and hand-ins as server-sent events: each event has the whole state, so that none has to be repeated."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import msgspec
import trio
from msgspec import Struct
from starlette.responses import Response

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.server.api.hand_in_values import HandInValue, hand_in_value
from arena.server.api.league_values import LeagueProgress
from arena.server.live.event_streams import COMMENT, EventStream, StreamCounter
from arena.server.live.shared_reads import SharedReads
from arena.store import Store

PAUSE = 1.0
"""Seconds between two queries of the database about the same league or hand-in, for any number of streams."""


class Feeds:
    """Event streams.

    streams: counts the open streams.
    places: where hand-ins are in the queue.
    """

    def __init__(self, store: Store, streams: StreamCounter, places: HandInPlaces) -> None:
        self._store = store
        self._streams = streams
        self._places = places
        self._reads = SharedReads[str | int, Struct](PAUSE)

    async def league(self, name: str) -> Response:
        """Return the stream of a league that whoever asks may see, which never ends. Raises NoSuchRow."""
        return await self._stream("league", name, lambda: self._league(name), _is_closed)

    async def hand_in(self, number: int) -> Response:
        """Return the stream of a hand-in until it is finished and entered. Raises NoSuchRow."""
        return await self._stream("hand-in", number, lambda: self._hand_in(number), _is_over)

    async def _stream(
        self, name: str, key: str | int, query: Callable[[], Struct], is_over: Callable[[Struct], bool]
    ) -> Response:
        # What does not exist is said before the stream begins.
        await trio.to_thread.run_sync(query, limiter=self._reads.threads)
        return EventStream(self._events(name, key, query, is_over), self._streams)

    async def _events(
        self, name: str, key: str | int, query: Callable[[], Struct], is_over: Callable[[Struct], bool]
    ) -> AsyncGenerator[str, None]:
        changes = self._reads.changes(key, lambda _: query(), is_over)
        async with aclosing(changes):
            async for state in changes:
                yield COMMENT if state is None else f"event: {name}\ndata: {msgspec.json.encode(state).decode()}\n\n"

    def _league(self, name: str) -> LeagueProgress:
        with self._store.snapshot():
            row = Leagues(self._store).named(name, practice=True)
            unplayed = Batches(self._store).unplayed(row.id)
            decisions = Leagues(self._store).log_length(row.id)
        waiting = sum(batch.state == "waiting" for batch in unplayed)
        return LeagueProgress(row.name, row.state, row.results, decisions, waiting, len(unplayed) - waiting)

    def _hand_in(self, number: int) -> HandInValue:
        return hand_in_value(self._store, HandIns(self._store).find(number), self._places)


def _is_closed(value: Struct) -> bool:
    return isinstance(value, LeagueProgress) and value.state == "closed" and not value.playing


def _is_over(value: Struct) -> bool:
    return isinstance(value, HandInValue) and value.is_finished and not value.awaited
