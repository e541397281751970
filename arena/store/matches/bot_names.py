"""Queries by the names under which bots are shown (see `arena.values.versioned_names`)."""

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Connection, false, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.schema import entrants, entries, events, leagues
from arena.store.matches import practice_ids
from arena.store.people.closed_names import load_closed_names


def names_by_event(connection: Connection, keys: Collection[int]) -> dict[int, list[str]]:
    """Return the names of the fields of several events, those of late entrants last."""
    query = select(entrants.c.event_id, entrants.c.name).where(entrants.c.event_id.in_(keys))
    names: dict[int, list[str]] = {key: [] for key in keys}
    for event, name in connection.execute(query.order_by(entrants.c.event_id, entrants.c.place)):
        names[event].append(name)
    return names


def shown_names_by_event(connection: Connection, keys: Collection[int]) -> dict[int, list[str]]:
    """Return the names of the fields of several events for readers: closed accounts have pseudonyms."""
    closed = load_closed_names(connection)
    return {event: list(map(closed.bot, names)) for event, names in names_by_event(connection, keys).items()}


def all_names(connection: Connection) -> list[str]:
    """Return the names under which readers see the bots in the database, sorted; none that has only practised."""
    names = set(_stored_names(connection)) - set(_practising(connection))
    return sorted(set(map(load_closed_names(connection).bot, names)))


def _practising(connection: Connection) -> Iterator[str]:
    """Yield the names of bots that have played in practice leagues alone."""
    of_practice = select(entries.c.name).join_from(entries, leagues, leagues.c.id == entries.c.league_id)
    for name in connection.scalars(of_practice.where(leagues.c.owner.is_not(None)).distinct()).all():
        played = select(entrants.c.name).join_from(entrants, events, events.c.id == entrants.c.event_id)
        played = played.where(entrants.c.name == name, events.c.first_match < practice_ids.FIRST)
        if connection.execute(played.limit(1)).first() is None:
            yield name


def _stored_names(connection: Connection) -> Iterator[str]:
    """Yield the names of all entrants, each once.

    Leagues have millions of entrants with thousands of names, so that SQLite looks for each next one in the index.
    """
    if connection.dialect.name != "sqlite":
        yield from connection.scalars(select(entrants.c.name).distinct())
        return
    first = select(func.min(entrants.c.name).label("name")).cte("found", recursive=True)
    following = select(func.min(entrants.c.name)).where(entrants.c.name > first.c.name).scalar_subquery()
    found = first.union_all(select(following).where(first.c.name.is_not(None)))
    yield from connection.scalars(select(found.c.name).where(found.c.name.is_not(None)))


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
    return condition
