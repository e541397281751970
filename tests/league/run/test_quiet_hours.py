"""Quiet hours, in which no batch begins."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio

from arena.league.run.quiet_hours import parse_quiet_hours
from arena.league.run.runner import LeagueRunner
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.run.hosting import Hosting
from arena.store import open_store
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

NIGHT = "22:00-07:00"


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "at", "quiet"),
    [
        (NIGHT, "2026-01-10T20:59:59", False),
        (NIGHT, "2026-01-10T21:00:00", True),
        (NIGHT, "2026-01-11T05:59:59", True),
        (NIGHT, "2026-01-11T06:00:00", False),
        (NIGHT, "2026-07-10T20:00:00", True),
        (NIGHT, "2026-07-10T19:59:59", False),
        ("8:00 - 18:30", "2026-01-10T07:00:00", True),
        ("8:00 - 18:30", "2026-01-10T17:30:00", False),
        ("8:00 - 18:30", "2026-01-10T23:30:00", False),
    ],
)
@pytest.mark.usefixtures("berlin")
def test_hours_are_those_of_the_machine_in_winter_and_summer(text: str, at: str, quiet: bool) -> None:
    assert parse_quiet_hours(text).contains(datetime.fromisoformat(at).replace(tzinfo=UTC)) is quiet


@pytest.mark.parametrize("text", ["", "22-7", "22:00", "24:00-07:00", "22:60-07:00", "22:00-07:00 UTC"])
def test_what_are_no_hours_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="are no hours: write them as 22:00-07:00"):
        parse_quiet_hours(text)


def test_hours_without_an_end_are_refused() -> None:
    with pytest.raises(ValueError, match="the whole day or nothing of it"):
        parse_quiet_hours("07:00-07:00")


def test_no_batch_begins_in_quiet_hours_and_the_run_says_so_once(tmp_path: Path) -> None:
    lines: list[str] = []
    now = datetime(2026, 1, 10, 23).astimezone()
    with open_store(tmp_path / "arena.db", create=True) as store:
        league = leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        scheduler = LeagueScheduler(store, store.where, league)
        runner = LeagueRunner(
            store,
            [scheduler],
            Hosting(trusted=True),
            lines.append,
            quiet=parse_quiet_hours(NIGHT),
            clock=lambda: now,
        )
        assert scheduler.update(), "what was handed in is entered"
        for _ in range(2):
            assert trio.run(runner._lease, True) is None
        assert [row.state for row in Batches(store).of(league.id)] == ["waiting"]
        now += timedelta(hours=9)
        assert trio.run(runner._lease, True) is not None
        assert [row.state for row in Batches(store).of(league.id)] == ["leased"]
    assert lines == ["quiet hours: no batch begins before 07:00", "quiet hours are over"]
