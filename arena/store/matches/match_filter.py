"""SQL conditions that choose matches: the id range of a tournament, and the filters of a list."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.schema import batches, entrants, events, faults, leagues, matches, seats
from arena.store.matches import practice_ids
from arena.store.matches.bot_names import played_as
from arena.values.rows import StoredMatch

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

    def contains(self, numbers: range | None = None) -> ColumnElement[bool]:
        """Return the condition that a match belongs to the tournament.

        numbers: only matches with these numbers in the schedule.
        """
        condition: ColumnElement[bool] = matches.c.id.between(self.ids.start, self.ids.stop - 1)
        if numbers is not None:
            condition &= matches.c.id.between(self.first + numbers.start, self.first + numbers.stop - 1)
        return condition


def select_matches(
    connection: Connection,
    condition: ColumnElement[bool] | None,
    bot: str | None = None,
    seat: int | None = None,
    against: str | None = None,
    fault: str | None = None,
    worst: bool = False,
    before: int | None = None,
    charged_us: int | None = None,
    practice: bool = False,
    game: str | None = None,
) -> Select[Any]:
    """Return the query for rows of (id, deal, tournament, game); parameters as in `Reader.matches`.

    condition: that the matches must meet; None: all stored matches.
    """
    query = select(matches.c.id, matches.c.deal, events.c.tournament, events.c.game)
    query = query.join_from(matches, events, events.c.id == matches.c.event_id)
    query = query.where(_is_shown(matches.c.id, practice=practice))
    if condition is not None:
        query = query.where(condition)
    if game is not None:
        query = query.where(events.c.game == game)
    meant = None if bot is None else played_as(connection, bot)
    if worst and meant is not None:
        lowest_scores = _lowest_scores(meant, seat, fault).subquery()
        query = query.join(lowest_scores, lowest_scores.c.match_id == matches.c.id).order_by(lowest_scores.c.score)
    elif meant is not None or seat is not None or fault is not None:
        query = query.where(_seats_of_match(meant, seat, fault).exists())
    if against is not None:
        query = query.where(_seats_of_match(played_as(connection, against)).exists())
    if charged_us is not None:
        query = query.where(_seats_of_match(meant, seat).where(seats.c.charged_us >= charged_us).exists())
    if before is not None:
        query = query.where(matches.c.id < before)
    return query.order_by(matches.c.id.desc())


def _is_shown(id: Any, *, practice: bool) -> ColumnElement[bool]:
    """Return the condition that a match of an id is one of those that are looked for, and not void.

    practice: whether those are matches of practice leagues; otherwise none of them is.
    """
    shown: ColumnElement[bool] = id >= practice_ids.FIRST if practice else id.between(1, practice_ids.FIRST - 1)
    return shown


NEARBY = 4096
"""How far the ids of the matches of a deal may be from each other: the tables of a round follow each other."""


def of_same_deal(match: StoredMatch) -> ColumnElement[bool]:
    """Return the condition that a match was played from the deal of `match`, in the same event."""
    near = matches.c.id.between(match.id - NEARBY, match.id + NEARBY)
    return near & (matches.c.event_id == match.event.key) & (matches.c.deal == match.row.deal)


def in_league(name: str, batch: int | None = None, table: int | None = None) -> ColumnElement[bool]:
    """Return the condition that a match belongs to a league.

    batch, table: only to that batch, and that table of it.
    """
    of_league = select(batches.c.event_id).join(leagues, leagues.c.id == batches.c.league_id)
    of_league = of_league.where(leagues.c.name == name)
    chosen = of_league if batch is None else of_league.where(batches.c.number == batch)
    # Ids are reserved as batches are drawn, so those of all batches lie between those of the first and the last one.
    first_event = chosen.order_by(batches.c.number).limit(1).scalar_subquery()
    last_event = chosen.order_by(batches.c.number.desc()).limit(1).scalar_subquery()
    first = select(events.c.first_match).where(events.c.id == first_event).scalar_subquery()
    last = select(events.c.first_match + events.c.matches - 1).where(events.c.id == last_event).scalar_subquery()
    condition: ColumnElement[bool] = matches.c.id.between(first, last)
    if batch is None:
        condition &= matches.c.event_id.in_(of_league)
    return condition if table is None else condition & (matches.c.at_table == table)


def range_of(
    connection: Connection,
    bots: Sequence[str],
    excluded: Collection[int],
    *,
    practice: bool = False,
    game: str | None = None,
) -> ColumnElement[bool] | None:
    """Return the condition for the id range in which all these bots may have played; None if they cannot have.

    The range makes the search fast: to check each of a million matches of one bot takes seconds.

    excluded: the tournaments in which the bots are known not to have met.
    practice, game: as in `Reader.matches`.
    """
    query = select(func.min(events.c.first_match), func.max(events.c.first_match + events.c.matches - 1))
    query = query.where(_is_shown(events.c.first_match, practice=practice))
    if game is not None:
        query = query.where(events.c.game == game)
    for bot in bots:
        entrant = entrants.alias()
        query = query.join_from(events, entrant, entrant.c.event_id == events.c.id)
        query = query.where(played_as(connection, bot, entrant))
    if excluded:
        query = query.where(events.c.tournament.is_(None) | events.c.tournament.not_in(excluded))
    first, last = connection.execute(query).one()
    return None if first is None else matches.c.id.between(first, last)


def _lowest_scores(meant: ColumnElement[bool], seat: int | None, fault: str | None) -> Select[tuple[int, int]]:
    """Return the query for the matches of a bot, with its lowest score in each.

    The query goes from the entrants to their seats, whose keys are contiguous for a tournament; going from the matches
    takes six times as long.

    meant: the condition for its entrants.
    """
    played_in = events.alias()
    last = played_in.c.first_match + played_in.c.matches - 1
    query = select(seats.c.match_id, func.min(seats.c.score).label("score"))
    query = query.join_from(entrants, played_in, played_in.c.id == entrants.c.event_id).where(meant)
    of_entrant = (seats.c.entrant == entrants.c.place) & seats.c.match_id.between(played_in.c.first_match, last)
    return _filter_seats(query.join(seats, of_entrant), seat, fault).group_by(seats.c.match_id)


def _seats_of_match(
    meant: ColumnElement[bool] | None, seat: int | None = None, fault: str | None = None
) -> Select[tuple[int]]:
    """Return the subquery for the seats of a match that a bot held; parameters as in `Reader.matches`.

    meant: the condition for the entrants of the bot; None: any.
    """
    query = select(seats.c.seat).where(seats.c.match_id == matches.c.id).correlate(matches)
    if meant is not None:
        query = query.join(entrants, entrants.c.place == seats.c.entrant)
        query = query.where(entrants.c.event_id == matches.c.event_id, meant)
    return _filter_seats(query, seat, fault)


def _filter_seats(query: Select[Row], seat: int | None, fault: str | None) -> Select[Row]:
    """Restrict a query of seats to a seat and to a kind of fault."""
    if seat is not None:
        query = query.where(seats.c.seat == seat)
    if fault is not None:
        query = query.join(faults, (faults.c.match_id == seats.c.match_id) & (faults.c.seat == seats.c.seat))
        query = query if fault == "any" else query.where(faults.c.kind == fault)
    return query
