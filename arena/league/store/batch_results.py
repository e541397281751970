"""Results of the matches of a batch, which has a range of ids of its own."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from sqlalchemy import ColumnElement, Connection, case, func, select

from arena.store.engine.schema import events, matches, seats
from arena.store.matches.row_loading import list_matches
from arena.values.rows import ListedMatch


class PlayedRange(Protocol):
    """A batch, with the range of ids of its matches."""

    @property
    def first_match(self) -> int: ...
    @property
    def matches(self) -> int: ...


class TableResult(NamedTuple):
    """What an entry did at a table of a batch."""

    table: int
    entrant: int
    """Its place in the field."""
    matches: int
    """The seats that it held, over all matches of the table."""
    firsts: int
    """How often it was first, alone or with others."""
    score: int
    """The sum of its scores, in the game's unit."""
    ranks: int
    """The sum of its ranks."""
    decisions: int
    charged_us: int


def is_in(batch: PlayedRange) -> ColumnElement[bool]:
    """Return the condition that a match belongs to a batch."""
    return matches.c.id.between(batch.first_match, batch.first_match + batch.matches - 1)


def load_tables(connection: Connection, condition: ColumnElement[bool]) -> list[TableResult]:
    """Return what each entry of a batch did at each of its tables.

    condition: that a match belongs to the batch.
    """
    query = select(
        matches.c.at_table,
        seats.c.entrant,
        func.count(),
        func.sum(case((seats.c.rank == 1, 1), else_=0)),
        func.sum(seats.c.score),
        func.sum(seats.c.rank),
        func.sum(seats.c.decisions),
        func.sum(seats.c.charged_us),
    )
    query = query.join_from(matches, seats, seats.c.match_id == matches.c.id).where(condition)
    grouped = query.group_by(matches.c.at_table, seats.c.entrant).order_by(matches.c.at_table, seats.c.entrant)
    return [TableResult(*map(int, row)) for row in connection.execute(grouped)]


def load_worst(
    connection: Connection, batches: Iterable[tuple[PlayedRange, int]], limit: int, condition: ColumnElement[bool]
) -> list[ListedMatch]:
    """Return the matches with the lowest scores of an entry.

    batches: the batches that it played, each with its place in the field.
    condition: that a match can be listed.
    """
    lowest: list[tuple[int, int]] = []
    for batch, place in batches:
        last = batch.first_match + batch.matches - 1
        query = select(func.min(seats.c.score).label("score"), seats.c.match_id)
        query = query.where(seats.c.match_id.between(batch.first_match, last), seats.c.entrant == place)
        rows = connection.execute(query.group_by(seats.c.match_id).order_by("score", seats.c.match_id).limit(limit))
        lowest += [(row.score, row.match_id) for row in rows]
    order = {id: number for number, (_, id) in enumerate(sorted(lowest)[:limit])}
    listed = select(matches.c.id, matches.c.deal, events.c.tournament, events.c.game)
    listed = listed.join_from(matches, events, events.c.id == matches.c.event_id)
    listed = listed.where(matches.c.id.in_(order), condition)
    return sorted(list_matches(connection, connection.execute(listed).all()), key=lambda match: order[match.id])
