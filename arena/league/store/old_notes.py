"""Deletes the notes and the output of bots in batches that ended long ago."""

from time import monotonic

from sqlalchemy import delete, exists, select

from arena.store import Store
from arena.store.engine.backoff import back_off
from arena.store.engine.schema import batches, events, notes, outputs


def drop_notes(store: Store, league: int, before: str, after: int) -> int | None:
    """Delete the notes and the output of bots in the first batch that has any; return its number, None if none has.

    before: a moment, UTC, ISO 8601: only batches that ended earlier.
    after: only those with higher numbers.
    """
    last = events.c.first_match + events.c.matches - 1
    has_notes = exists().where(notes.c.match_id.between(events.c.first_match, last))
    has_output = exists().where(outputs.c.event_id == events.c.id)
    query = select(batches.c.number, events.c.id, events.c.first_match, last.label("last_match"))
    query = query.join_from(batches, events, events.c.id == batches.c.event_id).where(
        batches.c.league_id == league,
        batches.c.number > after,
        batches.c.state == "stored",
        batches.c.ended < before,
        has_notes | has_output,
    )
    with store.read() as connection:
        batch = connection.execute(query.order_by(batches.c.number).limit(1)).first()
    if batch is None:
        return None
    began = monotonic()
    with store.write() as connection:
        connection.execute(delete(notes).where(notes.c.match_id.between(batch.first_match, batch.last_match)))
        connection.execute(delete(outputs).where(outputs.c.event_id == batch.id))
    back_off(began)
    return int(batch.number)
