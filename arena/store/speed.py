"""The speed of earlier tournaments, to estimate how long another one takes."""

import json
from datetime import datetime

from sqlalchemy import Connection, func, select

from arena.store import summaries
from arena.store.match_filter import IdRange
from arena.store.rows import SpeedRow
from arena.store.schema import events, matches, seats
from arena.store.stored_definition import StoredDefinition


def load_speed(connection: Connection, game: str, places: int, most: int) -> SpeedRow | None:
    """Return how fast the last tournament of a game was that was finished at tables of so many places, if any.

    most: as `Reader.tournament_speed` has it.
    """
    wanted = (
        select(events)
        .where(events.c.tournament.is_not(None), events.c.game == game, events.c.finished.is_not(None))
        .order_by(events.c.id.desc())
    )
    for event in connection.execute(wanted):
        definition = StoredDefinition(json.loads(event.definition))
        if definition.seats == places:
            span = IdRange(event.id, event.first_match, event.matches)
            seconds = (datetime.fromisoformat(event.finished) - datetime.fromisoformat(event.created)).total_seconds()
            return _pace(connection, span, seconds, definition.matches_at_once, most)
    return None


def _pace(connection: Connection, span: IdRange, seconds: float, at_once: int, most: int) -> SpeedRow | None:
    count = summaries.count_stored(connection, span)
    if not count:
        return None
    if count > most:
        return SpeedRow(count, seconds)
    phases = select(func.count(), func.sum(matches.c.duration_ms)).where(span.holds()).group_by(matches.c.phase)
    playing = sum(int(total) / min(number, at_once) for number, total in connection.execute(phases))
    players = (
        select(matches.c.phase, seats.c.player)
        .join_from(matches, seats, seats.c.match_id == matches.c.id)
        .where(span.holds())
        .distinct()
    )
    starts = connection.scalar(select(func.count()).select_from(players.subquery())) or 1
    return SpeedRow(count, seconds, playing / 1000, starts)
