"""The end of a season: frozen, its final played, its table stored."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.league.control import LeagueError, end_season, readmit_entry, retire_entry
from arena.league.freeze_verification import FreezeCheck
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import day_secret
from arena.league.results.publication import published_secret
from arena.league.results.season_report import report_season
from arena.league.results.season_table import SeasonPlace, unpack_table
from arena.league.run import rating
from arena.league.run.scheduler import LeagueScheduler
from arena.league.run.season_end import SeasonEnd
from arena.league.run.standings import LeagueStandings
from arena.league.store.batches import Batches
from arena.league.store.league_entries import SeasonFrozen
from arena.league.store.league_rows import Final, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.league.verification import league_problems
from arena.store import Store, StoreError, open_store
from arena.values.tournament_errors import PlanError
from sample_bots import SAMPLES
from tests import leagues
from tests.league.run.test_runner import RUN
from tests.tournament.processes import wait_until

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league whose three entries are placed and rated."""
    path = tmp_path_factory.mktemp("league") / "rated.db"
    with open_store(path, create=True) as store:
        league_of(store, OWNERS)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, create=True) as opened:
        yield opened


OWNERS = ("club/owl", "town/jay", "lake/eel")


@pytest.fixture
def league(rated: Path, path: Path) -> LeagueRow:
    shutil.copy(rated, path)
    with open_store(path) as store:
        return Leagues(store).named("cambio")


def league_of(store: Store, owners: tuple[str, ...], seats: int = 2) -> LeagueRow:
    """A league whose entries are placed and rated."""
    league = leagues.cambio(store, seats=seats)
    for name, bot in zip(owners, ("counter", "cautious", "random"), strict=False):
        leagues.submit_file(store, name, SAMPLES[bot].path)
    while any(entry.state == "placing" for entry in Leagues(store).entries(league.id)) or not league.results:
        leagues.play(store, 4)
        for entry in Leagues(store).entries(league.id):
            if entry.state == "placing":  # enough is known for a test
                Leagues(store).change_entry(league.id, entry.number, "standing", "test")
        league = Leagues(store).named(league.name)
    return league


def end(store: Store, name: str = "cambio", *, closes: bool = False, deals: int = 4) -> bool:
    return end_season(store, name, top=3, deals=deals, closes=closes, by="ann", reason="summer")[1]


def play_final(store: Store, league: LeagueRow, jobs: int = 1) -> None:
    """Play until the season has ended.

    jobs: how many referees play.
    """
    while Leagues(store).seasons(league.id)[0].ended is None:
        scheduler = LeagueScheduler(store, store.where, league)
        scheduler.update()
        if Batches(store).unplayed(league.id):
            report = report_season(store, league, 1)
            leagues.play(store, max(1, min(jobs, report.parts - report.played)), jobs=jobs)


def table(store: Store, league: LeagueRow, season: int = 1) -> tuple[SeasonPlace, ...]:
    packed = Seasons(store).standings(league.id, season)
    assert packed is not None
    return unpack_table(packed)


def problems(store: Store, league: LeagueRow) -> list[str]:
    return list(league_problems(store, Leagues(store).named(league.name)))


def test_a_final_decides_a_season_and_the_next_one_begins(league: LeagueRow, store: Store) -> None:
    assert end(store)
    assert not end(store), "once"
    leagues.submit_file(store, "late/bee", SAMPLES["bluffer"].path)
    play_final(store, league)

    first, second = Leagues(store).seasons(league.id)
    assert (first.phase, second.phase, second.number) == ("ended", "open", 2)
    assert first.commitment != second.commitment
    published = published_secret(store, league.id, first)
    assert published is not None
    assert published.secret == day_secret(first, first.days - 1).hex(), "of the whole season"
    assert published_secret(store, league.id, second) is None

    assert first.final is not None
    finalists = first.final.entries or ()
    assert {4 + 1, 4 + 2, 4 + 3} == set(finalists), "after four sample bots"
    finals = [batch for batch in Batches(store).of(league.id) if batch.kind == "final"]
    assert all(batch.state == "stored" and set(batch.entries) <= set(finalists) for batch in finals)
    assert sum(batch.matches for batch in finals) == len(list(combinations(finalists, 2))) * 4 * 2

    assert Seasons(store).with_table(league.id) == [1]
    rows = table(store, league)
    assert [row.rank for row in rows] == [1, 2, 3]
    scores = [row.final for row in rows if row.final is not None]
    assert [score.deals for score in scores] == [8, 8, 8]
    points = [score.points for score in scores]
    assert points == sorted(points, reverse=True), "in a round-robin the fit orders as the points do"
    kinds = [row.kind for row in Leagues(store).log(league.id)]
    of_end = [kind for kind in kinds if kind in ("freeze", "final", "end-season", "season")]
    assert of_end == ["freeze", "final", "end-season", "season"]
    assert problems(store, league) == []

    assert "late/bee@1" not in {entry.name for entry in Leagues(store).entries(league.id)}
    leagues.play(store, 1)
    assert "late/bee@1" in {entry.name for entry in Leagues(store).entries(league.id)}, "it waited for the next season"
    assert problems(store, league) == []


