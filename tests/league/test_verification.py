"""Leagues whose database was tampered with."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, update

from arena.cli import main, verify_progress
from arena.league import batch_verification, verification
from arena.league.batch_verification import UNKNOWN_EXPERIMENTS, WRONG_SUMS
from arena.league.integrity import LEAGUES
from arena.league.results.board import load_board
from arena.league.results.league_sums import LeagueSums
from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.store.total_sums import TotalSums
from arena.league.verification import league_problems
from arena.results.integrity import invalid_values
from arena.run.hosting import Hosting
from arena.store import open_store
from arena.store.engine.blobs import compress
from arena.store.engine.schema import batches, league_ratings
from referee.games.cambio import Cambio
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two stored batches."""
    path = tmp_path_factory.mktemp("league") / "whole.db"
    with open_store(path, create=True) as store:
        league = leagues.cambio(store)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        scheduler = LeagueScheduler(store, str(path), league)
        run_leagues(LeagueRunner(store, [scheduler], Hosting(trusted=True), lambda line: None, most_batches=2), 2)
    return path


def problems(path: Path) -> list[str]:
    with open_store(path) as store:
        return list(league_problems(store, Leagues(store).named("cambio")))


def test_a_league_that_nobody_touched_has_no_problem(whole: Path) -> None:
    assert problems(whole) == []


def test_a_league_that_is_played_meanwhile_has_no_problem(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(whole, tmp_path / "played.db"))
    with open_store(path) as store:
        league = Leagues(store).named("cambio")
        waiting = [row.number for row in Batches(store).of(league.id) if row.state == "waiting"]
        batches_of = Batches.of

        def then_play(batches: Batches, *arguments: Any, **options: Any) -> Any:
            rows = batches_of(batches, *arguments, **options)
            if batches._store is not store:
                return rows
            with open_store(path, write=True) as other:
                leagues.play(other, 1)
            return rows

        monkeypatch.setattr(Batches, "of", then_play)
        assert list(league_problems(store, league)) == []
        assert Leagues(store).named("cambio").results > league.results
    assert waiting
    assert problems(path) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("UPDATE seats SET score = score + 1 WHERE match_id = 2", "match 2: "),
        ("DELETE FROM matches WHERE id = 3", " of its "),
        ("UPDATE matches SET deal = deal + 1 WHERE id = 3", "is not the one of its schedule"),
        ("UPDATE league_log SET reason = 'bribed' WHERE number = 2", "entry 2 of its log is not as it was written"),
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


def test_the_command_tells_its_progress(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_progress, "LINE_SECONDS", 0.0)
    done = CliRunner().invoke(main, ["league", "verify", "cambio", "--db", str(whole)])
    assert (done.exit_code, done.stdout) == (0, "league cambio: 2 batches follow from its definition and its secrets\n")
    with open_store(whole) as store:
        matches = sum(row.matches for row in Batches(store).of(1) if row.state == "stored")
    lines = done.stderr.splitlines()
    with open_store(whole) as store:
        batches = len(Batches(store).of(1))
    assert f"checking {batches} batches, and replaying their matches" in lines
    assert any(line.startswith(f"{matches} of {matches} matches checked, ") for line in lines)
    assert lines[-1].startswith("not verified, as nothing else says it: ")
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM snapshots")
    done = CliRunner().invoke(main, ["league", "verify", "cambio", "--no-replay", "--db", str(path)])
    assert (done.exit_code, "batch 1: snapshot 1, from which it was drawn, is missing" in done.stdout) == (1, True)


