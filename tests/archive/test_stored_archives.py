"""Archives that were written before: they are taken in as long as their format is promised."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.results.season_report import places_json, report_season
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.store import open_store
from tests.archive.make_data import LEAGUE, TOURNAMENT

pytestmark = pytest.mark.usefixtures("in_process")

PUBLISHED = "d5ef7145e9eac98399710fe54ac837d42982c90fb7b544053d63c73237ac1fcc"
"""The hash of the definition of the tournament."""


def arena(*words: str, db: Path) -> str:
    done = CliRunner().invoke(main, [*words, "--db", str(db)], prog_name="arena")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_tournament(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    arena("tourney", "import", str(TOURNAMENT), db=path)
    checked = arena("tourney", "verify", "1", "--definition-hash", PUBLISHED, db=path)
    assert "tournament 1: 2 matches checked, no errors\n" in checked
    with open_store(path) as store:
        table = standings(StoredTournament.load(store, 1)).table
        assert [row.bot for row in table.rows] == ["sweeper", "random"]


def test_a_league(tmp_path: Path) -> None:
    path, file = tmp_path / "other.db", tmp_path / "season.jsonl"
    file.write_bytes(gzip.decompress(LEAGUE.read_bytes()))
    arena("league", "import", str(file), db=path)
    assert arena("league", "verify", "cambio", db=path).startswith("league cambio: ")
    with open_store(path) as store:
        league = Leagues(store).named("cambio")
        places = places_json(report_season(store, league, 1))
        assert {(place["bot"], place["final_matches"]) for place in places} == {("club/owl@1", 4), ("town/jay@1", 4)}
        stored = [batch for batch in Batches(store).of(league.id) if batch.state == "stored"]
        lines = file.read_text().splitlines()
        assert sum(batch.matches for batch in stored) == sum('"kind": "match"' in line for line in lines) > 0
