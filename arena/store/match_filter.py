"""SQL conditions that choose matches: the id range of a tournament, and the filters of a list."""

from collections.abc import Collection
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.schema import entrants, events, faults, matches, seats

Row = TypeVar("Row", bound=tuple[Any, ...])


class IdRange(NamedTuple):
    """The key of a tournament's event and the id range that is reserved for its matches."""

    event: int
    first: int
    size: int

    @property
    def ids(self) -> range:
        """The ids of its matches, stored or not."""
        return range(self.first, self.first + self.size)

    def holds(self, numbers: range | None = None) -> ColumnElement[bool]:
        """Return the condition that a match is one of it. numbers: of those that are meant, by the schedule."""
        of_it: ColumnElement[bool] = matches.c.id.between(self.ids.start, self.ids.stop - 1)
        if numbers is not None:
            of_it &= matches.c.id.between(self.first + numbers.start, self.first + numbers.stop - 1)
        return of_it


def select_matches(
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
    if worst and bot is not None:
        lowest = _lowest(bot, seat, fault).subquery()
        found = found.join(lowest, lowest.c.match_id == matches.c.id).order_by(lowest.c.score)
    elif bot is not None or seat is not None or fault is not None:
        found = found.where(_sat(bot, seat, fault).exists())
    if against is not None:
        found = found.where(_sat(against).exists())
    if before is not None:
        found = found.where(matches.c.id < before)
    return found.order_by(matches.c.id.desc())


def common_range(connection: Connection, bot: str, other: str, apart: Collection[int]) -> ColumnElement[bool] | None:
    """Return between which matches those lie in which two bots may have met; None where there can be none.

    To look for them match by match takes seconds among a million in which only one of them sat.
    apart: the tournaments in which they are known not to have met.
    """
    one, two = entrants.alias(), entrants.alias()
    shared = select(func.min(events.c.first_match), func.max(events.c.first_match + events.c.matches - 1))
    shared = shared.join(one, one.c.event_id == events.c.id).join(two, two.c.event_id == events.c.id)
    shared = shared.where(one.c.name == bot, two.c.name == other)
    if apart:
        shared = shared.where(events.c.tournament.is_(None) | events.c.tournament.not_in(apart))
    first, last = connection.execute(shared).one()
    return None if first is None else matches.c.id.between(first, last)


def _lowest(bot: str, seat: int | None, fault: str | None) -> Select[tuple[int, int]]:
    """Return the matches in which a bot of that name sat so, with its lowest score there.

    From its entries to their seats, of which those of a tournament stand in a row: to ask each match who sat there
    takes six times as long.
    """
    played_in = events.alias()
    last = played_in.c.first_match + played_in.c.matches - 1
    found = select(seats.c.match_id, func.min(seats.c.score).label("score"))
    found = found.join_from(entrants, played_in, played_in.c.id == entrants.c.event_id).where(entrants.c.name == bot)
    at_it = (seats.c.entrant == entrants.c.place) & seats.c.match_id.between(played_in.c.first_match, last)
    return _so(found.join(seats, at_it), seat, fault).group_by(seats.c.match_id)


def _sat(bot: str | None, seat: int | None = None, fault: str | None = None) -> Select[tuple[int]]:
    """Return the seats of a match in which sat a bot of that name, at that place, with such a fault."""
    found = select(seats.c.seat).where(seats.c.match_id == matches.c.id).correlate(matches)
    if bot is not None:
        found = found.join(entrants, entrants.c.place == seats.c.entrant)
        found = found.where(entrants.c.event_id == matches.c.event_id, entrants.c.name == bot)
    return _so(found, seat, fault)


def _so(found: Select[Row], seat: int | None, fault: str | None) -> Select[Row]:
    """Return of some seats those at that place, with such a fault."""
    if seat is not None:
        found = found.where(seats.c.seat == seat)
    if fault is not None:
        found = found.join(faults, (faults.c.match_id == seats.c.match_id) & (faults.c.seat == seats.c.seat))
        found = found if fault == "any" else found.where(faults.c.kind == fault)
    return found
