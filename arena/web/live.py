"""A tournament under way, as server-sent events: how far it is, and the matches that ended last."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
from anyio.to_thread import run_sync

from arena.store import Store
from arena.store.rows import Listed
from referee.engine.registry import in_units

PAUSE = 1.0
"""Seconds between two looks at the database."""

SHOWN = 10
"""How many of the newest matches are told of at once."""


async def events(store: Store, tournament: int, looked: Callable[[], Any] = lambda: None) -> AsyncIterator[str]:
    """Yield an event whenever there are more matches, and a last one when all are stored.

    looked: called after each look at the database.
    """
    told = -1
    while True:
        frame = await run_sync(store.tournament, tournament)
        count = await run_sync(store.count, tournament)
        over = frame.finished is not None
        if count != told or over:
            newest = await run_sync(lambda: store.matches(tournament=tournament, limit=SHOWN))
            yield event("progress", {"stored": count, "planned": frame.matches, "newest": list(map(line, newest))})
            told = count
        looked()
        if over:
            yield event("over", {})
            return
        await anyio.sleep(PAUSE)


def event(name: str, value: Any) -> str:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


def line(match: Listed) -> dict[str, Any]:
    """Return a match of a list as JSON values."""
    return {
        "id": match.id,
        "deal": match.deal,
        "players": match.players,
        "scores": [in_units(match.game, score) for score in match.scores],
        "ranks": match.ranks,
        "faults": match.blamed(),
    }
