"""Standings of a league at the start of a run, and as batches come."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from arena.league.results.league_sums import LeagueSums
from arena.league.run import standings
from arena.league.run.drawing import slow_entries
from arena.league.run.standings import LeagueStandings
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchResult, Lease
from arena.league.store.leagues import Leagues
from arena.league.store.total_sums import TotalSums
from arena.store import Store, StoreUnavailable, open_store
from arena.store.engine.schema import batches, total_sums
from arena.values.rows import EffortRow, ResultRow
from tests import leagues

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store whose sums are stored anew every four batches."""
    monkeypatch.setattr(standings, "SUMS_BATCHES", 4)
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.league(opened)
        yield opened


def play(store: Store, count: int, ended: datetime) -> None:
    """Store batches that ended then: entry 1 wins, by more at every batch."""
    for _ in range(count):
        number = Batches(store).next_number(1)
        Batches(store).add(1, leagues.batch(number=number), number)
        row = Batches(store).lease(1, "runner", 0, 2**40)
        assert row is not None
        matches = [ResultRow(deal, (1, 2), (number, 0), (1, 2)) for deal in range(3)]
        sums = LeagueSums.of_matches(matches, faults={2: {"illegal": 1}}).to_bytes()
        result = leagues.result()
        assert Batches(store).finish(Lease(1, number, row.attempt), BatchResult(result.rows, sums, 1.0))
        with store.write() as connection:
            of_batch = batches.c.number == number
            connection.execute(update(batches).where(of_batch).values(ended=ended.isoformat(timespec="seconds")))


def begun(store: Store) -> LeagueStandings:
    """Standings as a run has them at its start."""
    fresh = LeagueStandings(store, 1)
    fresh.update(NOW)
    return fresh


def test_a_bot_that_turns_slow_counts_as_slow_for_draws_at_once(store: Store) -> None:
    for deals, charged_us in ((1000, 5_000_000), (4, 80_000_000)):
        number = Batches(store).next_number(1)
        Batches(store).add(1, leagues.batch(number=number), number)
        row = Batches(store).lease(1, "runner", 0, 2**40)
        assert row is not None
        matches = [ResultRow(deal, (1, 2), (1, 0), (1, 2)) for deal in range(deals)]
        efforts = {1: EffortRow(deals, deals, charged_us), 2: EffortRow(deals, deals, 1000 * deals)}
        sums = LeagueSums.of_matches(matches, efforts=efforts).to_bytes()
        result = BatchResult(leagues.result().rows, sums, 1.0)
        assert Batches(store).finish(Lease(1, number, row.attempt), result)
    fresh = begun(store)
    fresh.fit([1, 2], intervals=False)
    entries = Leagues(store).entries(1)
    average, lately = (fresh.snapshot(entries, (), lately=lately) for lately in (False, True))
    assert slow_entries(average) == set(), "85 s for 1,004 deals; finals are decided, and verified, by averages"
    assert slow_entries(lately) == {1}
    assert [entry.cpu_us_per_deal for entry in lately.entries] == [20_000_000, 1000]


def test_a_run_begins_with_the_stored_sums(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = LeagueStandings(store, 1)
    for _ in range(3):
        play(store, 3, NOW)
        first.update(NOW)
    assert TotalSums(store).newest(1)[0] == 6
    added = count()
    add = LeagueSums.add

    def counted(sums: LeagueSums, packed: bytes) -> LeagueSums:
        next(added)
        return add(sums, packed)

    monkeypatch.setattr(LeagueSums, "add", counted)
    again = begun(store)
    assert next(added) == 1 + 3 + 9, (
        "the stored sums, the batches since, and those of a week for what entries did lately"
    )
    assert again.results == first.results == 9
    assert again.fit([1, 2], intervals=True) == first.fit([1, 2], intervals=True)


def test_old_batches_in_the_stored_sums_are_not_recent(store: Store) -> None:
    play(store, 4, NOW - timedelta(days=8))
    begun(store)
    play(store, 1, NOW - timedelta(days=8))
    play(store, 2, NOW - timedelta(days=6))
    again = begun(store)
    assert TotalSums(store).newest(1)[0] == 4
    assert again.results == 7
    assert again.recent.deals(1) == 6
    assert again.recent.faults(2) == (2, 6)
    assert again.fit([1, 2], intervals=False).matches == 21


def test_damaged_sums_are_added_up_again(store: Store) -> None:
    play(store, 4, NOW)
    whole = begun(store).fit([1, 2], intervals=True)
    packed = bytearray(TotalSums(store).newest(1)[1])
    packed[-1] ^= 1
    TotalSums(store).save(1, 5, bytes(packed))
    again = begun(store)
    assert (again.results, again.fit([1, 2], intervals=True)) == (4, whole)


def test_sums_of_fewer_batches_do_not_replace_those_of_more(store: Store) -> None:
    TotalSums(store).save(1, 5, b"five")
    TotalSums(store).save(1, 4, b"four")
    assert TotalSums(store).newest(1) == (5, b"five")
    TotalSums(store).save(1, 6, b"six")
    assert TotalSums(store).newest(1) == (6, b"six")
    assert TotalSums(store).newest(2) == (0, b"")


def test_sums_that_cannot_be_unpacked_are_added_up_again(store: Store) -> None:
    play(store, 4, NOW)
    whole = begun(store).fit([1, 2], intervals=True)
    with store.write() as connection:
        connection.execute(update(total_sums).values(packed=b"no sums"))
    again = begun(store)
    assert (again.results, again.fit([1, 2], intervals=True)) == (4, whole)


def test_a_start_that_the_database_interrupts_is_repeated_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    play(store, 4, NOW)
    begun(store)
    play(store, 1, NOW)
    again = LeagueStandings(store, 1)
    sums = Batches(store).sums

    def interrupted(_: Batches, *arguments: Any) -> Iterator[Any]:
        yield from islice(sums(*arguments), 2)
        raise StoreUnavailable("the database", " is away")

    monkeypatch.setattr(Batches, "sums", interrupted)
    with pytest.raises(StoreUnavailable):
        again.update(NOW)
    monkeypatch.undo()
    again.update(NOW)
    assert (again.results, again.recent.deals(1)) == (5, 15)