def test_a_final_whose_sums_are_missing_is_found(league: LeagueRow, store: Store) -> None:
    end(store)
    play_final(store, league)
    with closing(sqlite3.connect(store.where)) as connection, connection:
        connection.execute("UPDATE batches SET sums = NULL WHERE kind = 'final'")
    found = list(league_problems(store, Leagues(store).named(league.name), replay=False))
    assert "season 1: a stored batch has no sums: restore the database from a copy" in found


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [("closed", "is closed, for ever"), ("ended", "season 1 of the league cambio has ended already: the newest is 2")],
)
def test_what_happens_before_a_season_can_be_frozen_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch, meanwhile: str, said: str
) -> None:
    league = leagues.cambio(store)
    freeze = Seasons(store).freeze

    def late(_: Seasons, *args: Any) -> bool:
        if meanwhile == "closed":
            Leagues(store).set_state(league.id, "closed", "bob")
        else:
            assert freeze(*args)
            leagues.end_frozen_season(store, league)
        return freeze(*args)

    monkeypatch.setattr(Seasons, "freeze", late)
    with pytest.raises(LeagueError, match=said):
        end(store)
    assert [season.frozen for season in Leagues(store).seasons(league.id)][1:] in ([], [None])


def test_what_waits_is_dropped_and_what_is_leased_is_played_to_its_end(league: LeagueRow, store: Store) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    leased = Batches(store).lease(league.id, "somebody", 0, 10**15)
    assert leased is not None
    scheduler.update()
    assert {row.state for row in Batches(store).unplayed(league.id)} == {"leased", "waiting"}
    end(store)
    assert [(row.number, row.state) for row in Batches(store).unplayed(league.id)] == [(leased.number, "leased")]
    assert Batches(store).void(league.id) == [], "nobody is on trial for it"
    assert not scheduler.update()
    assert Leagues(store).seasons(league.id)[0].phase == "frozen", "until it is over"
    Batches(store).give_back(leagues.lease(leased), "released")
    assert not scheduler.update()
    assert Leagues(store).seasons(league.id)[0].phase == "frozen", "another runner plays it"
    play_final(store, league)
    played = Batches(store).get(league.id, leased.number)
    assert played is not None
    assert played.state == "stored"
    assert problems(store, league) == []


def test_a_runner_that_does_not_know_yet_draws_and_enters_nothing(league: LeagueRow, store: Store) -> None:
    Batches(store).void_unplayed(league.id, 0)
    late = LeagueScheduler(store, store.where, league)
    late._entries.read()
    late.rate()
    end(store)
    assert not late._draw(datetime.now(UTC), [])
    leagues.submit_file(store, "late/bee", SAMPLES["bluffer"].path)
    known = Leagues(store).entries(league.id)
    late._entries.enter_submissions(is_frozen=False)
    assert Leagues(store).entries(league.id) == known
    assert Batches(store).unplayed(league.id) == []


def test_two_runners_take_each_step_once(league: LeagueRow, store: Store) -> None:
    end(store, deals=2)
    one, other = (LeagueScheduler(store, store.where, league) for _ in range(2))
    while Leagues(store).seasons(league.id)[0].ended is None:
        one.update()
        other.update()
        if Batches(store).unplayed(league.id):
            leagues.play(store, 1)
    one.update()
    other.update()
    assert len(Leagues(store).seasons(league.id)) == 2
    assert all(len(states) == 1 for states in Batches(store).final_parts(league.id, 1).values())
    assert problems(store, league) == []


