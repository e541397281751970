"""`arena replay --what-if`: a match that is played on from another move."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.packed import unpacked

pytestmark = pytest.mark.usefixtures("in_process")


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match of random, cautious and random."""
    path = tmp_path_factory.mktemp("played") / "arena.db"
    words = ["--game", "cambio", "-o", "chips=2", "random", "cautious", "random", "--seed", "5", "--db", str(path)]
    assert arena("match", *words).exit_code == 0
    return path


def test_another_move_is_played_on_and_replayed(played: Path) -> None:
    log = arena("replay", "1", "--json", "--db", str(played))
    decision = next(entry for entry in json.loads(log.output)["log"] if entry.get("legal") and len(entry["legal"]) > 1)
    (other, *_) = (move for move in decision["legal"] if move != decision["move"])
    what_if = arena("replay", "1", "--what-if", f"{decision['ply']}={other}", "--json", "--db", str(played))
    assert what_if.exit_code == 0, what_if.output
    assert f"instead of {decision['move']} (answer {decision['ply']} of match 1)" in what_if.stderr
    changed = json.loads(what_if.stdout)
    moves = [entry["move"] for entry in changed["log"] if entry["type"] == "decision"]
    assert moves[decision["ply"]] == other
    assert changed["players"] == ["random", "cautious", "random#2"]


def test_chances_to_win_of_the_match_are_not_shown_for_another_one(played: Path, tmp_path: Path) -> None:
    file, database = tmp_path / "page.html", ["--db", str(played)]
    log = json.loads(arena("replay", "1", "--json", *database).stdout)["log"]
    decision = next(entry for entry in log if entry.get("legal") and len(entry["legal"]) > 1)
    (other, *_) = (move for move in decision["legal"] if move != decision["move"])
    assert arena("analyse", "1", "--playouts", "2", "--policy", "random", "--jobs", "1", *database).exit_code == 0
    for change, count in ([], 1), (["--what-if", f"{decision['ply']}={other}"], 0):
        assert arena("replay", "1", *change, "--html", str(file), *database).exit_code == 0
        assert unpacked(file.read_text()).count('"chances":{') == count


@pytest.mark.parametrize(
    ("change", "words"),
    [("0", "is not an answer and a move"), ("x=keep", "is not an answer and a move"), ("0=fly", '"fly" is not legal')],
)
def test_what_is_no_other_move_is_a_mistake(played: Path, change: str, words: str) -> None:
    result = arena("replay", "1", "--what-if", change, "--db", str(played))
    assert result.exit_code == 2
    assert words in str(result.exception) + result.output
