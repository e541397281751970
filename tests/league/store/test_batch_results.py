"""Matches of batches in lists, and the results of their tables."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.values.failure_rows import ProcessFailureRow
from tests import leagues, played
from tests.guessing import GUESSING

TABLES = 2


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def scored(number: int) -> int:
    return (number * 5) % 8 - 4


@pytest.fixture
def batch(store: Store) -> BatchRow:
    """The second of two batches, at two tables, after a tournament; the first seat scores from -4 to 3."""
    tournament = store.add_tournament(played.tournament(GUESSING, bots=2, matches=4))
    store.add_matches(tournament, [played.match(GUESSING, number, bots=2, seats=2) for number in range(4)])
    league = leagues.league(store).id
    failure = ProcessFailureRow(0, 0, 1, 1, "crash", "it ended", 1, None, (0,), 0, "")
    for number in (1, 2):
        assert Batches(store).add(league, leagues.batch(number=number), number)
        row = Batches(store).lease(league, "me", 0, 10)
        assert row is not None
        rows = [
            replace(
                played.with_seat(played.match(GUESSING, each, bots=2, seats=2), 0, score=scored(each), entrant=0),
                table=each % TABLES,
            )
            for each in range(8)
        ]
        rows = [played.with_seat(each, 1, entrant=1) for each in rows]
        Batches(store).finish(leagues.lease(row), leagues.result(rows, failures=[failure]))
    found = Batches(store).get(league, 2)
    assert found is not None
    return found


def test_matches_are_listed_with_their_batch(store: Store, batch: BatchRow) -> None:
    assert [match.batch for match in store.matches()] == [("club", 2)] * 8 + [("club", 1)] * 8 + [None] * 4
    assert [match.tournament for match in store.matches(limit=17)] == [None] * 16 + [1]
    ids = [match.id for match in store.matches(league="club")]
    assert ids == list(range(batch.first_match + 7, batch.first_match - 9, -1))
    assert [match.id for match in store.matches(league="club", batch=2)] == ids[:8]
    assert [match.id for match in store.matches(league="club", batch=2, table=1)] == ids[:8:2]
    assert store.matches(league="club", batch=3) == []
    assert store.matches(league="other") == []
    assert len(store.matches(league="club", bot="a", limit=3)) == 3


def test_process_failures_are_listed_with_their_batch(store: Store, batch: BatchRow) -> None:
    assert sorted(each.batch or () for each in store.process_failures.listed()) == [("club", 1), ("club", 2)]


def test_tables_are_added_up(store: Store, batch: BatchRow) -> None:
    tables = Batches(store).table_results(batch)
    assert [(row.table, row.entrant, row.matches) for row in tables] == [(0, 0, 4), (0, 1, 4), (1, 0, 4), (1, 1, 4)]
    seats = Batches(store).seat_results(batch)
    assert len(seats) == 16
    for row in tables:
        own = [seat for seat in seats if (seat.table, seat.entrant) == (row.table, row.entrant)]
        assert row.score == sum(seat.score for seat in own)
        assert row.ranks == sum(seat.rank for seat in own)
        assert row.firsts == sum(seat.rank == 1 for seat in own)
        assert (row.decisions, row.charged_us) == (
            sum(seat.decisions for seat in own),
            sum(seat.charged_us for seat in own),
        )


def test_the_worst_matches_are_those_with_the_lowest_scores(store: Store, batch: BatchRow) -> None:
    both = Batches(store).of(batch.league)
    worst = Batches(store).worst_matches([(row, 0) for row in both], 4)
    assert [match.scores[0] for match in worst] == [-4, -4, -3, -3]
    assert {match.batch for match in worst} == {("club", 1), ("club", 2)}
    assert [match.scores[0] for match in Batches(store).worst_matches([(batch, 0)], 2)] == [-4, -3]
    assert Batches(store).worst_matches([], 5) == []


def test_batches_are_read_without_their_sums(store: Store, batch: BatchRow) -> None:
    assert Batches(store).packed_sums(batch) == leagues.result().sums
    assert [row.number for row in Batches(store).of(batch.league, limit=1)] == [2]


def test_the_number_of_the_newest_ratings(store: Store, batch: BatchRow) -> None:
    assert Leagues(store).newest_ratings(batch.league) == 0
