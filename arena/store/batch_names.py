"""Which events are batches of leagues."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, select

from arena.store.schema import batches, leagues


def is_of_batch(event: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an event is a batch. event: its column."""
    return event.in_(select(batches.c.event_id))


def batches_by_event(connection: Connection, keys: Collection[int]) -> dict[int, tuple[str, int]]:
    """Return the name of the league and the number there of each of these events that is a batch."""
    query = select(batches.c.event_id, leagues.c.name, batches.c.number)
    query = query.join_from(batches, leagues, leagues.c.id == batches.c.league_id).where(batches.c.event_id.in_(keys))
    return {row.event_id: (row.name, row.number) for row in connection.execute(query)}
