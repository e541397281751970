"""Entries compared: meetings from sums, and upsets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.results.comparisons import LeagueComparisons
from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.league_sums import LeagueSums
from arena.league.results.upsets import find_upsets
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchResult
from arena.league.store.total_sums import TotalSums
from arena.store import Store, open_store
from arena.store.matches.seat_results import SeatResult
from arena.values.rows import ResultRow
from tests import leagues


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def match(deal: int, entries: tuple[int, ...], ranks: tuple[int, ...], table: int = 0) -> ResultRow:
    return ResultRow(deal, entries, tuple(-rank for rank in ranks), ranks, table)


def played(
    store: Store, matches: list[ResultRow], sets: dict[tuple[int, int], SetNumbers] | None = None
) -> LeagueComparisons:
    """Store a batch with these sums, and compare."""
    league = leagues.league(store)
    assert Batches(store).add(league.id, leagues.batch((1, 2, 3)), 1)
    row = Batches(store).lease(league.id, "me", 0, 10)
    assert row is not None
    sums = LeagueSums.of_matches(matches, sets=sets)
    Batches(store).finish(leagues.lease(row), BatchResult([], sums.to_bytes(), 1.0))
    comparisons = LeagueComparisons(store, league.id)
    comparisons.update()
    return comparisons


@pytest.mark.parametrize("sets", [None, dict.fromkeys([(0, 0), (0, 1), (1, 0)], SetNumbers(1, 1))])
def test_meetings_are_those_of_all_tables(store: Store, sets: dict[tuple[int, int], SetNumbers] | None) -> None:
    comparisons = played(
        store,
        [
            match(0, (1, 2, 3), (1, 2, 3)),
            match(0, (2, 3, 1), (1, 1, 3)),
            match(1, (1, 2, 3), (2, 1, 3)),
            match(0, (1, 2), (1, 2), table=1),
        ],
        sets,
    )
    assert comparisons.results == 1
    assert [tuple(each) for each in comparisons.opponents(1)] == [(2, 3, 4, 2.0), (3, 2, 3, 2.0)]
    assert [tuple(each) for each in comparisons.opponents(2)] == [(1, 3, 4, 2.0), (3, 2, 3, 2.5)]
    assert comparisons.opponents(7) == []


def test_they_begin_with_the_stored_sums(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = played(store, [match(0, (1, 2, 3), (1, 2, 3)), match(1, (1, 2, 3), (2, 1, 3))])
    TotalSums(store).save(1, 1, first._fit.sums.to_bytes())
    monkeypatch.setattr(Batches, "sums", lambda _batches, _league, after: iter(range(after, 1)))
    again = LeagueComparisons(store, 1)
    again.update()
    assert again.results == 1
    assert again.opponents(1) == first.opponents(1) != []
    again.update()
    assert again.opponents(1) == first.opponents(1)


def test_los_is_that_of_the_joint_fit(store: Store) -> None:
    matches = []
    for deal in range(40):
        matches += [match(deal, (1, 2), (1, 2) if deal % 4 else (2, 1)), match(deal, (2, 1), (2, 1))]
    comparisons = played(store, matches)
    los = comparisons.los(1, 2)
    assert los is not None
    assert los > 0.99
    assert comparisons.los(2, 1) == pytest.approx(1 - los)
    assert comparisons.los(1, 9) is None


def seat(match: int, seat: int, entrant: int, rank: int) -> SeatResult:
    return SeatResult(match, 0, 0, 0, 0, 0, b"", 1, 0, seat, entrant, 0, rank, 1, 1, False, {})


def test_an_upset_is_a_win_with_a_small_chance() -> None:
    elo = {10: 400.0, 11: 0.0, 12: 0.0}
    entries = (10, 11, 12)
    seats = [
        *(seat(1, 0, 0, 1), seat(1, 1, 1, 2)),  # as expected
        *(seat(2, 0, 0, 2), seat(2, 1, 1, 1)),  # 1 in 11
        *(seat(3, 0, 0, 2), seat(3, 1, 1, 1), seat(3, 2, 2, 3)),  # 1 in 12
        *(seat(4, 0, 0, 1), seat(4, 1, 1, 1)),  # nobody won alone
    ]
    found = find_upsets(seats, entries, elo, "2026-03-05")
    assert [(each.match, each.winner, each.losers, each.when) for each in found] == [
        (3, 11, (10, 12), "2026-03-05"),
        (2, 11, (10,), "2026-03-05"),
    ]
    assert [each.chance for each in found] == pytest.approx([1 / 12, 1 / 11])
    assert find_upsets(seats, entries, {10: 400.0, 12: 0.0}, "") == [], "11 is not known well enough"
