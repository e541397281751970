"""Batches that are not over, and those of them that are not played any more: dropped in the transactions of others.

now: as in `Batches.lease`; None for a decision that is made at once, by somebody who cannot know whether the machine
has stood still or its clock was set: of a runner on this machine it then counts whether it lives, not what its lease
says.
"""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, select, update

from arena.league.store.batch_queries import is_batch, is_open
from arena.league.store.league_log import lock_league
from arena.store.engine.schema import batches
from arena.store.engine.worker_name import is_alive
from arena.values.rows import now_ms, utc_now


def void_left(connection: Connection, league: int, now: int | None = None) -> None:
    """Make void what waits, and what nobody plays any more. The caller holds the lock."""
    for number, _ in _left(connection, league, now):
        _void(connection, is_batch(league, number))


def drop_waiting(connection: Connection, league: int) -> None:
    """Make void what waits, but for trials, as a season ends. The caller holds the lock."""
    waits = (batches.c.league_id == league) & (batches.c.state == "waiting") & (batches.c.kind != "trial")
    _void(connection, waits)


def is_under_way(connection: Connection, league: int) -> bool:
    """Return whether a batch of a league is not over: it waits, is played, or is void and its entries are not tried."""
    is_untried = (batches.c.state == "void") & batches.c.ended.is_(None)
    query = select(batches.c.number).where(batches.c.league_id == league, is_open() | is_untried).limit(1)
    return connection.scalar(query) is not None


def void_batches_of(connection: Connection, league: int, left: Collection[int], now: int | None = None) -> None:
    """Make void what waits, and what nobody plays any more, if it has entries that have left."""
    lock_league(connection, league)
    for number, entries in _left(connection, league, now):
        if not set(left).isdisjoint(json.loads(entries)):
            _void(connection, is_batch(league, number))


def _left(connection: Connection, league: int, now: int | None) -> list[tuple[int, str]]:
    """Return the numbers and the entries of the batches that wait, and of those that nobody plays any more."""
    columns = batches.c["number", "entries", "state", "runner", "lease_until"]
    query = select(*columns).where((batches.c.league_id == league) & is_open()).with_for_update()
    rows = connection.execute(query).all()
    return [(row.number, row.entries) for row in rows if row.state == "waiting" or _is_left(row, now)]


def _is_left(row: Row[Any, Any, Any, Any, Any], now: int | None) -> bool:
    """Return whether nobody plays a leased batch any more."""
    if now is None and (lives := is_alive(row.runner)) is not None:
        return not lives
    return bool(row.lease_until <= (now_ms() if now is None else now))


def _void(connection: Connection, which: Any) -> None:
    """Make batches void from which nothing follows for their entries."""
    connection.execute(update(batches).where(which).values(state="void", ended=utc_now()))
