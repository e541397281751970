"""What runs tell of their leagues, for those who watch a server."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.league.control import pause
from arena.league.run.entry_bots import EntryBots
from arena.league.run.problems import Problems
from arena.league.run.run_reports import FORGOTTEN, IDLE_SECONDS, REPORT_SECONDS, RunReports
from arena.league.run.runner import LeagueRunner
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow, Lease
from arena.league.store.league_runs import LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.packs.errors import PackError
from arena.run.database_retry import DatabaseRetry
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.values.errors import ArenaError
from arena.values.tournament_errors import RefereeError
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    created = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    return created


def cannot_unpack(*_: object) -> None:
    raise PackError("the folder is not writable")


def test_a_problem_lasts_from_its_first_failure_to_the_next_success() -> None:
    seconds = iter(range(100))
    problems = Problems(lambda: datetime(2027, 3, 1, tzinfo=UTC) + timedelta(seconds=next(seconds)))
    assert problems.oldest is None
    for sentence in ("the first", "the second"):
        problems.add("draw", sentence)
    problems.add("play", "the third")
    assert problems.oldest == ("the second", datetime(2027, 3, 1, tzinfo=UTC))
    problems.end("draw")
    assert problems.oldest is not None
    assert problems.oldest.sentence == "the third"
    problems.end("draw", "play")
    assert problems.oldest is None


def test_a_draw_that_fails_is_a_problem_until_one_succeeds(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    scheduler = LeagueScheduler(store, store.where, league, Hosting(trusted=True), said.append)
    with monkeypatch.context() as patch:
        patch.setattr(EntryBots, "find", cannot_unpack)
        assert not scheduler.update()
        assert not scheduler.update(), "it waits"
        assert scheduler.problems.oldest is not None
        assert scheduler.problems.oldest.sentence == "the folder is not writable"
    assert [getattr(line, "event", "") for line in said] == ["draw_failed"]
    monkeypatch.setattr("arena.league.run.scheduler.monotonic", lambda: time.monotonic() + 31)
    assert scheduler.update()
    assert scheduler.problems.oldest is None


def test_a_batch_that_cannot_be_begun_is_a_problem_though_draws_succeed(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    assert scheduler.update()
    with monkeypatch.context() as patch:
        patch.setattr(EntryBots, "find", cannot_unpack)
        assert scheduler.lease("me", 0, 2**60, []) is None
    assert scheduler.problems.oldest is not None
    monkeypatch.setattr("arena.league.run.scheduler.monotonic", lambda: time.monotonic() + 31)
    scheduler.update()
    assert scheduler.problems.oldest is not None, "nothing is stored yet"
    other = Batches(store).lease(league.id, "other", 0, 2**60)
    assert other is not None
    assert Batches(store).finish(leagues.lease(other), leagues.result([])) is not None
    for row in Batches(store).unplayed(league.id):
        assert Batches(store).lease(league.id, "other", 0, 2**60) is not None
        assert Batches(store).finish(Lease(league.id, row.number, 1), leagues.result([])) is not None
    Leagues(store).change_entry(league.id, 5, "retired", "test")
    scheduler.update()
    assert scheduler.problems.oldest is None, "nothing is to be played any more"


def test_a_league_that_is_paused_has_no_problem(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    monkeypatch.setattr(EntryBots, "find", cannot_unpack)
    scheduler.update()
    assert scheduler.problems.oldest is not None
    pause(store, league.name, "ann", "")
    scheduler.update()
    assert scheduler.problems.oldest is None


def test_a_run_tells_what_it_does(store: Store, league: LeagueRow) -> None:
    leagues.play(store, 1)
    [row] = LeagueRuns(store).of(league.id)
    assert (row.failing_since, row.problem, row.is_quiet) == (None, "", False)
    assert datetime.now(UTC) - datetime.fromisoformat(row.heard) < timedelta(minutes=5)


async def test_what_has_changed_is_written_at_once_and_the_rest_after_a_while(
    store: Store, league: LeagueRow, autojump_clock: MockClock
) -> None:
    old = LeagueRunRow(league.id, "gone", "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00")
    LeagueRuns(store).write([old], "")
    written: list[str] = []
    scheduler = LeagueScheduler(store, store.where, league)
    reports = RunReports(store, DatabaseRetry(store, print), "me")
    write = reports._runs.write
    reports._runs.write = lambda rows, forgotten: (written.append(forgotten), write(rows, forgotten))[1]  # type: ignore[method-assign,func-returns-value]
    await reports.write([scheduler], dict, is_quiet=False)
    assert [row.runner for row in LeagueRuns(store).of(league.id)] == ["me"]
    assert datetime.fromisoformat(written[0]) < datetime.now(UTC) - FORGOTTEN + timedelta(minutes=1)
    await reports.write([scheduler], dict, is_quiet=False)
    assert len(written) == 1
    scheduler.problems.add("draw", "the disk is full")
    await reports.write([scheduler], dict, is_quiet=False)
    [row] = LeagueRuns(store).of(league.id)
    assert (row.problem, row.failing_since is None) == ("the disk is full", False)
    await reports.write([scheduler], dict, is_quiet=True)
    [row] = LeagueRuns(store).of(league.id)
    assert row.is_quiet
    autojump_clock.jump(REPORT_SECONDS)
    await reports.write([scheduler], dict, is_quiet=True)
    assert len(written) == 3, "nothing is under way"
    await reports.write([scheduler], lambda: {league.id: ()}, is_quiet=True)
    assert len(written) == 4
    autojump_clock.jump(IDLE_SECONDS)
    await reports.write([scheduler], dict, is_quiet=True)
    assert len(written) == 5
    scheduler.is_over = True
    await reports.write([scheduler], dict, is_quiet=True)
    assert len(written) == 6


class NoReferees:
    """Starts no referee, until a run has told so."""

    def __init__(self, store: Store, league: LeagueRow) -> None:
        self._store = store
        self._league = league
        self.told = ""

    def room(self) -> int:
        return 1

    def capacity(self) -> None:
        return None

    async def play(self, work: Any, _jobs: int) -> None:
        if not (rows := LeagueRuns(self._store).of(self._league.id)) or not rows[0].problem:
            work.fail(RefereeError("the referee does not start"))
        else:
            self.told = rows[0].problem
            work.fail(ArenaError("that is enough"))
        await trio.sleep_forever()


async def test_referees_that_do_not_start_are_a_problem(
    store: Store, league: LeagueRow, autojump_clock: MockClock
) -> None:
    executor = NoReferees(store, league)
    scheduler = LeagueScheduler(store, store.where, league, Hosting(trusted=True))
    runner = LeagueRunner(store, [scheduler], Hosting(trusted=True), print, executor, stops_on_signals=False)
    with pytest.raises(ArenaError, match="that is enough"):
        await runner.run(1)
    assert executor.told == "the referee does not start"
