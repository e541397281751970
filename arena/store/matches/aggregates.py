"""Aggregate queries over the matches that meet a condition: results, efforts, faults, forfeits; and CPU contention."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.schema import faults, matches, seats, strains
from arena.store.matches.counted_matches import CountedMatches
from arena.values.rows import ContentionRow, EffortRow, ResultRow, SummedResults


def load_results(connection: Connection, condition: ColumnElement[bool]) -> Iterator[ResultRow]:
    """Yield the results of matches, in the order of their ids."""
    return (result for _, result in _results(connection, condition))


def load_logged_results(connection: Connection, condition: ColumnElement[bool]) -> Iterator[ResultRow]:
    """Yield the results of matches with their seeds and digests, in the order of their ids."""
    query = select(matches.c.id, matches.c.seed, matches.c.digest).where(condition).order_by(matches.c.id)
    logs = {id: (seed, digest) for id, seed, digest in connection.execute(query)}
    return (result._replace(seed=logs[id][0], digest=logs[id][1]) for id, result in _results(connection, condition))


def _results(connection: Connection, condition: ColumnElement[bool]) -> Iterator[tuple[int, ResultRow]]:
    """Yield the id and the result of each match, in the order of their ids."""
    query = (
        select(matches.c.id, matches.c.deal, seats.c.entrant, seats.c.score, seats.c.rank)
        .join_from(matches, seats, seats.c.match_id == matches.c.id)
        .where(condition)
        .order_by(matches.c.id, seats.c.seat)
    )
    for _, rows in groupby(connection.execute(query), itemgetter(0)):
        ids, deals, bots, scores, ranks = zip(*rows, strict=True)
        yield ids[0], ResultRow(deals[0], bots, scores, ranks)


def count_faults(connection: Connection, condition: ColumnElement[bool]) -> dict[int, dict[str, int]]:
    """Return the faults of each entrant that has any: kind to count."""
    query = (
        select(seats.c.entrant, faults.c.kind, func.count())
        .join_from(faults, seats, (seats.c.match_id == faults.c.match_id) & (seats.c.seat == faults.c.seat))
        .join(matches, matches.c.id == faults.c.match_id)
        .where(condition)
        .group_by(seats.c.entrant, faults.c.kind)
        .order_by(seats.c.entrant, faults.c.kind)
    )
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for entrant, kind, count in connection.execute(query):
        counts[entrant][kind] = count
    return dict(counts)


def sum_efforts(connection: Connection, condition: ColumnElement[bool]) -> dict[int, EffortRow]:
    """Return the seats, decisions and charged time of each entrant that played."""
    query = (
        select(seats.c.entrant, func.count(), func.sum(seats.c.decisions), func.sum(seats.c.charged_us))
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(condition)
        .group_by(seats.c.entrant)
    )
    return {entrant: EffortRow(*map(int, sums)) for entrant, *sums in connection.execute(query)}


def select_forfeited_seats(condition: ColumnElement[bool]) -> Select[tuple[int, int]]:
    """Return the query for the forfeited seats of matches: match and entrant."""
    joined = select(seats.c.match_id, seats.c.entrant).join_from(seats, matches, matches.c.id == seats.c.match_id)
    return joined.where(condition, seats.c.forfeit)


def count_forfeits(connection: Connection, condition: ColumnElement[bool]) -> tuple[int, dict[int, int]]:
    """Return in how many matches a seat was forfeited, and how many seats each entrant forfeited, if any."""
    forfeited = select_forfeited_seats(condition).subquery()
    by_entrant = select(forfeited.c.entrant, func.count().label("seats")).group_by(forfeited.c.entrant)
    by_entrant = by_entrant.order_by(forfeited.c.entrant)
    match_count = connection.scalar(select(func.count(forfeited.c.match_id.distinct()))) or 0
    return match_count, {row.entrant: row.seats for row in connection.execute(by_entrant)}


def sum_contention(connection: Connection, event: int) -> ContentionRow | None:
    """Return the CPU contention of a tournament; see `Reader.contention`."""
    phases = connection.execute(select(strains).where(strains.c.event_id == event)).all()
    waited_us: Counter[int] = Counter()
    for phase in phases:
        waited_us.update({int(entrant): micros for entrant, micros in json.loads(phase.waited).items()})
    lag = max((phase.lag_us for phase in phases), default=0)
    return ContentionRow(len(phases), sum(phase.void for phase in phases), lag, dict(waited_us)) if phases else None


def load_sums(
    connection: Connection, parts: Sequence[bytes], condition: ColumnElement[bool], first: int, counted: CountedMatches
) -> SummedResults:
    """Combine summaries with the matches that meet a condition.

    first: the id of match number 0.
    counted: which of the matches the ranking counts.
    """
    results: list[ResultRow] = []
    uncounted: list[ResultRow] = []
    for id, result in _results(connection, condition):
        (results if counted.counts(id - first, result) else uncounted).append(result)
    return SummedResults(
        tuple(parts),
        tuple(results),
        tuple(uncounted),
        sum_efforts(connection, condition),
        count_faults(connection, condition),
    )
