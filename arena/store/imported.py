"""Tournaments that were played elsewhere, as they are taken in."""

from sqlalchemy import Connection, insert, select

from arena.store import decision_log, row_saving
from arena.store.rows import MatchRow, NewTournament
from arena.store.schema import events, voids


def find_imported(connection: Connection, new: NewTournament, created: str) -> tuple[int, int] | None:
    """Return the number and the key of a tournament that is here already; None of one that is not.

    created: when it began; "" where that is not known, so that it cannot be told from another one.
    """
    if not created:
        return None
    same = (
        events.c.tournament.is_not(None)
        & (events.c.definition_hash == new.definition_hash)
        & (events.c.secret_hash == new.secret_hash)
        & (events.c.created == created)
        & (events.c.matches == new.matches)
    )
    found = connection.execute(select(events.c.tournament, events.c.id).where(same).order_by(events.c.id)).first()
    return None if found is None else (found.tournament, found.id)


def add_void_match(connection: Connection, event: int, action: int, row: MatchRow) -> None:
    """Add a match that the entry `action` of the log made void, unless it is there."""
    there = select(voids.c.match_id).where(voids.c.event_id == event, voids.c.action == action)
    if connection.scalar(there) is not None:
        return
    away = decision_log.free_id(connection)
    row_saving.add_matches(connection, event, away - row.number, [row])
    connection.execute(insert(voids).values(event_id=event, action=action, match_id=away))
