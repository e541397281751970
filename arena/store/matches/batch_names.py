"""Which events are batches of leagues."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from arena.store.engine.schema import batches, leagues


def batches_by_event(connection: Connection, keys: Collection[int]) -> dict[int, tuple[str, int]]:
    """Return the name of the league and the number there of each of these events that is a batch."""
    query = select(batches.c.event_id, leagues.c.name, batches.c.number)
    query = query.join_from(batches, leagues, leagues.c.id == batches.c.league_id).where(batches.c.event_id.in_(keys))
    return {row.event_id: (row.name, row.number) for row in connection.execute(query)}
