"""Batches that are not over, and those of them that are not played any more: dropped in the transactions of others."""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, select, update

from arena.store.batch_queries import is_batch, is_open
from arena.store.league_log import lock_league
from arena.store.rows import utc_now
from arena.store.schema import batches


def void_left(connection: Connection, league: int, now: int) -> None:
    """Make void what waits, and what nobody plays any more. The caller holds the lock. now: as in `lease`."""
    _void(connection, _is_left(league, now))


def drop_waiting(connection: Connection, league: int) -> None:
    """Make void what waits, but for trials, as a season ends. The caller holds the lock."""
    waits = (batches.c.league_id == league) & (batches.c.state == "waiting") & (batches.c.kind != "trial")
    _void(connection, waits)


def is_under_way(connection: Connection, league: int) -> bool:
    """Return whether a batch of a league is not over: it waits, is played, or is void and its entries are not tried."""
    is_untried = (batches.c.state == "void") & batches.c.ended.is_(None)
    query = select(batches.c.number).where(batches.c.league_id == league, is_open() | is_untried).limit(1)
    return connection.scalar(query) is not None


def void_batches_of(connection: Connection, league: int, left: Collection[int], now: int) -> None:
    """Make void what waits, and what nobody plays any more, if it has entries that have left. now: as in `lease`."""
    lock_league(connection, league)
    query = select(batches.c.number, batches.c.entries).where(_is_left(league, now))
    for number, entries in connection.execute(query).all():
        if not set(left).isdisjoint(json.loads(entries)):
            _void(connection, is_batch(league, number))


def _is_left(league: int, now: int) -> Any:
    """Return the condition that a batch waits, or that nobody plays it any more."""
    is_expired = (batches.c.state == "leased") & (batches.c.lease_until <= now)
    return (batches.c.league_id == league) & ((batches.c.state == "waiting") | is_expired)


def _void(connection: Connection, which: Any) -> None:
    """Make batches void from which nothing follows for their entries."""
    connection.execute(update(batches).where(which).values(state="void", ended=utc_now()))
