"""The append-only log of a tournament."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from arena.store.engine.row_map import DETAILS, RowMap
from arena.store.engine.schema import actions, events, faults, matches, notes, says, seats, unsummarised, voids
from arena.values.rows import DecisionRow

_DECISION = RowMap(DecisionRow, actions, details=DETAILS)

MOST_AT_ONCE = 500
"""Matches that are moved by one statement: databases bound the parameters of one."""


def entries(connection: Connection, event: int) -> list[DecisionRow]:
    """Return the log of a tournament, the oldest entry first."""
    log = select(*_DECISION.columns).where(actions.c.event_id == event).order_by(actions.c.number)
    return list(map(_DECISION.load, connection.execute(log)))


def length(connection: Connection, event: int) -> int:
    """Return the number of entries of a log."""
    return connection.scalar(select(func.max(actions.c.number)).where(actions.c.event_id == event)) or 0


def append(
    connection: Connection, event: int, who: str, kind: str, details: dict[str, Any], reason: str
) -> DecisionRow:
    """Append an entry; the caller's transaction holds the write lock."""
    return append_all(connection, event, who, [(kind, details)], reason)[0]


def append_all(
    connection: Connection, event: int, who: str, decisions: Sequence[tuple[str, dict[str, Any]]], reason: str = ""
) -> list[DecisionRow]:
    """Append entries, each a kind and its details; the caller's transaction holds the write lock."""
    last = select(actions.c.number, actions.c.digest).where(actions.c.event_id == event)
    previous = connection.execute(last.order_by(actions.c.number.desc()).limit(1)).first()
    if previous is None:
        digest = connection.scalar(select(events.c.definition_hash).where(events.c.id == event)) or ""
        number = 0
    else:
        digest, number = previous.digest, previous.number
    rows: list[DecisionRow] = []
    for kind, details in decisions:
        number += 1
        rows.append(DecisionRow.chained(digest, number, who, kind, details, reason))
        digest = rows[-1].digest
    connection.execute(insert(actions), [{"event_id": event, **_DECISION.values(row)} for row in rows])
    note_end(connection, event, rows[-1])
    return rows


def note_end(connection: Connection, event: int, last: DecisionRow) -> None:
    """Note beside a log which is its last entry."""
    end = {"log_entries": last.number, "log_digest": last.digest}
    connection.execute(update(events).where(events.c.id == event).values(end))


def insert_entry(connection: Connection, event: int, row: DecisionRow) -> None:
    """Insert an entry with its number and digest."""
    connection.execute(insert(actions).values(event_id=event, **_DECISION.values(row)))


def free_id(connection: Connection) -> int:
    """Return an unused negative match id, which is outside the id range of every tournament."""
    return min(connection.scalar(select(func.min(matches.c.id))) or 0, 0) - 1


def void_matches(connection: Connection, event: int, voided: Mapping[int, int]) -> None:
    """Move unsummarised matches to negative ids, so that their own ids are free to be played again.

    voided: by the id of each match, the number of the log entry that made it void.
    """
    free = free_id(connection)
    void_ids = {match: free - place for place, match in enumerate(voided)}
    ids = list(voided)
    for first in range(0, len(ids), MOST_AT_ONCE):
        part = ids[first : first + MOST_AT_ONCE]
        rows = connection.execute(select(matches).where(matches.c.id.in_(part))).all()
        connection.execute(insert(matches), [{**row._mapping, "id": void_ids[row.id]} for row in rows])
        moves = [{"old": match, "new": void_ids[match]} for match in part]
        for table in (seats, faults, notes, says):
            of_match = table.c.match_id == bindparam("old")
            connection.execute(update(table).where(of_match).values(match_id=bindparam("new")), moves)
        connection.execute(delete(unsummarised).where(unsummarised.c.match_id.in_(part)))
        connection.execute(delete(matches).where(matches.c.id.in_(part)))
        values = [{"event_id": event, "action": voided[match], "match_id": void_ids[match]} for match in part]
        connection.execute(insert(voids), values)