@pytest.mark.processes
def test_several_processes_find_what_one_does(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seats SET score = score + 1 WHERE match_id = 2")
        connection.execute("DELETE FROM snapshots WHERE number > 1")
    monkeypatch.setattr(verification, "WORTH", 1)
    with open_store(path) as store:
        seen: list[int] = []
        league = Leagues(store).named("cambio")
        found = list(
            league_problems(store, league, where=str(path), jobs=2, on_batch=lambda batch: seen.append(batch.number))
        )
        assert sorted(seen) == sorted(row.number for row in Batches(store).of(league.id))
    assert found == problems(path)
    assert any("match 2: " in each for each in found)


def test_tables_that_were_not_drawn_are_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with open_store(path, write=True) as store:
        league = Leagues(store).named("cambio")
        text = Leagues(store).snapshot(league.id, 1)
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


@pytest.fixture(scope="module")
def with_openings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A league with two stored batches of a game with a book of three openings, and that game while it is used."""
    path = tmp_path_factory.mktemp("league") / "openings.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cambio, "opening", lambda self, options, seats, chance: f"{chance.pick(3, 'opening')}")
        with open_store(path, create=True) as store:
            leagues.cambio(store)
            leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
            leagues.play(store, 2)
        yield path


def forget_experiments(path: Path, results: int) -> None:
    """Make the sums of a batch what an arena that did not look for repeats had stored, and of the ratings too."""
    with open_store(path, write=True) as store, store.write() as connection:
        [packed] = [sums for _, _, sums in Batches(store).sums(1, results - 1, up_to=results)]
        sums = LeagueSums()
        sums.add(packed)
        assert sums.experiments
        sums.forget_experiments()
        connection.execute(update(batches).where(batches.c.result == results).values(sums=compress(sums.to_bytes())))
        connection.execute(delete(league_ratings))


def test_experiments_of_batches_are_verified(with_openings: Path) -> None:
    assert problems(with_openings) == []
    with open_store(with_openings) as store:
        repeats = load_board(store, "cambio").repeats
    assert repeats is not None
    assert (repeats.openings, repeats.repeated) == (3, 0)
    assert repeats.sets > 3
    board = CliRunner().invoke(main, ["league", "board", "cambio", "--db", str(with_openings)]).stdout
    assert board.endswith(f"\n\n{repeats.notes[0]}\n")
    done = CliRunner().invoke(main, ["league", "batch", "cambio", "1", "--json", "--db", str(with_openings)])
    assert json.loads(done.stdout)["repeats"]["openings"] == 3


@pytest.mark.parametrize("older", [[1], [1, 2]])
def test_sums_from_before_repeats_were_looked_for_are_sound(
    with_openings: Path, tmp_path: Path, older: list[int]
) -> None:
    path = Path(shutil.copy(with_openings, tmp_path / "older.db"))
    for results in older:
        forget_experiments(path, results)
    assert problems(path) == []


def test_sums_whose_experiments_were_taken_out_are_found(with_openings: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(with_openings, tmp_path / "changed.db"))
    forget_experiments(path, 2)
    with sqlite3.connect(path) as connection:  # as when both were stored within a second
        connection.execute("UPDATE batches SET ended = '2026-03-01T00:00:00+00:00'")
    assert problems(path) == ["batch 2: its sums are not those of its matches, as experiments are missing"]


def test_ratings_that_were_made_with_other_repeats_are_found(with_openings: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(with_openings, tmp_path / "changed.db"))
    with open_store(path, write=True) as store, store.write() as connection:
        row = Leagues(store).ratings(1)
        assert row is not None
        packed = row.packed.replace(b'"openings":3', b'"openings":4')
        connection.execute(update(league_ratings).values(packed=compress(packed)))
    assert problems(path) == ["its newest ratings were made with other repeats than its batches have"]


def test_a_machine_without_the_book_says_what_it_cannot_verify(
    with_openings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_verification, "find_openings", lambda name, options: None)
    monkeypatch.setattr(batch_verification, "knows_openings", lambda name, options: False)
    assert problems(with_openings) == [f"batch {number}: {UNKNOWN_EXPERIMENTS}" for number in (1, 2)]


def test_experiments_of_a_game_that_chance_deals_are_found(
    with_openings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cambio, "opening", lambda self, options, seats, chance: None)
    assert problems(with_openings) == [f"batch {number}: {WRONG_SUMS}" for number in (1, 2)]


def test_batches_are_older_by_their_results_whatever_the_clock_said(with_openings: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(with_openings, tmp_path / "older.db"))
    forget_experiments(path, 1)
    with sqlite3.connect(path) as connection:  # stored while the clock was ahead
        connection.execute("UPDATE batches SET ended = '2099-01-01T00:00:00+00:00' WHERE result = 1")
    assert problems(path) == []


@pytest.mark.parametrize("older", [1, 2])
def test_challenges_are_older_by_their_numbers(with_openings: Path, tmp_path: Path, older: int) -> None:
    path = Path(shutil.copy(with_openings, tmp_path / "challenges.db"))
    forget_experiments(path, older)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE batches SET result = NULL")
    missing = f"batch {older}: its sums are not those of its matches, as experiments are missing"
    assert (missing in problems(path)) == (older == 2)


def test_stored_sums_that_are_not_those_of_the_batches_are_found(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    with open_store(path, write=True) as store:
        league = Leagues(store).named("cambio")
        parts = [packed for _, _, packed in Batches(store).sums(league.id)]
        total = LeagueSums()
        for packed in parts:
            total.add(packed)
        TotalSums(store).save(league.id, 1, parts[0])
        assert list(league_problems(store, league)) == []
        TotalSums(store).save(league.id, 2, total.to_bytes())
        assert list(league_problems(store, league)) == []
        TotalSums(store).save(league.id, 3, total.to_bytes())
    assert problems(path) == ["the sums of its first 3 batches are not those of the batches"]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE total_sums SET results = 2, packed = ?", [compress(parts[0])])
    assert problems(path) == ["the sums of its first 2 batches are not those of the batches"]


def test_a_sound_database_of_a_league_has_no_invalid_values(whole: Path) -> None:
    with open_store(whole) as store, store.read() as connection:
        assert list(invalid_values(connection, LEAGUES)) == []


def test_sums_that_are_newer_than_the_look_at_the_league_are_sound(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "played.db"
    shutil.copy(whole, path)
    with open_store(path, write=True) as store:
        league = Leagues(store).named("cambio")
        leagues.play(store, 1)
        total = LeagueSums()
        for _, _, packed in Batches(store).sums(league.id):
            total.add(packed)
        TotalSums(store).save(league.id, Leagues(store).named("cambio").results, total.to_bytes())
        assert [each for each in league_problems(store, league, replay=False) if "sums of its first" in each] == []
