"""A tournament is killed and goes on, with everything that was stored; `make bench-resume` does it 20 times."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from arena.bench import killing
from arena.bench.figures import BenchError
from arena.bench.killing import PLAN, kill_and_resume
from arena.cli import main

SHORT = ("--game", "cambio", "--bots", "random,cautious", "--seed", "1", "-o", "chips=2", "--rounds", "300")


@pytest.fixture
def _shown_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only looks at a database runs in this process, as none of it is killed."""

    def shown(tournament: killing._Tournament, *words: str) -> bytes:
        found = CliRunner().invoke(main, [*words, "--db", str(tournament._db)], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        return found.stdout_bytes

    monkeypatch.setattr(killing._Tournament, "_print", shown)


@pytest.mark.usefixtures("_shown_here")
def test_nothing_is_lost_or_there_twice_after_two_kills_at_random_moments(tmp_path: Path) -> None:
    said: list[str] = []
    outcome = kill_and_resume(tmp_path, 2, SHORT, Random(7), said.append)
    assert outcome.matches == 600
    assert outcome.stored == sorted(outcome.stored)
    assert len(outcome.kills) == 2
    assert said[-1].startswith("kill 2: ")


def test_a_plan_that_cannot_be_played_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="--rounds"):
        kill_and_resume(tmp_path, 1, [*PLAN, "--rounds", "0"], Random(1), print)
