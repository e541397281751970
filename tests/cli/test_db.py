"""`arena db`: copies of a database, and whether it is sound."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import played


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    with open_store("arena.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=8))
        store.add_matches(number, [played.match(CAMBIO, number) for number in range(4)])


def db(*words: str) -> Result:
    return CliRunner().invoke(main, ["db", *words], prog_name="arena")


def test_a_copy_is_the_whole_database() -> None:
    result = db("backup", "copy.db")
    assert (result.exit_code, result.stdout) == (0, f"copy.db: {Path('copy.db').stat().st_size:,} bytes, sound\n")
    with open_store("arena.db") as old, open_store("copy.db") as new:
        assert new.tournament(1) == old.tournament(1)
        assert [new.match(id).row for id in new.match_ids(1)] == [old.match(id).row for id in old.match_ids(1)]
    assert sorted(path.name for path in Path().iterdir() if "copy" in path.name) == ["copy.db"]


def test_the_folders_of_a_copy_are_made() -> None:
    assert db("backup", "copies/new/copy.db").exit_code == 0
    with open_store("copies/new/copy.db") as copy:
        assert copy.played(1) == {0, 1, 2, 3}


def test_a_copy_is_made_while_somebody_writes() -> None:
    with open_store("arena.db", write=True) as writer:
        writer.add_matches(1, [played.match(CAMBIO, 4)])  # so far only in the log beside the file
        with closing(sqlite3.connect("arena.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("DELETE FROM seats")
            assert db("backup", "copy.db").exit_code == 0
            other.execute("ROLLBACK")
    with open_store("copy.db") as copy:
        assert copy.played(1) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup", "arena.db"], "arena.db is there already: name a file that is not"),
        (["backup", "arena.db/no/copy.db"], "arena.db/no/copy.db cannot be written: Not a directory"),
        (["backup", "copy.db", "--db", "none.db"], "there is no database at none.db"),
        (["check", "--db", "none.db"], "there is no database at none.db"),
    ],
)
def test_what_cannot_be_copied_is_a_sentence(words: list[str], sentence: str) -> None:
    result = db(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert not Path("copy.db").exists()


def test_a_sound_database() -> None:
    result = db("check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(" bytes, sound\n")


def test_rows_that_refer_to_nothing_are_found_and_not_copied() -> None:
    with closing(sqlite3.connect("arena.db")) as connection, connection:
        connection.execute("DELETE FROM matches WHERE id = 2")
    result = db("check")
    assert result.exit_code == 1
    assert "a row of seats refers to no row of matches" in result.stdout
    assert "arena.db is damaged" in result.stderr
    result = db("backup", "copy.db")
    assert result.exit_code == 2
    assert "the copy of arena.db is damaged" in result.stderr
    assert [path.name for path in Path().iterdir() if "copy" in path.name] == []


def test_a_damaged_page_is_found() -> None:
    with closing(sqlite3.connect("arena.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'seats'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with Path("arena.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    result = db("check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "arena.db is damaged: restore it from a copy" in result.stderr
    assert db("backup", "copy.db").exit_code == 2
    assert not Path("copy.db").exists()


def test_summaries_are_made_again() -> None:
    with open_store("arena.db", write=True) as store:
        store.add_tournament(played.tournament(CAMBIO, matches=8))
    result = db("rebuild")
    assert result.stdout == "tournament 1: 4 matches added up\ntournament 2: 0 matches added up\n"
    assert db("rebuild", "1", "1").stdout == "tournament 1: 4 matches added up\n"
    missing = db("rebuild", "3")
    assert missing.exit_code == 2
    assert "has no tournament 3: it has numbers 1 to 2" in missing.stderr
