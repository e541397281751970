"""`arena tourney why` and `arena league why`, on real tournaments with a bot that has a known weakness."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

WEAK = """
from arena.sdk import Bot

class Weak(Bot):
    def choose(self, question):
        for wanted in {wanted!r}:
            for move in question.legal:
                if move.startswith(wanted):
                    return move
        return question.legal[0]

Weak().run()
"""

WEAKNESSES = [
    ("cambio", ("keep", "pass"), ("cautious", "counter"), ("-o", "chips=6"), "its turn", "keep"),
    ("perudo", ("bid", "stand"), ("actuary", "random"), (), "its turn", "a bid"),
]
"""Game, what the bot always does, its opponents, options, and where and what it does too often: it never doubts."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)


def printed(*words: str) -> Any:
    result = arena(*words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(("game", "always", "others", "options", "question", "action"), WEAKNESSES)
def test_the_first_rows_name_a_planted_weakness(
    game: str, always: tuple[str, ...], others: tuple[str, ...], options: tuple[str, ...], question: str, action: str
) -> None:
    Path("weak.py").write_text(WEAK.format(wanted=always))
    field = ",".join(("./weak.py", *others))
    words = ("--bots", field, "--rounds", "16", "--seats", "3", "--jobs", "1", "--seed", "4", "--move-time", "0")
    assert arena("tourney", "--game", game, *options, *words).exit_code == 0
    report = printed("tourney", "why", "1", "weak", "--json")
    assert others[0] in report["compared_with"]
    assert report["deals"]["compared"] == 48
    assert report["deals"]["difference"]["mean"] < 0
    rows = report["choices"]["differences"]
    for row in rows[:2]:
        assert row["question"].startswith(question)
        assert row["action"]["action"].startswith(action)
        assert row["action"]["frequency"] > row["action"]["frequency_of_better"]
        assert row["chance"] <= 0.05
    assert [row["cost"] for row in rows] == sorted((row["cost"] for row in rows), reverse=True)
    moment = rows[0]["examples"][0]
    shown = printed("replay", str(moment["match"]), "--json")
    assert moment["played"] in json.dumps(shown)

    text = arena("tourney", "why", "1", "weak")
    assert text.exit_code == 0
    assert f'chooses "{action}' in text.stdout.splitlines()[1]


@pytest.mark.processes
def test_the_costliest_decisions_come_with_their_errors() -> None:
    Path("weak.py").write_text(WEAK.format(wanted=()))
    words = ("--bots", "./weak.py,hoarder", "--rounds", "10", "--seats", "3", "--jobs", "1", "--seed", "4")
    assert arena("tourney", "--game", "kille", *words).exit_code == 0
    costly = printed("tourney", "why", "1", "weak", "--playouts", "400", "--json")["costly"]
    assert costly["candidates"] == 4
    assert 300 <= costly["playouts"] <= 450
    for row in costly["decisions"]:
        assert row["bot"] == "weak"
        assert row["better"] != row["played"]
        assert row["cost"] == pytest.approx(row["chance_of_better"] - row["chance_to_win"], abs=1e-5)
        assert row["error"] > 0
    text = arena("tourney", "why", "1", "weak", "--playouts", "200", "--jobs", "2").stdout
    assert "ostliest decisions, of 2 candidates" in text


def test_who_takes_no_part_is_refused() -> None:
    words = ("--bots", "random,cautious", "--rounds", "1", "--seats", "2", "--jobs", "1", "-o", "chips=1")
    assert arena("tourney", "--game", "cambio", *words).exit_code == 0
    result = arena("tourney", "why", "1", "cautius")
    assert result.exit_code == 2
    assert 'no bot "cautius" takes part in tournament 1; did you mean "cautious"?' in result.output
    assert arena("tourney", "why", "7", "cautious").exit_code == 2


def test_an_entry_of_a_league() -> None:
    with open_store("arena.db", create=True, write=True) as store:
        leagues.cambio(store, "spring")
        leagues.submit_file(store, "club/owl", SAMPLES["random"].path)
        leagues.play(store, 2)
    report = printed("league", "why", "spring", "club/owl", "--json")
    assert (report["league"], report["bot"]) == ("spring", "club/owl@1")
    assert report["deals"]["seats_held"] > 0
    assert "club/owl@1" in arena("league", "why", "spring", "club/owl").stdout
    assert arena("league", "why", "spring", "club/crow").exit_code == 2
