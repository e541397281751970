"""What rankings ask of matches, given by a condition: results, efforts, faults, forfeits; and what held them up."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.counted_matches import CountedMatches
from arena.store.rows import ContentionRow, EffortRow, ResultRow, SummedResults
from arena.store.schema import faults, matches, seats, strains


def load_results(connection: Connection, of_them: ColumnElement[bool]) -> Iterator[ResultRow]:
    """Yield the results of matches, in the order of their ids."""
    return (result for _, result in _results(connection, of_them))


def _results(connection: Connection, of_them: ColumnElement[bool]) -> Iterator[tuple[int, ResultRow]]:
    """Yield the same with the ids."""
    wanted = (
        select(matches.c.id, matches.c.deal, seats.c.entrant, seats.c.score, seats.c.rank)
        .join_from(matches, seats, seats.c.match_id == matches.c.id)
        .where(of_them)
        .order_by(matches.c.id, seats.c.seat)
    )
    for _, rows in groupby(connection.execute(wanted), itemgetter(0)):
        ids, deals, who, scores, ranks = zip(*rows, strict=True)
        yield ids[0], ResultRow(deals[0], who, scores, ranks)


def count_faults(connection: Connection, of_them: ColumnElement[bool]) -> dict[int, dict[str, int]]:
    """Return the faults of each entrant that has any: kind to count."""
    wanted = (
        select(seats.c.entrant, faults.c.kind, func.count())
        .join_from(faults, seats, (seats.c.match_id == faults.c.match_id) & (seats.c.seat == faults.c.seat))
        .join(matches, matches.c.id == faults.c.match_id)
        .where(of_them)
        .group_by(seats.c.entrant, faults.c.kind)
        .order_by(seats.c.entrant, faults.c.kind)
    )
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for entrant, kind, count in connection.execute(wanted):
        counts[entrant][kind] = count
    return dict(counts)


def sum_efforts(connection: Connection, of_them: ColumnElement[bool]) -> dict[int, EffortRow]:
    """Return seats, decisions and charged time of each entrant that played."""
    wanted = (
        select(seats.c.entrant, func.count(), func.sum(seats.c.decisions), func.sum(seats.c.charged_us))
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(of_them)
        .group_by(seats.c.entrant)
    )
    return {entrant: EffortRow(*map(int, sums)) for entrant, *sums in connection.execute(wanted)}


def forfeited_seats(of_them: ColumnElement[bool]) -> Select[tuple[int, int]]:
    """Return the question for the forfeited seats of matches: match and entrant."""
    joined = select(seats.c.match_id, seats.c.entrant).join_from(seats, matches, matches.c.id == seats.c.match_id)
    return joined.where(of_them, seats.c.forfeit)


def count_forfeits(connection: Connection, of_them: ColumnElement[bool]) -> tuple[int, dict[int, int]]:
    """Return in how many matches a seat was forfeited, and how many seats each entrant forfeited, if any."""
    lost = forfeited_seats(of_them).subquery()
    by_entrant = select(lost.c.entrant, func.count().label("seats")).group_by(lost.c.entrant)
    matches_lost = connection.scalar(select(func.count(lost.c.match_id.distinct()))) or 0
    return matches_lost, {row.entrant: row.seats for row in connection.execute(by_entrant.order_by(lost.c.entrant))}


def sum_contention(connection: Connection, event: int) -> ContentionRow | None:
    """Return what the machine could not give a tournament in time, as `Reader.contention` tells."""
    found = connection.execute(select(strains).where(strains.c.event_id == event)).all()
    waited: Counter[int] = Counter()
    for row in found:
        waited.update({int(entrant): micros for entrant, micros in json.loads(row.waited).items()})
    lag = max((row.lag_us for row in found), default=0)
    return ContentionRow(len(found), sum(row.void for row in found), lag, dict(waited)) if found else None


def load_sums(
    connection: Connection, parts: Sequence[bytes], of_them: ColumnElement[bool], first: int, counted: CountedMatches
) -> SummedResults:
    """Return summaries together with matches. first: the id of match number 0. counted: which of them count."""
    counting: list[ResultRow] = []
    aside: list[ResultRow] = []
    for id, result in _results(connection, of_them):
        (counting if counted.counts(id - first, result) else aside).append(result)
    return SummedResults(
        tuple(parts),
        tuple(counting),
        tuple(aside),
        sum_efforts(connection, of_them),
        count_faults(connection, of_them),
    )
