"""The results of a tournament seat by seat: what each seat of each stored match scored, took and did wrong."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from arena.store.engine.schema import faults, matches, seats


class SeatResult(NamedTuple):
    """One seat of one stored match; what is not explained here is as in `MatchRow` and `SeatRow`."""

    id: int
    """The id of the match in the database."""
    phase: int
    round: int
    table: int
    deal: int
    rotation: int
    seed: bytes
    duration_ms: int
    standstill_ms: int
    seat: int
    entrant: int
    score: int
    rank: int
    decisions: int
    charged_us: int
    forfeit: bool
    faults: dict[str, int]
    """How often the seat committed each kind of fault, for those that it did commit."""


def load_seat_results(connection: Connection, condition: ColumnElement[bool]) -> Iterator[SeatResult]:
    """Yield the seats of the matches that meet a condition, in the order of the schedule and of the seats."""
    kinds: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    query = select(faults.c.match_id, faults.c.seat, faults.c.kind, func.count())
    query = query.join_from(faults, matches, faults.c.match_id == matches.c.id).where(condition)
    for id, seat, kind, number in connection.execute(query.group_by(faults.c.match_id, faults.c.seat, faults.c.kind)):
        kinds[id, seat][kind] = number
    columns = (
        matches.c.id, matches.c.phase, matches.c.round, matches.c.at_table, matches.c.deal, matches.c.rotation,
        matches.c.seed, matches.c.duration_ms, matches.c.standstill_ms, seats.c.seat, seats.c.entrant, seats.c.score,
        seats.c.rank, seats.c.decisions, seats.c.charged_us, seats.c.forfeit,
    )  # fmt: skip
    joined = select(*columns).join_from(matches, seats, seats.c.match_id == matches.c.id).where(condition)
    for row in connection.execute(joined.order_by(matches.c.id, seats.c.seat)):
        yield SeatResult._make((*row, kinds.get((row.id, row.seat), {})))
