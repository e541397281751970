"""`--names`: bots know the names of their opponents, and otherwise they are not."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

pytestmark = pytest.mark.usefixtures("in_process")

CURIOUS = """
from arena.sdk import Bot


class Curious(Bot):
    def choose(self, question):
        question.note(" ".join(question.match.names) or "nobody")
        return question.legal[0]


Curious().run()
"""
TOURNEY = ["--game", "cambio", "-o", "chips=1", "--move-time", "0", "--seats", "3", "--rounds", "2", "--seed", "1"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    Path("curious.py").write_text(CURIOUS)


def arena(*words: str) -> Result:
    result = CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def noted(match: int) -> list[tuple[int, str]]:
    """Return what the curious noted in a match, with the number of the answer."""
    log = json.loads(arena("replay", str(match), "--json").stdout)["log"]
    return [(entry["ply"], note) for entry in log if entry["type"] == "decision" for note in entry["notes"]]


@pytest.mark.parametrize("told", [True, False])
def test_who_sits_where(told: bool) -> None:
    arena("tourney", *TOURNEY, "--bots", "./curious.py,random,random", *["--names"] * told)
    matches: list[dict[str, Any]] = json.loads(arena("matches", "--json").stdout)["matches"]
    seated = {match["id"]: " ".join(match["players"]) for match in matches}
    assert len(set(seated.values())) > 2
    for match, names in seated.items():
        assert {note for _, note in noted(match)} == {names if told else "nobody"}
    assert ("names = true" in arena("tourney", "show", "--toml").stdout) == told


@pytest.mark.processes
def test_a_recorded_question_is_asked_again_with_the_names_it_had() -> None:
    arena("tourney", *TOURNEY, "--bots", "./curious.py,random,random", "--names")
    ply, note = noted(1)[0]
    again = json.loads(arena("match", "--from", "1", "--move", str(ply), "--json").stdout)
    assert again["answer"]["note"] == note


def test_the_plan_tells() -> None:
    words = ["tourney", *TOURNEY, "--bots", "random,random", "--dry-run"]
    assert "bots know the names of their opponents" in arena(*words, "--names").stdout
    assert json.loads(arena(*words, "--json").stdout)["names"] is False
