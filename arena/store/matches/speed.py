"""The speed of earlier tournaments, to estimate how long another one takes."""

import json
from datetime import datetime

from sqlalchemy import Connection, func, select

from arena.store.engine.schema import events, matches, seats
from arena.store.matches import summaries
from arena.store.matches.match_filter import IdRange
from arena.values.definition import Definition
from arena.values.rows import SpeedRow


def load_speed(connection: Connection, game: str, seat_count: int, max_matches: int) -> SpeedRow | None:
    """Return the speed of the newest finished tournament of a game at tables of that size; None if there is none.

    max_matches: see `Reader.tournament_speed`.
    """
    query = (
        select(events)
        .where(events.c.tournament.is_not(None), events.c.game == game, events.c.finished.is_not(None))
        .order_by(events.c.id.desc())
    )
    for event in connection.execute(query):
        definition = Definition.read(json.loads(event.definition))
        if definition.seats == seat_count:
            id_range = IdRange(event.id, event.first_match, event.matches)
            seconds = (datetime.fromisoformat(event.finished) - datetime.fromisoformat(event.created)).total_seconds()
            return _measure(connection, id_range, seconds, definition.matches_at_once, max_matches)
    return None


def _measure(
    connection: Connection, id_range: IdRange, seconds: float, matches_at_once: int, max_matches: int
) -> SpeedRow | None:
    count = summaries.count_stored(connection, id_range)
    if not count:
        return None
    if count > max_matches:
        return SpeedRow(count, seconds)
    phases = select(func.count(), func.sum(matches.c.duration_ms)).where(id_range.contains()).group_by(matches.c.phase)
    playing = sum(int(total) / min(number, matches_at_once) for number, total in connection.execute(phases))
    players = (
        select(matches.c.phase, seats.c.player)
        .join_from(matches, seats, seats.c.match_id == matches.c.id)
        .where(id_range.contains())
        .distinct()
    )
    starts = connection.scalar(select(func.count()).select_from(players.subquery())) or 1
    return SpeedRow(count, seconds, playing / 1000, starts)
