"""Commands that arena prints can be pasted into a shell, whatever files and databases are called."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.values.texts import shell_line

ROOT = Path(__file__).parents[2]
RAW = re.compile(r"(?:--db|--to|--at-db) \{(?!shell_line)|`arena [^`]*\{(?:file|folder|path|name_of_file)\}")
"""A command in an f-string that has a path as it is."""

pytestmark = pytest.mark.usefixtures("in_process")


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


def pasted(line: str) -> Result:
    """Run a printed command as a shell would read it."""
    first, *words = shlex.split(line)
    assert first == "arena"
    return arena(*words)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    return "ann's $HOME; touch x.db"


def test_a_line_is_read_as_the_words_that_it_is_made_of() -> None:
    words = ["arena", "replay", "1", "--db", "a b", "it's", "$(x)", "postgresql://a@/b?host=/run", "*", "", "--plain"]
    assert shlex.split(shell_line(*words)) == words
    assert shell_line("arena", "tourney", 1, Path("/a/b.db")) == "arena tourney 1 /a/b.db"


def test_a_tournament_in_a_database_of_an_odd_name_is_paused_resumed_and_shown(db: str) -> None:
    played = arena("tourney", "--game", "coch", "--rounds", "1", "--seed", "1", "--db", db)
    assert played.exit_code == 0, played.output
    more = arena("tourney", "resume", "1", "--rounds", "2", "--db", db)
    assert more.exit_code == 0, more.output
    voided = arena("tourney", "void", "1", "1", "--reason", "rain", "--replay", "--db", db)
    assert voided.exit_code == 0, voided.output
    again = voided.output.partition("play it again with: ")[2].strip()
    assert pasted(again).exit_code == 0
    assert [path.name for path in Path().glob("*.db")] == [db]


def test_a_league_in_a_database_of_an_odd_name_is_run(db: str) -> None:
    created = arena("league", "create", "club", "--game", "coch", "--db", db)
    assert created.exit_code == 0, created.output
    line = created.output.partition("without one: ")[2].strip()
    assert shlex.split(line) == ["arena", "league", "run", "club", "--db", db]


def test_a_question_in_a_folder_of_an_odd_name_is_named(db: str) -> None:
    assert arena("tourney", "--game", "coch", "--rounds", "1", "--seed", "1", "--db", db).exit_code == 0
    folder = Path("my questions")
    folder.mkdir()
    exported = arena("question", "export", "1", "1", "--to", str(folder), "--db", db)
    line = re.search(r"`(arena ask BOT .*)`", exported.output)
    assert line is not None, exported.output
    command = shlex.split(line[1])
    assert command[:3] == ["arena", "ask", "BOT"]
    assert Path(command[3]).parent == folder
    assert Path(command[3]).is_file()


@pytest.mark.parametrize("room", ["arena", "packages"])
def test_no_command_is_printed_with_a_path_as_it_is(room: str) -> None:
    files = [path for path in (ROOT / room).rglob("*.py") if "/tests/" not in str(path) and "/build/" not in str(path)]
    lines = [f"{path}: {line.strip()}" for path in files for line in path.read_text().splitlines() if RAW.search(line)]
    assert lines == []
