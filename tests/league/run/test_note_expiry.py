"""What bots wrote in old batches is deleted, and nothing else."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from arena.cli import main
from arena.league.run.note_expiry import PAUSE_SECONDS, NoteExpiry
from arena.league.store.batches import Batches
from arena.league.verification import league_problems
from arena.run.database_retry import DatabaseRetry
from arena.store import Store, StoreError, open_store
from arena.values.rows import OutputRow
from sample_bots import SAMPLES
from tests import leagues, played
from tests.guessing import GUESSING

pytestmark = pytest.mark.usefixtures("in_process")

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)

ENDS = ["2026-02-27T12:00:00+00:00", "2026-03-01T11:59:59+00:00", "2026-03-01T12:00:00+00:00"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league with three batches that ended at `ENDS`, and a tournament; all have notes and output."""
    with open_store(tmp_path / "arena.db", create=True) as opened:
        league = leagues.league(opened)
        rows = [played.match(GUESSING, number, bots=2, seats=2, notes=True) for number in range(8)]
        outputs = [OutputRow(0, 0, 0, "hello")]
        opened.add_matches(opened.add_tournament(played.tournament(GUESSING, matches=8)), rows, outputs)
        for number, ended in enumerate(ENDS, 1):
            Batches(opened).add(league.id, leagues.batch(), number)
            row = Batches(opened).lease(league.id, "me", 0, 10)
            assert row is not None
            Batches(opened).finish(leagues.lease(row), leagues.result(rows, outputs=outputs))
            with opened.write() as connection:
                connection.exec_driver_sql(f"UPDATE batches SET ended = '{ended}' WHERE number = {number}")
        yield opened


def written(store: Store) -> list[tuple[int, int]]:
    """Return how many notes the first match of each batch has, and how many bots have printed, the oldest first."""
    matches = [store.match(row.first_match) for row in reversed(Batches(store).of(1))]
    return [(len(match.row.notes), len(match.outputs)) for match in matches]


def expiry(store: Store, days: int, failures: list[Exception] | None = None) -> NoteExpiry:
    return NoteExpiry(store, DatabaseRetry(store, print), days, (failures if failures is not None else []).append)


def test_notes_and_output_of_old_batches_are_deleted(store: Store) -> None:
    whole = written(store)
    assert whole[0] == whole[2]
    assert min(whole[0]) > 0
    digests = [record.digest for row in Batches(store).of(1) for record in store.batch_records(row.event)]
    of_tournament = store.match(1)
    trio.run(expiry(store, 30).expire, NOW)
    assert written(store) == [(0, 0), (0, 0), whole[2]]
    assert [record.digest for row in Batches(store).of(1) for record in store.batch_records(row.event)] == digests
    assert store.match(1) == of_tournament
    trio.run(expiry(store, 30).expire, NOW + timedelta(seconds=1))
    assert written(store) == [(0, 0)] * 3


def test_they_are_looked_for_again_and_again_unless_they_are_kept_for_ever(store: Store) -> None:
    rounds = 0

    class Counting(NoteExpiry):
        async def expire(self, now: datetime) -> None:
            nonlocal rounds
            rounds += 1

    async def main(days: int) -> None:
        keeping = Counting(store, DatabaseRetry(store, print), days, print)
        with trio.move_on_after(2.5 * PAUSE_SECONDS):
            await keeping.keep()

    trio.run(main, 30, clock=trio.testing.MockClock(autojump_threshold=0))
    assert rounds == 3
    trio.run(main, 0, clock=trio.testing.MockClock(autojump_threshold=0))
    assert rounds == 3


def test_an_error_of_the_database_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise StoreError("it is damaged")

    monkeypatch.setattr("arena.league.run.note_expiry.drop_notes", damaged)
    failures: list[Exception] = []
    trio.run(expiry(store, 30, failures).keep)
    assert [str(error) for error in failures] == ["it is damaged"]


def test_a_run_deletes_them_and_the_league_is_verified_without(tmp_path: Path) -> None:
    path = str(tmp_path / "arena.db")
    with open_store(path, create=True) as store:
        league = leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.play(store, 1)
        first = Batches(store).of(league.id)[-1]
        assert any(record.notes for record in store.batch_records(first.event))
        with store.write() as connection:
            connection.exec_driver_sql("UPDATE batches SET ended = '2026-01-01T00:00:00+00:00' WHERE state = 'stored'")
        words = ["league", "run", "--batches", "1", "--trust-bots", "--jobs", "1", "--db", path]
        for days, is_kept in (("0", True), ("1", False)):
            ran = CliRunner().invoke(main, [*words, "--keep-notes", days])
            assert ran.exit_code == 0, ran.output
            assert any(record.notes for record in store.batch_records(first.event)) is is_kept
        assert list(league_problems(store, league)) == []
