"""`arena scenario`: what it prints, where, and its exit codes."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import COMMANDS, main
from arena.cli.scenario import command
from tests.guessing import GUESSING

pytestmark = pytest.mark.usefixtures("in_process")

GOOD = '# Seat 0 guesses right.\ngame = "guessing"\nseats = 2\n[chance]\ndeck = [3, 1]\ndice = [[1, 2]]\n'
PLAYS = '[[play]]\nseat = 0\nmove = "low"\n[[play]]\nseat = 1\nmove = "high"\n'
LOG = [
    "round 1",
    "seat 0 gets 3",
    "seat 1 gets 1",
    "dice 1 2",
    "seat 0 says low",
    "seat 1 says high",
    "seat 0 scores 3",
]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tiny game in place of the installed ones; files are written where the command runs."""
    monkeypatch.setattr("referee.engine.scenario.stage.game", lambda name: GUESSING)
    monkeypatch.chdir(tmp_path)
    Path("good.toml").write_text(GOOD + PLAYS + "[expect]\nscores = [3, 0]\n", encoding="utf-8")
    Path("failed.toml").write_text(GOOD + PLAYS + "[expect]\nscores = [0, 3]\nover = true\n", encoding="utf-8")
    Path("wrong.toml").write_text(GOOD + PLAYS.replace("high", "hihg"), encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_a_good_file_prints_log_and_verdict() -> None:
    result = run("good.toml")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [*LOG, "good.toml: ok: Seat 0 guesses right.", ""]
    assert result.stderr == ""


def test_a_failed_expectation_is_told_and_exits_1() -> None:
    result = run("--quiet", "failed.toml", "good.toml")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "failed.toml: failed: Seat 0 guesses right.",
        "    over: expected true, found false",
        "    scores: expected [0, 3], found [3, 0]: seat 0 has 3, not 0, seat 1 has 0, not 3",
        "2 scenarios: 1 ok, 1 failed, 0 wrong",
    ]


def test_a_wrong_file_is_told_on_stderr_and_exits_2() -> None:
    result = run("wrong.toml", "failed.toml")
    assert result.exit_code == 2
    assert result.stderr == (
        'wrong.toml: unknown move "hihg" at play 2: seat 1 may "low", "high"; did you mean "high"?\n'
    )
    assert result.stdout.splitlines()[:4] == LOG[:4]


def test_a_folder_stands_for_the_files_below_it() -> None:
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/a.toml").write_text(GOOD, encoding="utf-8")
    Path("deep/b.toml").write_text(GOOD, encoding="utf-8")
    Path("deep/notes.txt").write_text("no scenario", encoding="utf-8")
    result = run("--json", "deep")
    assert result.exit_code == 0
    assert [each["file"] for each in json.loads(result.stdout)["scenarios"]] == ["deep/b.toml", "deep/er/a.toml"]


def test_json() -> None:
    result = run("--json", "good.toml", "failed.toml", "wrong.toml")
    assert result.exit_code == 2
    told = json.loads(result.stdout)
    assert {word: told[word] for word in ("ok", "failed", "wrong")} == {"ok": 1, "failed": 1, "wrong": 1}
    good, failed, wrong = told["scenarios"]
    assert good == {
        "file": "good.toml",
        "verdict": "ok",
        "shows": "Seat 0 guesses right.",
        "wrong": "",
        "differences": [],
        "log": LOG,
    }
    assert failed["verdict"] == "failed"
    assert len(failed["differences"]) == 2
    assert wrong["wrong"].startswith('unknown move "hihg"')
    assert "log" not in json.loads(run("--json", "--quiet", "good.toml").stdout)["scenarios"][0]


def test_files_that_cannot_be_read() -> None:
    Path("latin.toml").write_bytes(b"game = \xe9")
    Path("empty").mkdir()
    result = run("missing.toml", "latin.toml", "empty", "good.toml/more.toml")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "missing.toml: there is no such file",
        "latin.toml: not UTF-8 text (byte 7)",
        "empty: no *.toml file in this folder",
        f"good.toml/more.toml: cannot be read: {os.strerror(20)}",
    ]


def test_without_files() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Missing argument 'FILE...'" in result.stderr


def test_the_real_door() -> None:
    result = CliRunner().invoke(main, ["scenario", "--quiet", "good.toml"])
    assert (result.exit_code, result.output) == (0, "")
    assert COMMANDS["scenario"] == command.get_short_help_str(limit=200)
