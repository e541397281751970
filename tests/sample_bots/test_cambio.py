"""The sample bots of Cambio in a real tournament: 60 rounds, real processes, one seed, one result."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

pytestmark = pytest.mark.usefixtures("in_process")

ROUNDS = 60
MATCHES = ROUNDS * 4

RESULT = {
    "random": (-365.86, 2.0583),
    "cautious": (125.7, 32.9333),
    "counter": (129.76, 32.9375),
    "bluffer": (110.4, 31.8917),
}
"""Elo and mean score (chips) of each bot in all rotations of the 60 deals of `--seed 7`, four at a table."""


def run(*words: str) -> dict[str, object]:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_bots_that_claim_sense_beat_random_with_certainty(tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    bots = ",".join(RESULT)
    played = run(
        "tourney", "--game", "cambio", "--bots", bots, "--rounds", str(ROUNDS), "--seed", "7", "--db", db, "--json"
    )
    assert (played["matches"], played["decisions"]) == (MATCHES, 37_557)

    table = run("ranking", "--los", "--db", db, "--json")
    rows = {row["bot"]: row for row in table["ranking"]}  # type: ignore[attr-defined]
    for bot, (elo, score) in RESULT.items():
        assert rows[bot]["faults"] == {}
        assert rows[bot]["elo"] == pytest.approx(elo, abs=0.01)
        assert rows[bot]["score"] == pytest.approx(score, abs=0.0001)
    los = dict(zip(table["bots"], table["los"], strict=True))  # type: ignore[call-overload]
    random = table["bots"].index("random")  # type: ignore[attr-defined]
    assert all(los[bot][random] > 0.99 for bot in RESULT if bot != "random")
