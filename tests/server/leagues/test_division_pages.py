"""The divisions of a league as its page, the API, the feed and the command show them."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.leagues import Leagues
from arena.server.access import Access
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues
from tests.server.conftest import Client

pytestmark = pytest.mark.usefixtures("in_process")

PAGE = "/leagues/cambio/divisions"


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two divisions of two, whose first span is over in part."""
    path = tmp_path_factory.mktemp("league") / "rated.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store, divisions=2, division_size=2, division_moves=1, division_days=7)
        for name, bot in {"club/owl": "counter", "town/jay": "cautious", "lake/eel": "random"}.items():
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
def decided(store: Store, path: Path) -> list[int]:
    """The entries of the first division, once a span is over."""
    first_day = (datetime.now(UTC).date() - timedelta(days=8)).isoformat()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seasons SET first_day = ?", [first_day])
    league = Leagues(store).named("cambio")
    LeagueScheduler(store, store.where, league).update()
    return list(Leagues(store).log(league.id, "divide")[0].details["members"])


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_before_the_first_decision_all_are_in_one_table_with_who_would_be_promoted(store: Store) -> None:
    page = words(Client(store, Access(organiser=False)).get(PAGE).text)
    assert "Nothing is decided yet" in page
    assert page.count("▲ up to division 1") == 2
    assert "Division 2" not in page
    assert Client(store, Access()).get("/api/v1/leagues/cambio/divisions", "application/json").json()["decisions"] == []


def test_the_page_tells_who_is_where_and_who_has_moved(store: Store, decided: list[int]) -> None:
    client = Client(store, Access(organiser=False))
    text = client.get(PAGE).text
    first, second = text.split('id="division-2"')
    names = {entry.number: entry.name.partition("@")[0] for entry in Leagues(store).entries(1)}
    assert all(names[number] in first for number in decided)
    [lowest] = {"club/owl", "town/jay", "lake/eel"} - {names[number] for number in decided}
    assert f">{lowest}</a>" in second.partition('id="decisions"')[0]
    assert "Span 1 of season 1" in text
    assert words(text).count("▲ 1") == 2
    entry = words(client.get(f"/leagues/cambio/entries/{decided[0]}").text)
    assert "It plays in division 1. It was promoted to division 1 on " in entry
    feed = client.get("/leagues/cambio/feed.atom").text
    assert feed.count("is promoted to division 1") == 4, "titles and summaries"
    assert f'href="{PAGE}"' in client.get("/leagues/cambio").text


def test_the_api_and_the_command_say_the_same(store: Store, decided: list[int]) -> None:
    answer = Client(store, Access(organiser=False)).get("/api/v1/leagues/cambio/divisions", "application/json").json()
    printed = CliRunner().invoke(main, ["league", "divisions", "cambio", "--json", "--db", store.where])
    assert json.loads(printed.stdout) == answer
    assert [row["entry"] for row in answer["divisions"][0]["rows"]] == decided
    assert {row["entry"] for row in answer["decisions"][0]["up"]} == set(decided)
    text = CliRunner().invoke(main, ["league", "divisions", "cambio", "--db", store.where]).output
    assert "Division 1\n" in text
    assert "up to 1" in text.splitlines()[-1]
    assert max(map(len, text.splitlines())) <= 100


def test_a_league_without_divisions_says_so(store: Store) -> None:
    leagues.cambio(store, "plain")
    client = Client(store, Access(organiser=False))
    assert client.get("/leagues/plain/divisions").status_code == 404
    assert client.get("/api/v1/leagues/plain/divisions", "application/json").json()["divisions"] == []
    assert "divisions" not in client.get("/leagues/plain").text
    done = CliRunner().invoke(main, ["league", "divisions", "plain", "--db", store.where])
    assert (done.exit_code, "has no divisions" in done.output) == (2, True)
