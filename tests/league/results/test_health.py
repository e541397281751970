"""Which leagues can draw and play, as their runs tell it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.league.results.health import FAILING, SILENT, STUCK, LeagueHealth, in_words, league_health
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.league_runs import LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues

NOW = datetime.now(UTC)

REASON = "bots cannot be unpacked into /var/cache/arena: Permission denied"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    """A league that should play: one of its entries is no anchor."""
    league = leagues.cambio(store)
    row = leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    Leagues(store).enter(league.id, leagues.entry(row), "club")
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE entries SET entered = '2026-02-01T00:00:00+00:00'")
    return league


def ago(span: timedelta) -> str:
    return (NOW - span).isoformat(timespec="seconds")


def run(league: LeagueRow, runner: str = "here", **values: object) -> LeagueRunRow:
    row = LeagueRunRow(league.id, runner, ago(timedelta(days=1)), ago(timedelta(seconds=5)))
    return replace(row, **values)  # type: ignore[arg-type]


def health(store: Store, *rows: LeagueRunRow, began: datetime | None = None) -> LeagueHealth:
    LeagueRuns(store).write(rows, "")
    [found] = league_health(store, NOW, began)
    return found


def add_batch(store: Store, league: LeagueRow, number: int, drawn: timedelta) -> None:
    assert Batches(store).add(league.id, leagues.batch(), number)
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE batches SET created = '{ago(drawn)}' WHERE number = {number}")


def test_a_league_whose_runs_have_no_problem_is_healthy(store: Store, league: LeagueRow) -> None:
    assert health(store, run(league)) == LeagueHealth("cambio", None, None, "", is_failing=False)


def test_a_run_that_draws_nothing_for_minutes_is_told_with_its_reason(store: Store, league: LeagueRow) -> None:
    failing = run(league, failing_since=ago(timedelta(minutes=13)), problem=REASON)
    found = health(store, failing)
    assert found.is_failing
    assert found.sentence(NOW) == f"the league cambio has drawn or played nothing for 13 minutes: {REASON}"
    assert found.sentence(NOW, reason=False) == "the league cambio has drawn or played nothing for 13 minutes"
    just = health(store, replace(failing, failing_since=ago(FAILING - timedelta(seconds=1))))
    assert (just.is_failing, just.reason) == (False, REASON)


def test_what_another_run_can_play_is_no_standstill(store: Store, league: LeagueRow) -> None:
    failing = run(league, failing_since=ago(timedelta(minutes=13)), problem=REASON)
    found = health(store, failing, run(league, "there"))
    assert not found.is_failing
    assert found.sentence(NOW) == f"a run of the league cambio can neither draw nor play, while others do: {REASON}"
    gone = run(league, "there", heard=ago(SILENT))
    assert health(store, failing, gone).is_failing, "a run that has ended plays nothing"


@pytest.mark.parametrize(
    "values", [{}, {"failing_since": ago(timedelta(hours=1)), "problem": REASON}], ids=["fine", "failing"]
)
def test_a_league_with_nothing_to_do_is_healthy(store: Store, league: LeagueRow, values: dict[str, str]) -> None:
    assert not health(store, run(league, is_quiet=True, **values)).is_failing
    LeagueRuns(store).write([run(league, **values)], "")
    Leagues(store).change_entry(league.id, 5, "retired", "test")
    [found] = league_health(store, NOW)
    assert (found.is_failing, found.reason) == (False, ""), "only anchors are left"
    Leagues(store).set_state(league.id, "paused", "ann")
    assert league_health(store, NOW) == []


def test_a_league_that_nothing_runs_is_failing_once_somebody_has_watched_for_minutes(
    store: Store, league: LeagueRow
) -> None:
    assert not health(store, began=NOW - timedelta(seconds=1)).is_failing, "the server has just started"
    found = health(store, began=NOW - FAILING)
    assert found.is_failing
    assert "nothing runs it" in found.sentence(NOW)
    heard = NOW.replace(microsecond=0) - timedelta(hours=3)
    found = health(store, run(league, heard=heard.isoformat()))
    assert (found.is_failing, found.since) == (True, heard)


def test_batches_that_come_to_no_result_are_noticed_without_an_error(store: Store, league: LeagueRow) -> None:
    add_batch(store, league, 1, STUCK)
    assert health(store, run(league)).is_failing
    fresh = run(league, began=ago(STUCK - timedelta(seconds=1)))
    assert not health(store, fresh).is_failing, "the run began later"
    add_batch(store, league, 2, timedelta(minutes=1))
    first = Batches(store).lease(league.id, "here", 0, 2**60)
    assert first is not None
    assert Batches(store).finish(leagues.lease(first), leagues.result([])) is not None
    found = health(store, run(league))
    assert not found.is_failing
    assert found.stored is not None


def test_a_league_waits_while_others_are_played(store: Store, league: LeagueRow) -> None:
    add_batch(store, league, 1, 2 * STUCK)
    other = leagues.cambio(store, "other")
    assert Batches(store).add(other.id, leagues.batch(), 1)
    leased = Batches(store).lease(other.id, "here", 0, 2**60)
    assert leased is not None
    assert Batches(store).finish(leagues.lease(leased), leagues.result([])) is not None
    LeagueRuns(store).write([run(league)], "")
    by_name = {found.league: found for found in league_health(store, NOW)}
    assert not by_name["cambio"].is_failing
    assert Batches(store).lease(league.id, "here", 0, 2**60) is not None
    by_name = {found.league: found for found in league_health(store, NOW)}
    assert by_name["cambio"].is_failing, "it is its turn, and still nothing comes"


def test_a_league_of_other_rules_is_told_with_the_reason(store: Store, league: LeagueRow) -> None:
    leagues.change_definition(store, "cambio", behaviour=999)
    found = health(store, run(league))
    assert found.is_failing
    assert "999" in found.reason


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(59, "0 minutes"), (60, "1 minute"), (780, "13 minutes"), (7199, "119 minutes"), (7200, "2 hours"),
     (86400, "24 hours"), (172_800, "2 days")],
)  # fmt: skip
def test_spans_are_told_in_round_words(seconds: int, words: str) -> None:
    assert in_words(timedelta(seconds=seconds)) == words
