"""Leagues whose database was tampered with."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from arena.league.run.desk import LeagueDesk
from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.verification import league_problems
from arena.store import open_store
from arena.store.blobs import compress
from arena.tournament.run.hosting import Hosting
from sample_bots import SAMPLES
from tests import leagues


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two stored batches."""
    path = tmp_path_factory.mktemp("league") / "whole.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        desk = LeagueDesk(store, str(path), league)
        run_leagues(LeagueRunner(store, [desk], Hosting(trusted=True), lambda line: None, most_batches=2), 2)
    return path


def problems(path: Path) -> list[str]:
    with open_store(path) as store:
        return list(league_problems(store, store.leagues.named("cambio")))


def test_a_league_that_nobody_touched_has_no_problem(whole: Path) -> None:
    assert problems(whole) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("UPDATE seats SET score = score + 1 WHERE match_id = 2", "match 2: "),
        ("DELETE FROM matches WHERE id = 3", " of its "),
        ("UPDATE matches SET deal = deal + 1 WHERE id = 3", "is not the one of its schedule"),
        ("UPDATE league_log SET reason = 'bribed' WHERE number = 2", "entry 2 of the log was changed"),
        ("UPDATE leagues SET results = results + 1", "the places of the stored batches are not 1 to 3"),
        ("UPDATE leagues SET definition = replace(definition, '\"deals\":2', '\"deals\":3')", "not have the hash"),
        ("UPDATE events SET secret = secret_hash WHERE id = 1", "batch 1: its secret does not follow"),
        ("UPDATE seasons SET commitment = secret", "the secrets of season 1 do not lead to its commitment"),
        ("UPDATE batches SET day = 1 WHERE number = 1", "does not follow from that of day 2 of season 1"),
        ("UPDATE batches SET state = 'waiting', result = NULL WHERE number = 1", "though it was not played to its end"),
        ("DELETE FROM snapshots", "snapshot 1, from which it was drawn, is missing"),
    ],
)
def test_what_was_changed_is_found(whole: Path, tmp_path: Path, change: str, complaint: str) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    found = problems(path)
    assert any(complaint in problem for problem in found), found


def test_tables_that_were_not_drawn_are_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with open_store(path, write=True) as store:
        league = store.leagues.named("cambio")
        text = store.leagues.snapshot(league.id, 1).decode()
    with sqlite3.connect(path) as connection:
        other = compress(text.replace(",true]", ",false]").encode())
        connection.execute("UPDATE snapshots SET packed = ? WHERE number = 1", [other])
    assert any("cannot be drawn from snapshot 1: no entry is in its placement" in each for each in problems(path))


def test_sums_that_are_not_those_of_the_matches_are_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE batches SET sums = (SELECT sums FROM batches WHERE result = 2) WHERE result = 1")
    assert "batch 1: its sums are not those of its matches" in problems(path)
