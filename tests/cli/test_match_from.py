"""`arena match --from`: recorded questions asked again of real bot processes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

pytestmark = pytest.mark.usefixtures("in_process")

STUBBORN = """
from arena.sdk import Bot


class Stubborn(Bot):
    wants_events = True

    def choose(self, question):
        question.note(f"{len(question.events)} events")
        return question.legal[-1]


Stubborn().run()
"""
BROKEN = STUBBORN.replace("return question.legal[-1]", 'print("no idea"); raise SystemExit(3)')


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


@pytest.fixture(scope="module")
def played(in_process: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match of random, cautious and random."""
    path = tmp_path_factory.mktemp("played") / "arena.db"
    words = ["--game", "cambio", "-o", "chips=2", "random", "cautious", "random", "--seed", "5", "--db", str(path)]
    assert arena("match", *words).exit_code == 0
    return path


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_DB", str(played))
    Path("stubborn.py").write_text(STUBBORN)
    Path("broken.py").write_text(BROKEN)


def decisions(seat: int) -> list[dict[str, Any]]:
    log = json.loads(arena("replay", "1", "--json").stdout)["log"]
    return [entry for entry in log if entry["type"] == "decision" and entry["seat"] == seat]


@pytest.mark.promise
@pytest.mark.parametrize("seat", [0, 1])
def test_the_bot_that_sat_there_answers_as_it_did(seat: int) -> None:
    *before, last = decisions(seat)
    told = json.loads(arena("match", "--from", "1", "--move", str(last["ply"]), "--json").stdout)
    assert (told["answer"]["move"], told["answer"]["recorded"]) == (last["move"], last["move"])
    assert (told["before"], told["otherwise"], told["failure"]) == (len(before), [], None)


@pytest.mark.processes
def test_another_bot_is_asked_all_that_the_seat_was() -> None:
    *before, last = decisions(2)
    result = arena("match", "--from", "1", "--move", str(last["ply"]), "./stubborn.py", "--json")
    told = json.loads(result.stdout)
    assert told["bot"] == "stubborn"
    assert [each["ply"] for each in told["otherwise"]] == [
        each["ply"] for each in before if each["move"] != each["legal"][-1]
    ]
    assert told["answer"]["move"] == last["legal"][-1]
    assert told["answer"]["note"].endswith(" events")
    text = arena("match", "--from", "1", "--move", str(last["ply"]), "./stubborn.py").stdout
    assert f"stubborn was asked {len(before)} questions before, and answers" in text
    assert f'note: "{told["answer"]["note"]}"' in text


@pytest.mark.processes
def test_a_bot_that_fails_is_told_with_what_it_printed() -> None:
    last = decisions(0)[-1]
    result = arena("match", "--from", "1", "--move", str(last["ply"]), "./broken.py")
    assert result.exit_code == 1
    assert "broken failed: " in result.stdout
    assert "no idea" in result.stdout
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--from", "1"], "--from and --move need each other"),
        (["--move", "3"], "--from and --move need each other"),
        (["--from", "1", "--move", "99999"], "match 1 has no answer 99999: `arena replay 1` lists its answers"),
        (["--from", "9", "--move", "1"], "has no match 9"),
        (["--from", "1", "--move", "1", "random", "random"], "--from asks one bot"),
        (["--from", "1", "--move", "1", "--game", "cambio"], "--from takes this from the match: leave out --game"),
        (["--from", "1", "--move", "1", "-o", "chips=2"], "--from takes this from the match: leave out --option"),
        (["--from", "1", "--move", "1", "--grant", "a=network"], "takes this from the match: leave out --grant"),
        (["--from", "1", "--move", "1", "--start", "9s"], "takes this from the match: leave out --start"),
        (["--from", "1", "--move", "1", "./nope.py"], "./nope.py does not exist"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(words: list[str], sentence: str) -> None:
    result = arena("match", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


def test_a_position_is_written_as_a_scenario(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    assert arena("replay", "1", "--at", "2", "--scenario", str(file), "--db", str(played)).exit_code == 0
    assert arena("scenario", "-q", str(file)).exit_code == 0
    far = arena("replay", "1", "--at", "9999", "--scenario", str(file), "--db", str(played))
    assert (far.exit_code, "has the moves 0 to" in far.output) == (2, True)
