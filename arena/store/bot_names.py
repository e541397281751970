"""Queries by the names under which bots are shown (see `arena.store.versioned_names`)."""

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Select, and_, false, func, literal, or_, select
from sqlalchemy.sql.elements import ColumnElement

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
    """Return the names of the fields of several events for readers: closed accounts have pseudonyms."""
    closed = load_closed_names(connection)
    return {event: list(map(closed.bot, names)) for event, names in names_by_event(connection, keys).items()}


def all_names(connection: Connection) -> list[str]:
    """Return the names under which readers see the bots in the database, sorted."""
    older = names_by_event(connection, set(connection.scalars(_older(None))))
    closed = load_closed_names(connection)
    names = chain(_stored_names(connection, older), *older.values())
    return sorted(set(map(closed.bot, names)))


def _stored_names(connection: Connection, left_out: Collection[int]) -> Iterator[str]:
    """Yield the names of all entrants, each once. left_out: events that do not count.

    Leagues have millions of entrants with thousands of names, so that SQLite looks for each next one in the index.
    """
    if connection.dialect.name != "sqlite":
        yield from connection.scalars(select(entrants.c.name).where(entrants.c.event_id.not_in(left_out)).distinct())
        return
    first = select(func.min(entrants.c.name).label("name")).cte("found", recursive=True)
    following = select(func.min(entrants.c.name)).where(entrants.c.name > first.c.name).scalar_subquery()
    found = first.union_all(select(following).where(first.c.name.is_not(None)))
    names = list(connection.scalars(select(found.c.name).where(found.c.name.is_not(None))))
    if not left_out:
        yield from names
        return
    others = entrants.c.event_id.not_in(left_out)
    for name in names:
        if connection.scalar(select(entrants.c.place).where(entrants.c.name == name, others).limit(1)) is not None:
            yield name


def played_as(connection: Connection, bot: str, table: Any = entrants) -> ColumnElement[bool]:
    """Return the condition that an entrant is meant by a name, as in `is_version_of`.

    A bot of a closed account is meant by its pseudonym alone, so that nobody learns from its name what it has played.

    table: of entrants, or an alias of it.
    """
    closed = load_closed_names(connection)
    return false() if closed.hides(bot) else _stored_as(connection, closed.stored(bot), table)


def _stored_as(connection: Connection, bot: str, table: Any) -> ColumnElement[bool]:
    """Return the condition that an entrant is meant by a name that is stored."""
    if connection.dialect.name == "sqlite":  # text is compared by its bytes, and "A" follows "@"
        has_version = (table.c.name > f"{bot}@") & (table.c.name < f"{bot}A")
    else:
        has_version = table.c.name.startswith(f"{bot}@", autoescape=True)
    condition: ColumnElement[bool] = (table.c.name == bot) | has_version
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
    """Return the query for the tournaments in which a submission is stored without its version.

    base: the name of the submission; None: any.
    """
    submission = literal('"submission":"') + entrants.c.name + "@"
    tournaments = select(events.c.id).where(events.c.tournament > 0)  # few, beside the batches of leagues
    query = select(entrants.c.event_id).join(events, events.c.id == entrants.c.event_id)
    query = query.where(
        entrants.c.event_id.in_(tournaments),
        entrants.c.name.not_like("%@%"),
        events.c.definition.contains(submission),
    )
    return query if base is None else query.where(entrants.c.name == base)
