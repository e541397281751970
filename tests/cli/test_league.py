"""`arena league` as an organiser uses it."""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.tournament_options import RefereeOptions
from arena.league.plan.definition import LeagueDefinition
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_DB", str(tmp_path / "arena.db"))
    monkeypatch.setenv("ARENA_TRUST_BOTS", "1")
    # Batches are as short as they may be.
    monkeypatch.setattr(LeagueDefinition, "seconds_of", lambda definition, kind: 0.02)
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, create=True) as opened:
        yield opened


def arena(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["league", *words], prog_name="arena")
    assert result.exit_code == code, result.output
    return result


CREATE = ("create", "cambio", "--game", "cambio", "--seats", "2", "--deals", "2", "-o", "chips=2")


@pytest.mark.processes
def test_a_league_from_its_creation_to_its_end(store: Store) -> None:
    created = json.loads(arena(*CREATE, "--json").output)
    assert created["anchors"] == ["samples/random@1", "samples/cautious@1", "samples/counter@1", "samples/bluffer@1"]
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
    assert "batches" in arena("run", "--batches", "3").stdout

    board = json.loads(arena("board", "cambio", "--json").output)
    assert {row["bot"] for row in board["rows"]} == {*created["anchors"], "club/owl@1", "town/jay@1"}
    assert board["batches"] >= 3
    rows = list(csv.DictReader(io.StringIO(arena("board", "cambio", "--csv").output)))
    assert [row["bot"] for row in rows] == [row["bot"] for row in board["rows"]]
    text = arena("board", "cambio").output
    assert text.startswith(f"League cambio: cambio, {board['matches']:,} matches in {board['batches']} batches\n")
    assert "club/owl@1" in text

    shown = json.loads(arena("show", "cambio", "--log", "--json").output)
    assert shown["definition_hash"] == created["definition_hash"]
    assert shown["seasons"][0]["commitment"] == created["commitment"]
    assert shown["seasons"][0]["published"] is None, "the day is not over"
    assert [row["kind"] for row in shown["log"]][:6] == ["create", *["enter"] * 5]
    assert Leagues(store).seasons(1)[0].secret.hex() not in arena("show", "cambio", "--json", "--log").output
    assert "entries: " in arena("show", "cambio", "--log").output

    batch = json.loads(arena("batch", "cambio", "1", "--json").output)
    assert (batch["kind"], batch["state"], batch["attempts"][0]["outcome"]) == ("placement", "stored", "stored")
    assert "beats 1" in arena("batch", "cambio", "1").output
    assert arena("verify", "cambio").stdout.startswith("league cambio: ")

    listed = json.loads(arena("list", "--json").output)["leagues"]
    assert [(row["league"], row["state"], row["entries"]) for row in listed] == [("cambio", "open", 6)]
    assert arena("close", "cambio", "--reason", "summer").output == "league cambio is closed\n"
    assert "the league cambio is closed" in arena("run", "cambio", code=2).output
    assert "has no open league" in arena("run", code=2).output


def test_entries_are_taken_out_and_let_in_again(store: Store) -> None:
    arena(*CREATE)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    arena("run", "--batches", "1")
    assert arena("retire", "cambio", "club/owl").output == "club/owl@1 plays no more in the league cambio\n"
    assert "club/owl@1 is retired already" in arena("retire", "cambio", "club/owl", code=2).output
    assert "club/owl@1" not in arena("board", "cambio").output
    assert "retired" in arena("board", "cambio", "--all").output
    assert arena("readmit", "cambio", "club/owl@1").output == "club/owl@1 is placed again in the league cambio\n"
    assert "no bot club/jay takes part" in arena("retire", "cambio", "club/jay", code=2).output
    assert "is one of the sample bots whose mean is 0 Elo" in arena("retire", "cambio", "samples/random", code=2).output


def test_a_bot_that_is_reinstated_is_readmitted_to_its_leagues_by_hand(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, league)
    retire = ["bots", "retire", "club/owl", "--db", store.where]
    assert CliRunner().invoke(main, [*retire, "--back"]).output == "club/owl is reinstated\n", "it is in no league yet"
    scheduler.update()
    CliRunner().invoke(main, retire)
    scheduler.update()
    assert CliRunner().invoke(main, [*retire, "--back"]).output.splitlines() == [
        "club/owl is reinstated",
        "club/owl@1 stays retired in the league cambio until: arena league readmit cambio club/owl",
    ]
    assert "is placed again" in arena("readmit", "cambio", "club/owl").output


