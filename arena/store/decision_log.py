"""The append-only log of a tournament."""

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from arena.store.rows import DecisionRow, utc_now
from arena.store.schema import actions, events, faults, matches, notes, says, seats, unsummarised, voids
from arena.store.stored_definition import definition_text


def entries(connection: Connection, event: int) -> list[DecisionRow]:
    """Return the log of a tournament, the oldest entry first."""
    rows = connection.execute(select(actions).where(actions.c.event_id == event).order_by(actions.c.number))
    return [
        DecisionRow(row.number, row.created, row.who, row.kind, json.loads(row.details), row.reason, row.digest)
        for row in rows
    ]


def length(connection: Connection, event: int) -> int:
    """Return the number of entries of a log."""
    return connection.scalar(select(func.max(actions.c.number)).where(actions.c.event_id == event)) or 0


def append(
    connection: Connection, event: int, who: str, kind: str, details: dict[str, Any], reason: str
) -> DecisionRow:
    """Append an entry; the caller's transaction holds the write lock."""
    last = select(actions.c.number, actions.c.digest).where(actions.c.event_id == event)
    previous = connection.execute(last.order_by(actions.c.number.desc()).limit(1)).first()
    if previous is None:
        digest = connection.scalar(select(events.c.definition_hash).where(events.c.id == event)) or ""
        number = 1
    else:
        digest, number = previous.digest, previous.number + 1
    row = DecisionRow(number, utc_now(), who, kind, details, reason, "")
    row = replace(row, digest=row.chained_digest(digest))
    insert_entry(connection, event, row)
    return row


def insert_entry(connection: Connection, event: int, row: DecisionRow) -> None:
    """Insert an entry with its number and digest."""
    values = {
        "number": row.number,
        "created": row.created,
        "who": row.who,
        "kind": row.kind,
        "details": definition_text(row.details),
        "reason": row.reason,
        "digest": row.digest,
    }
    connection.execute(insert(actions).values(event_id=event, **values))


def free_id(connection: Connection) -> int:
    """Return an unused negative match id, which is outside the id range of every tournament."""
    return min(connection.scalar(select(func.min(matches.c.id))) or 0, 0) - 1


def void_match(connection: Connection, event: int, match: int, action: int) -> None:
    """Move an unsummarised match to a negative id, so that its own id is free to be played again.

    action: the number of the log entry that made it void.
    """
    void_id = free_id(connection)
    row = connection.execute(select(matches).where(matches.c.id == match)).one()
    connection.execute(insert(matches).values(**{**row._mapping, "id": void_id}))
    for table in (seats, faults, notes, says):
        connection.execute(update(table).where(table.c.match_id == match).values(match_id=void_id))
    connection.execute(delete(unsummarised).where(unsummarised.c.match_id == match))
    connection.execute(delete(matches).where(matches.c.id == match))
    connection.execute(insert(voids).values(event_id=event, action=action, match_id=void_id))
