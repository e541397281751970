"""The log of a tournament: entries that are added and never changed."""

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from arena.store.rows import DecisionRow, utc_now
from arena.store.schema import actions, events, faults, loose, matches, notes, says, seats, voids
from arena.store.stored_definition import definition_text


def entries(connection: Connection, event: int) -> list[DecisionRow]:
    """Return the log of a tournament, the oldest entry first."""
    found = connection.execute(select(actions).where(actions.c.event_id == event).order_by(actions.c.number))
    return [
        DecisionRow(row.number, row.created, row.who, row.kind, json.loads(row.details), row.reason, row.digest)
        for row in found
    ]


def length(connection: Connection, event: int) -> int:
    """Return the number of its entries."""
    return connection.scalar(select(func.max(actions.c.number)).where(actions.c.event_id == event)) or 0


def append(
    connection: Connection, event: int, who: str, kind: str, details: dict[str, Any], reason: str
) -> DecisionRow:
    """Add an entry; the caller's transaction holds the write lock."""
    last = select(actions.c.number, actions.c.digest).where(actions.c.event_id == event)
    before = connection.execute(last.order_by(actions.c.number.desc()).limit(1)).first()
    if before is None:
        start = connection.scalar(select(events.c.definition_hash).where(events.c.id == event)) or ""
        number = 1
    else:
        start, number = before.digest, before.number + 1
    row = DecisionRow(number, utc_now(), who, kind, details, reason, "")
    row = replace(row, digest=row.chained(start))
    restore(connection, event, row)
    return row


def restore(connection: Connection, event: int, row: DecisionRow) -> None:
    """Write an entry as it is."""
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
    """Return an id for a match that counts nowhere: below 0, where no tournament looks."""
    return min(connection.scalar(select(func.min(matches.c.id))) or 0, 0) - 1


def set_aside(connection: Connection, event: int, match: int, action: int) -> None:
    """Keep a match that is in no summary under an id that counts nowhere, so that its own is free again."""
    away = free_id(connection)
    row = connection.execute(select(matches).where(matches.c.id == match)).one()
    connection.execute(insert(matches).values(**{**row._mapping, "id": away}))
    for table in (seats, faults, notes, says):
        connection.execute(update(table).where(table.c.match_id == match).values(match_id=away))
    connection.execute(delete(loose).where(loose.c.match_id == match))
    connection.execute(delete(matches).where(matches.c.id == match))
    connection.execute(insert(voids).values(event_id=event, action=action, match_id=away))
