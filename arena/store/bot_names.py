"""Queries by the names under which bots are shown (see `arena.store.versioned_names`)."""

import json
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Select, and_, literal, or_, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.batch_names import batches_by_event, is_of_batch
from arena.store.closed_names import load_closed_names
from arena.store.schema import actions, entrants, events
from arena.store.versioned_names import base_name, is_version_of, versioned_names


def names_of(connection: Connection, event: int, definition: Mapping[str, Any]) -> list[str]:
    """Return the names of the field of an event, those of late entrants last."""
    stored = select(entrants.c.name).where(entrants.c.event_id == event).order_by(entrants.c.place)
    names = list(connection.scalars(stored))
    field = [bot.get("submission", "") for bot in definition.get("field", ())]
    if len(names) > len(field):
        entries = select(actions.c.details).where(actions.c.event_id == event, actions.c.kind == "enter")
        late = connection.scalars(entries.order_by(actions.c.number))
        field += [json.loads(details)["bot"].get("submission", "") for details in late]
    field += [""] * (len(names) - len(field))  # the oldest definitions name nobody
    return versioned_names(zip(names, field, strict=False))


def names_by_event(connection: Connection, keys: Collection[int]) -> dict[int, list[str]]:
    """Return the names of the fields of several events."""
    query = select(events.c.id, events.c.definition).where(events.c.id.in_(keys))
    return {row.id: names_of(connection, row.id, json.loads(row.definition)) for row in connection.execute(query)}


def shown_names_by_event(connection: Connection, keys: Collection[int]) -> dict[int, list[str]]:
    """Return the names of the fields of several events for readers; in leagues closed accounts have pseudonyms."""
    names, closed = names_by_event(connection, keys), load_closed_names(connection)
    return names | {event: list(map(closed.bot, names[event])) for event in batches_by_event(connection, keys)}


def all_names(connection: Connection) -> list[str]:
    """Return the names of all bots in the database, sorted; those of closed accounts as leagues show them, too."""
    older = names_by_event(connection, set(connection.scalars(_older(None))))
    is_batch = is_of_batch(entrants.c.event_id)
    query = select(entrants.c.name, is_batch.label("is_batch")).where(entrants.c.event_id.not_in(older)).distinct()
    stored = [(row.name, row.is_batch) for row in connection.execute(query)]
    in_leagues = batches_by_event(connection, older)
    closed = load_closed_names(connection)
    named = chain(stored, ((name, event in in_leagues) for event, names in older.items() for name in names))
    return sorted({closed.bot(name) if is_batch else name for name, is_batch in named})


def played_as(connection: Connection, bot: str, table: Any = entrants) -> ColumnElement[bool]:
    """Return the condition that an entrant is meant by a name, as in `is_version_of`.

    A bot of a closed account is meant by its pseudonym in leagues alone, and by its name elsewhere, so that nobody
    learns from one which the other is.

    table: of entrants, or an alias of it.
    """
    closed = load_closed_names(connection)
    stored = closed.stored(bot)
    meant = _stored_as(connection, stored, table)
    if stored != bot:
        return meant & is_of_batch(table.c.event_id)
    return meant & ~is_of_batch(table.c.event_id) if closed.bot(bot) != bot else meant


def _stored_as(connection: Connection, bot: str, table: Any) -> ColumnElement[bool]:
    """Return the condition that an entrant is meant by a name that is stored."""
    condition: ColumnElement[bool] = (table.c.name == bot) | table.c.name.startswith(f"{bot}@", autoescape=True)
    older = names_by_event(connection, set(connection.scalars(_older(base_name(bot)))))
    if not older:
        return condition
    meant = [
        (table.c.event_id == event)
        & table.c.place.in_([place for place, name in enumerate(names) if is_version_of(name, bot)])
        for event, names in older.items()
    ]
    return or_(and_(condition, table.c.event_id.not_in(older)), *meant)


def _older(base: str | None) -> Select[tuple[int]]:
    """Return the query for the events in which a submission is stored without its version.

    base: the name of the submission; None: any.
    """
    submission = literal('"submission":"') + entrants.c.name + "@"
    query = select(entrants.c.event_id).join(events, events.c.id == entrants.c.event_id)
    query = query.where(entrants.c.name.not_like("%@%"), events.c.definition.contains(submission))
    return query if base is None else query.where(entrants.c.name == base)