def test_a_runner_whose_view_is_old_ends_no_season(
    league: LeagueRow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    end(store, deals=2)
    slow = LeagueScheduler(store, store.where, league)
    while Leagues(store).seasons(league.id)[0].phase != "final":
        slow.update()
    missing = SeasonEnd.missing_part

    def beaten(self: SeasonEnd, active: Collection[int]) -> FinalPart | None:
        monkeypatch.setattr(SeasonEnd, "missing_part", missing)
        while LeagueScheduler(store, store.where, league).update():  # another runner draws meanwhile
            pass
        return missing(self, active)

    monkeypatch.setattr(SeasonEnd, "missing_part", beaten)
    slow.update()
    assert Leagues(store).seasons(league.id)[0].ended is None
    assert Batches(store).unplayed(league.id) != []


def test_what_was_decided_meanwhile_is_in_the_final_table_or_there_is_none_yet(league: LeagueRow, store: Store) -> None:
    end(store, deals=2)
    details = {"table": "", "left": [], "omitted": []}

    def view() -> tuple[int, int]:
        return Batches(store).next_number(league.id), Leagues(store).log_length(league.id)

    seen = view()
    Leagues(store).change_entry(league.id, 5, "retired", "club")
    assert not Seasons(store).end(league.id, 1, b"", details, "arena", None, seen)
    Leagues(store).set_state(league.id, "paused", "ann")
    assert not Seasons(store).end(league.id, 1, b"", details, "arena", None, view()), "nor while it is paused"
    Leagues(store).set_state(league.id, "closed", "ann")
    assert Leagues(store).seasons(league.id)[0].ended is not None, "its season ends with the league"
    assert not Seasons(store).end(league.id, 1, b"", details, "arena", None, view())
    assert not Seasons(store).freeze(league.id, 1, Final(2, 2, closes=False), "ann")


def test_a_league_that_is_closed_in_the_middle_of_a_final_is_sound(league: LeagueRow, store: Store) -> None:
    end(store, deals=2)
    while Leagues(store).seasons(league.id)[0].phase != "final":
        LeagueScheduler(store, store.where, league).update()
    Leagues(store).set_state(league.id, "closed", "ann")
    assert problems(store, league) == []
    assert Seasons(store).with_table(league.id) == []


def test_trials_outlast_the_freeze_and_challenges_do_not_begin(league: LeagueRow, store: Store) -> None:
    Batches(store).void_unplayed(league.id, 2**62)
    number = Batches(store).next_number(league.id)
    assert Batches(store).add(league.id, leagues.batch((1, 5), "trial", number), number)
    end(store)
    assert [row.kind for row in Batches(store).unplayed(league.id)] == ["trial"]
    with pytest.raises(SeasonFrozen, match="challenges go on in the next one"):
        leagues.challenge(store, "club/owl", "town/jay")


def test_a_bot_that_is_retired_leaves_a_final_and_a_new_version_waits(league: LeagueRow, store: Store) -> None:
    end(store)
    scheduler = LeagueScheduler(store, store.where, league)
    leagues.submit_file(store, "town/jay", SAMPLES["bluffer"].path)
    store.submissions.retire("club/owl", [1])
    scheduler.update()
    states = {entry.name: entry.state for entry in Leagues(store).entries(league.id)}
    assert (states["club/owl@1"], states["town/jay@1"]) == ("retired", "standing")
    assert "town/jay@2" not in states


def wait_for_advance(store: Store, league: LeagueRow, process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process has stored a decision or results."""

    def advance() -> tuple[int, int]:
        return Leagues(store).log_length(league.id), Leagues(store).named("cambio").results

    known = advance()
    wait_until(process, lambda: advance() != known)


@pytest.mark.processes
def test_a_final_that_is_killed_goes_on_where_it_was(league: LeagueRow, store: Store, path: Path) -> None:
    end(store, deals=40)
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE) as process:
            wait_for_advance(store, league, process)
            process.kill()
            process.wait()
        assert problems(store, league) == [], "at any moment"
    play_final(store, league, jobs=2)
    assert problems(store, league) == []
    assert [row.rank for row in table(store, league)] == [1, 2, 3]


def test_ratings_are_computed_anew_after_sums_could_not_be_read(
    league: LeagueRow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    end(store)
    LeagueScheduler(store, store.where, league).update()
    final = Leagues(store).seasons(league.id)[0].final
    assert final is not None
    [settled] = Leagues(store).log(league.id, "final")
    entries, log = Leagues(store).stored_entries(league.id), Leagues(store).log(league.id)
    check = FreezeCheck(store, league.id, entries, log, Batches(store).of(league.id))
    snapshot = Snapshot.from_text(Leagues(store).snapshot(league.id, final.snapshot))
    known = list(Batches(store).sums(league.id))
    assert len(known) > 1

    def broken_off(*_: Any, **__: Any) -> Iterator[tuple[int, str, bytes]]:
        yield known[0]
        raise StoreError("the sums of batch 2 are damaged")

    with monkeypatch.context() as patch:
        patch.setattr(Batches, "sums", broken_off)
        with pytest.raises(StoreError, match="damaged"):
            list(check.problems(1, snapshot, final.snapshot, settled.number))
    assert list(check.problems(1, snapshot, final.snapshot, settled.number)) == []


def older(snapshot: Snapshot) -> Snapshot:
    return Snapshot(snapshot.number - 1, snapshot.entries)


def without_the_last(snapshot: Snapshot) -> Snapshot:
    return Snapshot(snapshot.number, snapshot.entries[:-1])


def with_other(**change: int | str) -> Callable[[Snapshot], Snapshot]:
    """Forge a value of the last entry."""

    def forge(snapshot: Snapshot) -> Snapshot:
        *others, last = snapshot.entries
        return Snapshot(snapshot.number, [*others, replace(last, **change)])  # type: ignore[arg-type]

    return forge


@pytest.mark.parametrize(
    ("forge", "complaint"),
    [
        (older, r"chosen by the ratings after \d+ batches, when \d+ were stored"),
        (without_the_last, "does not hold the entries that played"),
        (with_other(elo=-3000), "the rating of entry 7 in snapshot"),
        (with_other(ci95=1), "the rating of entry 7 in snapshot"),
        (with_other(deals=1), "the rating of entry 7 in snapshot"),
        (with_other(owner="sea"), "the rating of entry 7 in snapshot"),
    ],
)
def test_finalists_that_other_ratings_chose_are_found(
    league: LeagueRow,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    forge: Callable[[Snapshot], Snapshot],
    complaint: str,
) -> None:
    end(store)
    newest = LeagueStandings.snapshot
    monkeypatch.setattr(LeagueStandings, "snapshot", lambda *args, **kinds: forge(newest(*args, **kinds)))
    LeagueScheduler(store, store.where, league).update()
    found = list(league_problems(store, league, replay=False))
    assert found, "it is as the log says, and wrong"
    assert all(re.search(complaint, problem) for problem in found), found


def test_a_log_before_a_final_that_names_an_entry_that_is_not_there_is_found(league: LeagueRow, store: Store) -> None:
    end(store)
    LeagueScheduler(store, store.where, league).update()
    with closing(sqlite3.connect(store.where)) as connection, connection:
        connection.execute(
            """UPDATE league_log SET details = '{"bot":"samples/random@1","entry":-1}' WHERE number = 2"""
        )
    found = list(league_problems(store, league, replay=False))
    assert "entry 2 of its log is not as it was written, or one before it is missing" in found
    assert any("does not hold the entries that played" in problem for problem in found)


def test_no_finalists_are_settled_by_ratings_that_are_older_than_a_decision(
    league: LeagueRow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    end(store)
    settle = SeasonEnd.settle

    def late(self: SeasonEnd, *args: Any) -> bool:
        Leagues(store).change_entry(league.id, 5, "retired", "club")
        return settle(self, *args)

    monkeypatch.setattr(SeasonEnd, "settle", late)
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    assert Leagues(store).seasons(league.id)[0].phase == "frozen"
    scheduler.update()
    [season] = Leagues(store).seasons(league.id)
    assert season.final is not None
    assert set(season.final.entries or ()) == {6, 7}
    assert problems(store, league) == []


def test_a_league_is_closed_after_its_last_final(league: LeagueRow, store: Store) -> None:
    end(store, closes=True)
    assert leagues.play(store, None).batches >= 1, "until all leagues are closed"
    assert Leagues(store).named("cambio").state == "closed"
    assert [season.phase for season in Leagues(store).seasons(league.id)] == ["ended"]
    assert [row.rank for row in table(store, league)] == [1, 2, 3]
    assert problems(store, league) == []
    with pytest.raises(LeagueError, match="is closed, for ever"):
        end(store)


def test_with_too_few_for_a_table_the_ratings_decide(store: Store) -> None:
    league = league_of(store, ("club/owl", "town/jay"), seats=3)
    end(store)
    play_final(store, league)
    [first, _] = Leagues(store).seasons(league.id)
    assert first.final is not None
    assert first.final.entries == ()
    rows = table(store, league)
    assert [(row.rank, row.final) for row in rows] == [(1, None), (2, None)]
    assert rows[0].elo >= rows[1].elo
    assert problems(store, league) == []


def test_a_finalist_that_leaves_stands_after_the_others(league: LeagueRow, store: Store) -> None:
    end(store)
    scheduler = LeagueScheduler(store, store.where, league)
    assert not scheduler.update()
    [season] = Leagues(store).seasons(league.id)
    assert season.final is not None
    assert season.final.entries is not None
    best = season.final.entries[0]
    Leagues(store).change_entry(league.id, best, "suspended", "ann", "it cheats")
    play_final(store, league)
    rows = table(store, league)
    assert [row.has_left for row in rows] == [False, False, True]
    assert (rows[-1].entry, rows[-1].final) == (best, None)
    assert all(best not in batch.entries for batch in Batches(store).of(league.id) if batch.kind == "final")
    assert problems(store, league) == []


def test_a_part_without_a_result_is_drawn_again_and_then_left_out(league: LeagueRow, store: Store, path: Path) -> None:
    end(store)
    scheduler = LeagueScheduler(store, store.where, league)
    seen = []
    while True:
        scheduler.update()
        if Leagues(store).seasons(league.id)[0].ended is not None:
            break
        for row in Batches(store).unplayed(league.id):
            seen.append((row.kind, row.part))
            ended = "2026-03-01" if row.kind == "trial" else None  # a trial that has no consequences
            with sqlite3.connect(path) as connection:
                change = "UPDATE batches SET state = 'void', failed = 3, ended = ? WHERE number = ?"
                connection.execute(change, [ended, row.number])
    assert seen.count(("final", 0)) == 2, "with other deals, and then no more"
    assert ("trial", None) in seen
    [entry] = Leagues(store).log(league.id, "end-season")
    assert entry.details["omitted"] == sorted({part for kind, part in seen if kind == "final" and part is not None})
    assert problems(store, league) == []


def test_a_part_that_nobody_attempted_is_drawn_again_however_often(league: LeagueRow, store: Store) -> None:
    end(store)
    for _ in range(3):  # as where bots are barred one after the other
        while not Batches(store).unplayed(league.id):
            LeagueScheduler(store, store.where, league).update()
        [waiting] = Batches(store).unplayed(league.id)
        assert waiting.kind == "final"
        Batches(store).void_of(league.id, waiting.entries, 0)
    play_final(store, league)
    [entry] = Leagues(store).log(league.id, "end-season")
    assert entry.details["omitted"] == []
    assert problems(store, league) == []


def test_who_was_readmitted_before_a_season_was_frozen_is_in_its_final(
    league: LeagueRow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "placement_over", lambda *_: "enough is known")
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    Batches(store).void_unplayed(league.id, 2**62)
    Leagues(store).change_entry(league.id, 5, "suspended", "ann", "by mistake")
    scheduler.update()
    readmit_entry(store, league, 5, "ann", "", organiser=True)
    end(store)
    Batches(store).void_unplayed(league.id, 2**62)
    scheduler.update()
    [season] = Leagues(store).seasons(league.id)
    assert season.final is not None
    assert set(season.final.entries or ()) == {5, 6, 7}
    assert problems(store, league) == []


def test_a_season_ends_by_itself_where_the_league_says_so(store: Store, path: Path) -> None:
    league = leagues.cambio(store, season_days=30)
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    assert Leagues(store).seasons(league.id)[0].phase == "open"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seasons SET first_day = '2026-01-01'")
    scheduler.update()
    assert Leagues(store).seasons(league.id)[0].phase == "frozen"
    assert Leagues(store).log(league.id, "freeze")[0].reason == "it has lasted 30 days"
    for _ in range(2):
        scheduler.update()
    assert [season.phase for season in Leagues(store).seasons(league.id)] == ["ended", "open"]


def test_a_season_whose_secrets_are_used_up_ends_once_its_batches_are_over(
    league: LeagueRow, store: Store, path: Path
) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    leased = Batches(store).lease(league.id, "somebody", 0, 2**62)
    assert leased is not None
    scheduler.update()
    first_day = (datetime.now(UTC).date() - timedelta(days=401)).isoformat()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seasons SET first_day = ?", [first_day])
    number = Batches(store).next_number(league.id)
    assert Batches(store).add(league.id, replace(leagues.batch((1, 5), "trial", number), day=399), number)
    assert not scheduler.update()
    assert [(row.number, row.state) for row in Batches(store).unplayed(league.id)] == [(leased.number, "leased")]
    assert [season.phase for season in Leagues(store).seasons(league.id)] == ["open"], "until that is stored"
    assert Batches(store).finish(leagues.lease(leased), leagues.result()) is not None
    scheduler.update()
    assert [season.phase for season in Leagues(store).seasons(league.id)] == ["ended", "open"]
    scheduler.update()
    [waiting] = Batches(store).unplayed(league.id)
    assert waiting.season == 2
    stored = [row for row in Batches(store).of(league.id) if row.season == 1]
    assert max(row.number for row in stored) < waiting.number


@pytest.mark.parametrize(
    ("top", "deals", "complaint"),
    [
        (1, None, "needs the finalists of a table, 2, and not 1"),
        (500, None, "500 finalists have 124,750 tables of 2, and a final has at most 5,000"),
        (None, 1001, "1 to 1000 deals, not 1001"),
    ],
)
def test_finals_that_cannot_be_played(store: Store, top: int | None, deals: int | None, complaint: str) -> None:
    league = leagues.cambio(store)
    with pytest.raises(PlanError, match=complaint):
        end_season(store, "cambio", top=top, deals=deals, closes=False, by=None, reason="")
    assert Leagues(store).seasons(league.id)[0].phase == "open"


def test_one_entry_of_each_owner_is_in_the_final(store: Store) -> None:
    from arena.league.plan.final import choose_finalists
    from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot

    def rated(number: int, owner: str, elo: int, **more: bool) -> RatedEntry:
        return RatedEntry(number, owner, elo, 20, 100, 100, 10, **more)

    entries = [
        rated(1, "", 900),
        rated(2, "club", 50),
        rated(3, "club", 80),
        rated(4, "town", 60),
        rated(5, "lake", 99, is_placing=True),
        rated(6, "hill", 60),
    ]
    assert choose_finalists(Snapshot(7, entries), [1], 8, 2) == (3, 4, 6)
    assert choose_finalists(Snapshot(7, entries), [1], 2, 2) == (3, 4)
    assert choose_finalists(Snapshot(7, entries), [1], 8, 4) == ()


@pytest.mark.parametrize("organiser", [False, True])
def test_who_has_left_a_final_does_not_come_back_into_it(league: LeagueRow, store: Store, organiser: bool) -> None:
    end(store, deals=2)
    while Leagues(store).seasons(league.id)[0].phase != "final":
        LeagueScheduler(store, store.where, league).update()
    [owl] = [entry.number for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@1"]
    retire_entry(store, league, owl, "club", "", organiser=False)
    with pytest.raises(LeagueError, match="club/owl@1 has left the final of season 1"):
        readmit_entry(store, league, owl, "club", "", organiser=organiser)
    while Leagues(store).seasons(league.id)[0].ended is None:
        leagues.play(store, 1)
    readmit_entry(store, league, owl, "club", "", organiser=organiser)
