"""Divisions of a league that is played: decided once, by stored ratings, and verified."""

import io
import json
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.league.archive.exporting import league_lines
from arena.league.archive.importing import LeagueArchive
from arena.league.control import end_season, retire_entry
from arena.league.divisions.decisions import DivisionDecision, DivisionDecisions, holders
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.store import Store, open_store
from arena.store.engine.outbox import listen, read_events
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

OWNERS = {"club/owl": "counter", "town/jay": "cautious", "lake/eel": "random"}


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two divisions of two, whose three entries are placed and rated."""
    path = tmp_path_factory.mktemp("league") / "rated.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(
            store, divisions=2, division_size=2, division_moves=1, division_days=7, final_top=2, final_deals=2
        )
        for name, bot in OWNERS.items():
            leagues.submit_file(store, name, SAMPLES[bot].path)
        leagues.play(store, 4)
        for entry in Leagues(store).entries(league.id):
            if entry.state == "placing":
                Leagues(store).change_entry(league.id, entry.number, "standing", "test")
        leagues.play(store, 1)
    return path


@pytest.fixture
def path(rated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(rated, tmp_path / "arena.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, write=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    return Leagues(store).named("cambio")


def later(path: Path, days: int) -> None:
    """Let the season have begun so many days ago."""
    first_day = (datetime.now(UTC).date() - timedelta(days=days)).isoformat()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seasons SET first_day = ? WHERE ended IS NULL", [first_day])


def problems(store: Store, league: LeagueRow) -> list[str]:
    # The season is said to have begun earlier than it did, so days of batches are others.
    return [problem for problem in league_problems(store, league, replay=False) if "that of day" not in problem]


def decisions(store: Store, league: LeagueRow) -> list[DivisionDecision]:
    return DivisionDecisions(store, league.id).all()


def test_nothing_is_decided_before_the_first_span_is_over(store: Store, league: LeagueRow, path: Path) -> None:
    LeagueScheduler(store, store.where, league).update()
    later(path, 6)
    LeagueScheduler(store, store.where, league).update()
    assert decisions(store, league) == []
    assert problems(store, league) == []


def test_a_span_is_decided_once_by_whichever_runner_comes_first(store: Store, league: LeagueRow, path: Path) -> None:
    later(path, 8)
    one, other = (LeagueScheduler(store, store.where, league) for _ in range(2))
    one.update()
    other.update()
    one.update()
    [decided] = decisions(store, league)
    assert (decided.season, decided.span, decided.down) == (1, 1, ())
    assert sorted(decided.places[0]) == sorted(decided.up)
    assert len(decided.places[0]) == 2
    later(path, 15)
    other.update()
    assert [row.span for row in decisions(store, league)] == [1, 2]
    assert problems(store, league) == []


def test_a_result_or_a_decision_meanwhile_makes_it_try_again(
    store: Store, league: LeagueRow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(path, 8)
    scheduler = LeagueScheduler(store, store.where, league)
    add = DivisionDecisions.add

    def beaten(self: DivisionDecisions, *arguments: object) -> bool:
        monkeypatch.setattr(DivisionDecisions, "add", add)
        number = next(entry.number for entry in Leagues(store).entries(league.id) if entry.owner == "club")
        retire_entry(store, league, number, "ann", "", organiser=True)
        return add(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(DivisionDecisions, "add", beaten)
    scheduler.update()
    assert decisions(store, league) == []
    scheduler.update()
    names = {entry.number: entry.owner for entry in Leagues(store).entries(league.id)}
    assert {names[entry] for entry in decisions(store, league)[0].places[0]} == {"town", "lake"}
    assert problems(store, league) == []


def test_the_newest_version_of_a_bot_has_its_place(store: Store, league: LeagueRow, path: Path) -> None:
    later(path, 8)
    LeagueScheduler(store, store.where, league).update()
    [decided] = decisions(store, league)
    before = {entry.number: entry for entry in Leagues(store).entries(league.id)}
    best = before[decided.places[0][0]]
    leagues.submit_file(store, best.submission[0], SAMPLES["banker"].path)
    LeagueScheduler(store, store.where, league).update()
    entries = {entry.number: entry for entry in Leagues(store).entries(league.id)}
    active = [entry.number for entry in entries.values() if entry.is_active]
    newest = max(active)
    assert holders(decided.places, entries, active)[0] == (newest, decided.places[0][1])
    assert best.number not in active
    later(path, 15)
    LeagueScheduler(store, store.where, league).update()
    assert problems(store, league) == []


def test_a_season_ends_with_a_final_of_the_first_division_and_new_divisions(
    store: Store, league: LeagueRow, path: Path
) -> None:
    later(path, 8)
    LeagueScheduler(store, store.where, league).update()
    [first] = decisions(store, league)
    end_season(store, "cambio", top=None, deals=None, closes=False, by="ann", reason="")
    while Leagues(store).seasons(league.id)[0].ended is None:
        LeagueScheduler(store, store.where, league).update()
        if Batches(store).unplayed(league.id):
            leagues.play(store, 1)
    final = Leagues(store).seasons(league.id)[0].final
    assert final is not None
    assert sorted(final.entries or ()) == sorted(first.places[0])
    assert [(row.season, row.span) for row in decisions(store, league)] == [(1, 1), (1, 2)]
    kinds = [row.kind for row in Leagues(store).log(league.id)]
    assert kinds.index("final") < len(kinds) - kinds[::-1].index("divide") - 1 < kinds.index("end-season")
    assert problems(store, league) == []

    archive = io.BytesIO(b"".join(league_lines(store, Leagues(store).named("cambio"), 1)))
    with open_store(path.with_name("other.db"), create=True) as other:
        LeagueArchive.of(archive, "season.jsonl").take_in(other)
        imported = Leagues(other).named("cambio")
        assert decisions(other, imported) == decisions(store, league)
        assert problems(other, imported) == []


def test_a_season_after_which_the_league_is_closed_ends_without_new_divisions(store: Store, league: LeagueRow) -> None:
    end_season(store, "cambio", top=None, deals=None, closes=True, by="ann", reason="")
    while Leagues(store).seasons(league.id)[0].ended is None:
        LeagueScheduler(store, store.where, league).update()
        if Batches(store).unplayed(league.id):
            leagues.play(store, 1)
    assert decisions(store, league) == []
    assert problems(store, league) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"up": []}, "who is in which division does not follow from snapshot"),
        ({"span": 3}, "which did not end then"),
        ({"season": 2}, "which did not go on then"),
        ({"snapshot": 99}, "snapshot 99, from which it follows, is missing"),
        ({"batch": 1}, "and others were stored"),
    ],
)
def test_what_was_changed_is_found(
    store: Store, league: LeagueRow, path: Path, change: dict[str, object], complaint: str
) -> None:
    later(path, 8)
    LeagueScheduler(store, store.where, league).update()
    with sqlite3.connect(path) as connection:
        [text] = connection.execute("SELECT details FROM league_log WHERE kind = 'divide'").fetchone()
        changed = json.dumps(json.loads(text) | change)
        connection.execute("UPDATE league_log SET details = ? WHERE kind = 'divide'", [changed])
    found = problems(store, league)
    assert any(complaint in problem for problem in found), found


def test_owners_are_told_of_promotion_and_relegation(store: Store, league: LeagueRow, path: Path) -> None:
    with store.write(numbers=True) as connection:
        listen(connection, "test")
    later(path, 8)
    LeagueScheduler(store, store.where, league).update()
    with store.write(numbers=True) as connection:
        told = [event for event in read_events(connection, "test") or () if event.kind == "entry.promoted"]
    assert [event.data["division"] for event in told] == [1, 1]
    assert {event.account for event in told} < {"club", "town", "lake"}
