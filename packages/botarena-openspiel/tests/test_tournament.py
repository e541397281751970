"""As a user meets it: a tournament of the installed package, its replay, its verification, its resumption."""

import json
import re
import subprocess
import sys
from pathlib import Path

BOTS = Path(__file__).parent.parent / "bots"


def arena(folder: Path, *arguments: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "arena", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_a_tournament_of_hidden_information(tmp_path: Path) -> None:
    bots = f"random,{BOTS}/cfr.py"
    tourney = ("tourney", "--game", "openspiel:leduc_poker", "--rounds", "50", "--bots", bots, "--seed", "1", "--json")
    table = json.loads(arena(tmp_path, *tourney))
    assert table["matches"] == 100
    scores = {row["bot"]: row["score"] for row in table["ranking"]}
    assert scores["cfr"] > 0 > scores["random"]
    assert not any(row["faults"] for row in table["ranking"])
    assert "100 matches checked: no errors" in arena(tmp_path, "verify", "--all", "--tourney", "1")
    log = arena(tmp_path, "replay", "1", "--text")
    first, second, *_ = re.findall(r"^seat \d: (\w+)", log, re.MULTILINE)
    assert f"{first} sees [Observer: 0][Private: " in log
    assert "chance: " in log
    seen = arena(tmp_path, "replay", "1", "--text", "--seat", "0")
    assert f"{second} sees" not in seen
    assert "chance: " not in seen


def test_a_tournament_of_perfect_information_with_a_search(tmp_path: Path) -> None:
    bots = f"random,{BOTS}/search.py"
    tourney = ("tourney", "--game", "openspiel:connect_four", "--rounds", "3", "--bots", bots, "--seed", "1", "--json")
    table = json.loads(arena(tmp_path, *tourney))
    assert [row["bot"] for row in table["ranking"]] == ["search", "random"]
    assert "6 matches checked: no errors" in arena(tmp_path, "verify", "--all", "--tourney", "1")


def test_another_spelling_of_a_game_is_stored_under_its_name(tmp_path: Path) -> None:
    arena(tmp_path, "match", "--game", "openspiel:kuhn_poker( players = 3 )", "random", "random", "random")
    assert "openspiel:kuhn_poker(players=3)" in arena(tmp_path, "matches")
    assert arena(tmp_path, "verify", "1") == "match 1: true\n"
