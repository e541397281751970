"""The outbox: every event that listeners may read, written in the transaction of what happened.

So an event is stored exactly if what it tells is, and a kill at any moment loses none. Whoever listens keeps a cursor
under a name of its own, and moves it in the transaction of what it makes of the events: so each counts once, and what
fails there changes nothing here.

Ids are given in order, but on a PostgreSQL server transactions end in any order: an id may appear below a cursor. So
a cursor keeps the ids that it has passed without seeing them, and looks for these for a day (`GAPS_FOR`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from arena.store.engine.schema import outbox, outbox_cursors
from arena.values.rows import now_ms, utc_now

KEPT_FOR = timedelta(days=30)
"""An event is kept until every listener has read it, for this long at most: then the listener is forgotten, and
begins again."""

GAPS_FOR = timedelta(days=1)
"""For so long an id that was passed without being seen may still appear: no transaction lasts longer."""

PRUNE_EVERY = 100
"""Events, after which old ones are deleted."""


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """Something that happened, for listeners."""

    id: int
    kind: str
    """What happened, such as `"hand_in.checked"`."""
    account: str
    """The account that it concerns."""
    data: dict[str, Any]
    """The details, as JSON values."""
    created: str
    """When it happened, UTC, ISO 8601."""


class Gap(NamedTuple):
    """Ids that a cursor has passed without seeing them."""

    first: int
    last: int
    since: int
    """When the cursor passed them, in milliseconds since 1970, UTC."""


def add_event(connection: Connection, kind: str, account: str, data: dict[str, Any]) -> None:
    """Write an event, in the transaction of what happened."""
    values = {"kind": kind, "account": account, "data": json.dumps(data), "created": utc_now()}
    added = connection.execute(insert(outbox).values(values)).inserted_primary_key
    if added is not None and added[0] % PRUNE_EVERY == 0:
        prune(connection)


def listen(connection: Connection, name: str) -> None:
    """Begin to listen for whatever happens from now on; a listener that is known stays where it is."""
    if connection.scalar(select(outbox_cursors.c.name).where(outbox_cursors.c.name == name)) is None:
        position = connection.scalar(select(func.max(outbox.c.id))) or 0
        connection.execute(insert(outbox_cursors).values(name=name, position=position, gaps="[]"))


def has_events(connection: Connection, name: str) -> bool:
    """Return whether there are events that a listener has not read."""
    row = connection.execute(select(outbox_cursors).where(outbox_cursors.c.name == name)).first()
    if row is None:
        return False
    unread = _is_unread(row.position, _gaps(row.gaps))
    return connection.scalar(select(outbox.c.id).where(unread).limit(1)) is not None


def read_events(connection: Connection, name: str, limit: int = 500) -> list[OutboxEvent] | None:
    """Return the next events for a listener, and move its cursor, in the transaction of what it makes of them.

    Returns None if it is not known: it never listened, or did not read for `KEPT_FOR`.
    """
    cursor = connection.execute(select(outbox_cursors).where(outbox_cursors.c.name == name).with_for_update()).first()
    if cursor is None:
        return None
    now = now_ms()
    oldest = now - round(GAPS_FOR.total_seconds() * 1000)
    gaps = [gap for gap in _gaps(cursor.gaps) if gap.since >= oldest]
    query = select(outbox).where(_is_unread(cursor.position, gaps)).order_by(outbox.c.id).limit(limit)
    rows = connection.execute(query).all()
    position = cursor.position
    for row in rows:
        if row.id <= position:
            gaps = _without(gaps, row.id)
            continue
        if row.id > position + 1:
            gaps.append(Gap(position + 1, row.id - 1, now))
        position = row.id
    values = {"position": position, "gaps": json.dumps(gaps)}
    if rows or values["gaps"] != cursor.gaps:
        connection.execute(update(outbox_cursors).where(outbox_cursors.c.name == name).values(values))
    if position // PRUNE_EVERY > cursor.position // PRUNE_EVERY:
        prune(connection)
    return [OutboxEvent(row.id, row.kind, row.account, json.loads(row.data), row.created) for row in rows]


def prune(connection: Connection) -> None:
    """Delete the events that every listener has read, those older than `KEPT_FOR`, and listeners that missed these.

    What another transaction is about to delete is left to it.
    """
    limit = (datetime.now(UTC) - KEPT_FOR).isoformat(timespec="seconds")
    last_old = connection.scalar(select(func.max(outbox.c.id)).where(outbox.c.created < limit)) or 0
    lapsed = select(outbox_cursors.c.name).where(outbox_cursors.c.position < last_old).with_for_update(skip_locked=True)
    connection.execute(delete(outbox_cursors).where(outbox_cursors.c.name.in_(list(connection.scalars(lapsed)))))
    cursors = connection.execute(select(outbox_cursors)).all()
    unread = [min([row.position + 1, *(gap.first for gap in _gaps(row.gaps))]) for row in cursors]
    is_read = (outbox.c.id <= last_old) | (outbox.c.id < min(unread) if unread else outbox.c.id.is_not(None))
    old = select(outbox.c.id).where(is_read).with_for_update(skip_locked=True)
    connection.execute(delete(outbox).where(outbox.c.id.in_(old)))


def _gaps(text: str) -> list[Gap]:
    return [Gap(*values) for values in json.loads(text)]


def _is_unread(position: int, gaps: Sequence[Gap]) -> ColumnElement[bool]:
    return or_(outbox.c.id > position, *(outbox.c.id.between(gap.first, gap.last) for gap in gaps))


def _without(gaps: Sequence[Gap], id: int) -> list[Gap]:
    """Return gaps in which an id is missing that has appeared."""
    parts = []
    for gap in gaps:
        split = [gap._replace(last=id - 1), gap._replace(first=id + 1)] if gap.first <= id <= gap.last else [gap]
        parts += [part for part in split if part.first <= part.last]
    return parts
