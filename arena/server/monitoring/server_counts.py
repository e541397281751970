"""Counts of hand-ins and of what leagues do, for those who watch a server."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, func, select

from arena.bots.hand_in_rows import RECEIVED, UNDER_WAY
from arena.store.engine.schema import batch_attempts, batches, entries, events, hand_ins, league_ratings, leagues


class HandInCounts(NamedTuple):
    """How many hand-ins are not finished."""

    waiting: int
    checked: int
    oldest: str | None
    """When the oldest of them came (UTC, ISO 8601); None if there is none."""


class LeagueCounts(NamedTuple):
    """What a league holds now."""

    id: int
    name: str
    batches: dict[str, int]
    """The number of batches by state."""
    entries: dict[str, int]
    """The number of entries by state."""
    rated: str | None
    """When the league was rated last (UTC, ISO 8601); None if it never was."""
    settled: int
    """The number of the batch up to which all batches are stored or void."""
    newest: int
    """The number of the last batch; 0 if there is none."""


class BatchTotals(NamedTuple):
    """Sums over some batches of a league."""

    matches: int
    """The number of stored matches."""
    attempts: Counter[str]
    """The number of attempts by their outcome."""


def count_hand_ins(connection: Connection) -> Iterator[HandInCounts]:
    """Yield the counts of hand-ins that are not finished."""
    query = select(hand_ins.c.state, func.count(), func.min(hand_ins.c.created))
    is_unfinished = hand_ins.c.state.in_((RECEIVED, *UNDER_WAY))
    rows = list(connection.execute(query.where(is_unfinished).group_by(hand_ins.c.state)))
    counts = {state: count for state, count, _ in rows}
    waiting = counts.pop(RECEIVED, 0)
    yield HandInCounts(waiting, sum(counts.values()), min((oldest for _, _, oldest in rows), default=None))


def count_leagues(connection: Connection) -> Iterator[LeagueCounts]:
    """Yield the counts of each league that is not closed, without practice leagues."""
    shown = (leagues.c.state != "closed") & leagues.c.owner.is_(None)
    for league in connection.execute(select(leagues).where(shown).order_by(leagues.c.id)):
        of_league = batches.c.league_id == league.id
        by_state = select(batches.c.state, func.count()).where(of_league).group_by(batches.c.state)
        of_entries = select(entries.c.state, func.count()).where(entries.c.league_id == league.id)
        rated = select(func.max(league_ratings.c.created)).where(league_ratings.c.league_id == league.id)
        unplayed = select(func.min(batches.c.number)).where(of_league, batches.c.state.in_(("waiting", "leased")))
        newest = connection.scalar(select(func.max(batches.c.number)).where(of_league)) or 0
        first_unplayed = connection.scalar(unplayed)
        yield LeagueCounts(
            league.id,
            league.name,
            _by_state(connection, by_state),
            _by_state(connection, of_entries.group_by(entries.c.state)),
            connection.scalar(rated),
            newest if first_unplayed is None else first_unplayed - 1,
            newest,
        )


def sum_batches(connection: Connection, league: int, after: int, most: int) -> Iterator[BatchTotals]:
    """Yield the sums over the batches of a league with the numbers after `after`, up to `most`."""
    matches = select(func.sum(events.c.matches)).join_from(batches, events, events.c.id == batches.c.event_id)
    in_range = and_(batches.c.league_id == league, batches.c.number > after, batches.c.number <= most)
    batch = batch_attempts.c.batch
    of_range = and_(batch_attempts.c.league_id == league, batch > after, batch <= most)
    attempts = select(batch_attempts.c.outcome, func.count()).where(of_range).group_by(batch_attempts.c.outcome)
    yield BatchTotals(
        int(connection.scalar(matches.where(in_range, batches.c.state == "stored")) or 0),
        Counter({outcome: count for outcome, count in connection.execute(attempts) if outcome is not None}),
    )


def _by_state(connection: Connection, query: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(query)}
