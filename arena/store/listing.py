"""Which matches somebody wants to see listed."""

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.schema import entrants, events, faults, matches, seats


def wanted(
    among: ColumnElement[bool] | None,
    bot: str | None,
    seat: int | None,
    against: str | None,
    fault: str | None,
    worst: bool,
    before: int | None,
) -> Select[Any]:
    """Return the question for rows of (id, deal, tournament, game), as `Reader.matches` tells.

    among: a condition that they must meet; without it all stored matches are asked for.
    """
    found = select(matches.c.id, matches.c.deal, events.c.tournament, events.c.game)
    found = found.join_from(matches, events, events.c.id == matches.c.event_id).where(matches.c.id > 0)
    if among is not None:
        found = found.where(among)
    if bot is not None or seat is not None or fault is not None:
        found = found.where(_sat(bot, seat, fault).exists())
    if against is not None:
        found = found.where(_sat(against).exists())
    if before is not None:
        found = found.where(matches.c.id < before)
    if worst:
        found = found.order_by(_sat(bot, seat).with_only_columns(func.min(seats.c.score)).scalar_subquery())
    return found.order_by(matches.c.id.desc())


def _sat(bot: str | None, seat: int | None = None, fault: str | None = None) -> Select[tuple[int]]:
    """Return the seats of a match in which sat a bot of that name, at that place, with such a fault."""
    found = select(seats.c.seat).where(seats.c.match_id == matches.c.id).correlate(matches)
    if bot is not None:
        found = found.join(entrants, entrants.c.place == seats.c.entrant)
        found = found.where(entrants.c.event_id == matches.c.event_id, entrants.c.name == bot)
    if seat is not None:
        found = found.where(seats.c.seat == seat)
    if fault is not None:
        found = found.join(faults, (faults.c.match_id == seats.c.match_id) & (faults.c.seat == seats.c.seat))
        found = found if fault == "any" else found.where(faults.c.kind == fault)
    return found
