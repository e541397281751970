"""The logs of leagues, and the lock that everybody holds who changes a league."""

from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.store.engine.row_map import DETAILS, RowMap
from arena.store.engine.schema import league_log, leagues
from arena.values.rows import DecisionRow

DECISION = RowMap(DecisionRow, league_log, details=DETAILS)


def lock_league(connection: Connection, league: int) -> None:
    """Lock a league until the transaction ends; SQLite ignores this, as there a writer locks the whole database."""
    connection.execute(select(leagues.c.id).where(leagues.c.id == league).with_for_update(key_share=True))


def append_to_log(
    connection: Connection, league: int, who: str, kind: str, details: dict[str, Any], reason: str = ""
) -> DecisionRow:
    """Append an entry to the log of a league; the caller's transaction holds the write lock."""
    lock_league(connection, league)
    last = connection.execute(
        select(league_log.c.number, league_log.c.digest)
        .where(league_log.c.league_id == league)
        .order_by(league_log.c.number.desc())
        .limit(1)
    ).first()
    if last is None:
        previous = connection.scalar(select(leagues.c.definition_hash).where(leagues.c.id == league)) or ""
    else:
        previous = last.digest
    row = DecisionRow.chained(previous, 1 if last is None else last.number + 1, who, kind, details, reason)
    connection.execute(insert(league_log).values(league_id=league, **DECISION.values(row)))
    note_end(connection, league, row)
    return row


def note_end(connection: Connection, league: int, last: DecisionRow) -> None:
    """Note beside the log of a league which is its last entry."""
    end = {"log_entries": last.number, "log_digest": last.digest}
    connection.execute(update(leagues).where(leagues.c.id == league).values(end))
