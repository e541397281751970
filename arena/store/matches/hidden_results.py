"""Results of leagues that visitors do not see before the season ends: those after the moment at which its board hides.

One bound says what is hidden: the first rated batch that ended at that moment or later, and all after it. It holds for
matches, sums and ratings alike, whatever the clocks of several runners say.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, false, func, or_, select

from arena.store.engine.clock import database_time
from arena.store.engine.schema import batches, matches, seasons
from arena.values.errors import ResultsHidden

LATELY = 50
"""The newest results, of which one that ended late enough tells that some are hidden; clocks of runners differ."""


class HiddenResults(NamedTuple):
    """What visitors do not see of a league."""

    league: int
    since: str
    """From when results are hidden, UTC, ISO 8601; it may be in the future."""
    last: int
    """The place of the last rated batch whose results everybody sees."""


_HIDES = seasons.c.hides.is_not(None) & seasons.c.frozen.is_(None) & seasons.c.ended.is_(None)


def is_hiding(connection: Connection, league: int) -> bool:
    """Return whether results of a league are hidden now."""
    of_league = select(seasons.c.hides).where(_HIDES, seasons.c.league_id == league)
    since = connection.scalar(of_league)
    return since is not None and since <= database_time(connection)


def load_hidden(connection: Connection, known: dict[tuple[int, str], int]) -> tuple[HiddenResults, ...]:
    """Return what is hidden, now or from a moment on, of each league whose season has such a moment and goes on.

    known: the last results that are seen, by league and moment; found ones are added, as they do not change.
    """
    query = select(seasons.c.league_id, seasons.c.hides).where(_HIDES).order_by(seasons.c.league_id)
    rows = connection.execute(query).all()
    return tuple(HiddenResults(*row, _last(connection, *row, known)) for row in rows)


def _last(connection: Connection, league: int, since: str, known: dict[tuple[int, str], int]) -> int:
    if (league, since) in known:
        return known[league, since]
    of_league = (batches.c.league_id == league) & batches.c.result.is_not(None)
    query = select(batches.c.result, batches.c.ended).where(of_league).order_by(batches.c.result.desc())
    newest = connection.execute(query.limit(LATELY)).all()
    if all(row.ended < since for row in newest):
        return newest[0].result if newest else 0
    first = connection.scalar(select(func.min(batches.c.result)).where(of_league, batches.c.ended >= since))
    known[league, since] = (first or 1) - 1
    return known[league, since]


def is_hidden(hidden: Sequence[HiddenResults]) -> ColumnElement[bool]:
    """Return the condition that the results of a batch are hidden."""
    return or_(false(), *map(_is_after, hidden))


def _is_after(bound: HiddenResults) -> ColumnElement[bool]:
    is_rated = batches.c.result.is_not(None) & (batches.c.result > bound.last)
    is_challenge = batches.c.result.is_(None) & (batches.c.state == "stored") & (batches.c.ended >= bound.since)
    return (batches.c.league_id == bound.league) & (is_rated | is_challenge)


def is_shown(hidden: Sequence[HiddenResults], event: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the results of an event are not hidden.

    event: the column with its key.
    """
    return event.not_in(select(batches.c.event_id).where(is_hidden(hidden)))


def check_shown(connection: Connection, hidden: Sequence[HiddenResults], match: int) -> None:
    """Raise ResultsHidden if a match is hidden."""
    if not hidden:
        return
    query = select(batches.c.number).join_from(matches, batches, batches.c.event_id == matches.c.event_id)
    if connection.execute(query.where(matches.c.id == match, is_hidden(hidden))).first() is not None:
        raise ResultsHidden(f"match {match} is hidden until the season of its league ends")