def test_a_league_is_paused_and_resumed(store: Store) -> None:
    arena(*CREATE)
    assert "is not paused" in arena("resume", "cambio", code=2).output
    assert arena("pause", "cambio").output == "league cambio is paused\n"
    assert "is paused already" in arena("pause", "cambio", code=2).output
    assert arena("resume", "cambio").output == "league cambio is open again\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("create", "Cambio", "--game", "cambio"), "is no name of a league"),
        (("create", "cambio", "--game", "camboi"), "cambio"),
        (("create", "cambio", "--game", "cambio", "--seats", "99"), "99"),
        (("board", "cambio"), "no database"),
        (("list",), "has no leagues"),
    ],
)
def test_what_cannot_be_is_said(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in arena(*words, code=0 if words == ("list",) else 2).output


def test_leagues_that_are_not_there_are_said(store: Store) -> None:
    arena(*CREATE)
    assert "has a league cambio already" in arena(*CREATE, code=2).output
    assert 'did you mean "cambio"?' in arena("board", "cambia", code=2).output
    assert "has no batch 7" in arena("batch", "cambio", "7", code=2).output
    assert Leagues(store).named("cambio").game == "cambio"


@pytest.mark.processes
def test_a_season_ends_with_a_final(store: Store, tmp_path: Path) -> None:
    arena(*CREATE, "--final-top", "2", "--final-deals", "2")
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
    arena("run", "--batches", "2")
    for number in (5, 6):
        Leagues(store).change_entry(1, number, "standing", "test")  # enough is known for a test
    assert "Aborted" in arena("end-season", "cambio", code=1).output, "nobody said yes"
    assert "has no season 2: the newest is 1" in arena("end-season", "cambio", "--season", "2", "--yes", code=2).output
    frozen = arena("end-season", "cambio", "--season", "1", "--yes").output
    assert frozen.startswith("season 1 of the league cambio is frozen\n")
    assert "is frozen already" in arena("end-season", "cambio", "--yes").output
    assert "season 1 is frozen: its final begins when" in arena("board", "cambio").output
    assert "season 1 is frozen" in arena("board", "cambio", "--season", "1").output
    archives = tmp_path / "new" / "archives"
    while Leagues(store).seasons(1)[0].phase != "ended":
        arena("run", "--batches", "1", "--archives", str(archives))

    arena("export", "cambio", str(tmp_path / "season.jsonl"))
    assert (archives / "cambio-season-1.jsonl").read_bytes() == (tmp_path / "season.jsonl").read_bytes()
    assert "season 1 of the league cambio has ended already: the newest is 2" in (
        arena("end-season", "cambio", "--season", "1", "--yes", code=2).output
    )
    table = json.loads(arena("board", "cambio", "--season", "1", "--json").output)
    assert (table["season"], table["phase"]) == (1, "ended")
    assert [row["rank"] for row in table["rows"]] == [1, 2]
    assert {row["bot"] for row in table["rows"]} == {"club/owl@1", "town/jay@1"}
    assert [row["final_deals"] for row in table["rows"]] == [2, 2]
    rows = list(csv.DictReader(io.StringIO(arena("board", "cambio", "--season", "1", "--csv").output)))
    assert [row["bot"] for row in rows] == [row["bot"] for row in table["rows"]]
    text = arena("board", "cambio", "--season", "1").output
    assert text.startswith("League cambio: season 1 has ended\n")
    assert "of 4" in text
    assert "League cambio: season 2 goes on" in arena("board", "cambio", "--season", "2").output
    assert "has no season 3: it has 1 to 2" in arena("board", "cambio", "--season", "3", code=2).output
    shown = json.loads(arena("show", "cambio", "--json").output)
    assert [season["phase"] for season in shown["seasons"]] == ["ended", "open"]
    assert shown["seasons"][0]["published"]["day"] == 399, "all secrets"
    assert "(ended): commitment" in arena("show", "cambio").output
    assert arena("verify", "cambio").stdout.startswith("league cambio: ")


def test_a_league_that_cannot_be_played_stops_no_other(store: Store) -> None:
    arena(*CREATE)
    for name in ("old", "gone", "later"):
        arena("create", name, "--game", "cambio")
    leagues.change_definition(store, "old", behaviour=9)
    leagues.change_definition(store, "gone", game="chess")
    leagues.change_definition(store, "later", version=9)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    done = arena("run", "--batches", "1")
    assert "the league old is not run: the league plays version 9 of the rules of cambio" in done.stderr
    assert 'the league gone is not run: there is no game "chess"' in done.stderr
    assert "the league later is not run: the league was created with version 9 of the draw" in done.stderr
    assert [row.league for row in Batches(store).of(1) if row.state == "stored"] == [1]
    assert "the league plays version 9 of the rules of cambio" in arena("run", "old", code=2).stderr
    for name in ("old", "gone", "later"):
        assert "\nit cannot be played: " in arena("show", name).output
        arena("close", name, "--reason", "other rules")
        assert "cannot be played" not in arena("show", name).output
    arena("close", "cambio", "--reason", "summer")
    assert "has no open league to run" in arena("run", code=2).stderr


def test_a_league_that_draws_nothing_is_shown_with_the_reason(store: Store) -> None:
    arena(*CREATE)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    arena("run", "--batches", "1")
    assert json.loads(arena("show", "cambio", "--json").output)["problem"] == ""
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE league_runs SET failing_since = heard, problem = 'the disk is full'")
    sentence = "the league cambio has drawn or played nothing for 0 minutes: the disk is full"
    assert json.loads(arena("show", "cambio", "--json").output)["problem"] == sentence
    assert f"\n{sentence}\n" in arena("show", "cambio").output


def test_finals_that_cannot_be_played_are_refused_at_once(store: Store) -> None:
    sentence = "500 finalists have 124,750 tables of 2"
    assert sentence in arena(*CREATE, "--final-top", "500", code=2).output
    arena(*CREATE)
    assert sentence in arena("end-season", "cambio", "--top", "500", "--yes", code=2).output
    assert Leagues(store).seasons(1)[0].phase == "open"


@pytest.mark.processes
def test_grants_are_given_shown_and_revoked(store: Store) -> None:
    arena(*CREATE)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    arena("run", "--batches", "1")
    assert "grants" not in arena("board", "cambio").output.splitlines()[2], "no column where nobody has one"
    granted = arena("grant", "cambio", "club/owl", "network", "device:/dev/full", "--secret", "THE_KEY", "--by", "ann")
    sentence = "club/owl@1 is granted network, device:/dev/full, the variable THE_KEY"
    assert granted.output == f"{sentence} in the league cambio\n"
    run = arena("run", "--batches", "1")
    assert "club/owl@1 plays without THE_KEY in the league cambio: the variable is not set" in run.stderr

    lines = arena("board", "cambio").output.splitlines()
    assert lines[2].split()[-1] == "grants"
    assert next(line for line in lines if "club/owl@1" in line).endswith("network, device:/dev/full")
    assert "grants: what the organiser gave single bots beyond others" in lines[-1]
    rows = json.loads(arena("board", "cambio", "--json").output)["rows"]
    assert {row["bot"]: row["grants"] for row in rows if row["grants"]} == {
        "club/owl@1": ["network", "device:/dev/full"]
    }
    assert "network device:/dev/full" in arena("board", "cambio", "--csv").output
    shown = arena("show", "cambio", "--log").output
    assert f"  {sentence}\n" in shown
    assert "ann grant entry 5, which has network, device:/dev/full, THE_KEY now" in shown
    [entry] = [row for row in json.loads(arena("show", "cambio", "--json").output)["entries"] if row["entry"] == 5]
    assert (entry["grants"], entry["secrets"], entry["later_versions"], entry["unmet_needs"]) == (
        ["network", "device:/dev/full"],
        ["THE_KEY"],
        False,
        [],
    )
    newest = str(Batches(store).of(1)[-1].number + 1)
    batch = json.loads(arena("batch", "cambio", newest, "--json").output)
    assert {row["bot"]: row["grants"] for row in batch["entries"]}["club/owl@1"] == ["network", "device:/dev/full"]
    assert "club/owl@1 is granted network, device:/dev/full\n" in arena("batch", "cambio", newest).output
    assert arena("verify", "cambio").stdout.startswith("league cambio: ")

    left = arena("revoke", "cambio", "club/owl", "network")
    assert left.output == "club/owl@1 is granted device:/dev/full in the league cambio\n"
    later = arena("grant", "cambio", "club/owl", "--later-versions").output
    assert later.endswith("in the league cambio, and so are its later versions\n")
    assert arena("revoke", "cambio", "club/owl").output == "club/owl@1 is granted nothing in the league cambio\n"
    assert "entry 5, which has nothing now" in arena("show", "cambio", "--log").output
    assert 'there is no grant "internet"' in arena("grant", "cambio", "club/owl", "internet", code=2).output


def test_grants_that_are_none_are_found_in_a_damaged_database(store: Store, path: Path) -> None:
    arena(*CREATE)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET grants = ? WHERE number = 2", ['{"words": ["internet"]}'])
    assert "is damaged (entries 1, 2: grants cannot be" in arena("board", "cambio", code=2).output


def test_no_bot_has_what_it_is_granted_on_a_cluster() -> None:
    hosting = Hosting(trusted=True)
    assert RefereeOptions(None, "ray").host_leagues(hosting) == replace(hosting, grants=False)
    assert RefereeOptions(None).host_leagues(hosting) == hosting


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--active", "0", 'it must be 1 or more, not "0"'),
        ("--active", "1001", 'it must be at most 1000, not "1001"'),
        ("--deals", "many", 'it must be a whole number, 1 or more, not "many"'),
        ("--season-days", "366", 'it must be at most 365, not "366"'),
        ("--final-top", "1", 'it must be 2 or more, not "1"'),
        ("--final-deals", "0", 'it must be 1 or more, not "0"'),
        ("--cpu-per-day", "an hour", "'an hour' is not a duration"),
    ],
)
def test_what_a_league_cannot_have_is_refused_with_what_it_can(option: str, value: str, sentence: str) -> None:
    done = arena("create", "cambio", "--game", "cambio", option, value, code=2)
    assert f"Invalid value for '{option}': {sentence}" in done.output


def test_what_an_organiser_chooses_is_stored_with_the_league(store: Store) -> None:
    arena("create", "cambio", "--game", "cambio", "--cpu-per-day", "1.5min", "--active", "3", "--final-top", "6")
    chosen = {"cpu_per_day": 90, "active_per_owner": 3, "final_top": 6, "final_deals": 0, "season_days": 0, "deals": 25}
    assert chosen.items() <= Leagues(store).named("cambio").definition.items()


def test_dates_are_set_shown_and_extended(store: Store) -> None:
    zone = ("--timezone", "Asia/Seoul")
    one, two, three = (f"{datetime.now(UTC).date() + timedelta(days=days)}" for days in (100, 101, 102))
    created = arena("create", "spring", "--game", "cambio", "--deadline", "2199-05-20T18:00", *zone)
    shown = "last hand-in counts: 2199-05-20 18:00 Asia/Seoul (UTC+09:00)"
    assert shown in created.output
    changed = arena("dates", "spring", "--ends", f"{three}T18:00", code=2)
    assert "is not after the deadline" in changed.output
    leagues.submit(store, "club/owl")
    dates = ("--deadline", f"{one}T18:00", "--ends", f"{three}T18:00", "--reason", "term")
    assert arena("dates", "spring", *dates).output.splitlines()[1:] == [
        f"  last hand-in counts: {one} 18:00 Asia/Seoul (UTC+09:00)",
        f"  ends: {three} 18:00 Asia/Seoul (UTC+09:00)",
    ]
    extended = arena("extend", "spring", "club", f"{two}T18:00", "--reason", "was ill")
    assert f"received before {two} 18:00 Asia/Seoul" in extended.output
    lines = arena("show", "spring", "--log").output.splitlines()
    assert f"deadline of club: {two} 18:00 Asia/Seoul (UTC+09:00)" in lines
    assert lines[-1].endswith(f"extend club of season 1 until {two}T09:00:00+00:00: was ill")
    arena("dates", "spring", "--deadline", "none", "--ends", "none")
    assert json.loads(arena("dates", "spring", "--json").output)["deadline"] is None
    refused = arena("create", "autumn", "--game", "cambio", "--deadline", "2199-05-20", code=2)
    assert "is a day without a time" in refused.output
    assert [league.name for league in Leagues(store).all()] == ["spring"], "nothing was stored"
