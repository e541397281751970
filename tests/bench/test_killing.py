"""A tournament is killed and goes on, with everything that was stored; `make bench-resume` does it 20 times."""

from pathlib import Path
from random import Random

import pytest

from arena.bench.figures import BenchError
from arena.bench.killing import PLAN, kill_and_resume


def test_nothing_is_lost_or_there_twice_after_three_kills_at_random_moments(tmp_path: Path) -> None:
    said: list[str] = []
    plan = [*PLAN, "-o", "chips=2", "--rounds", "300"]
    outcome = kill_and_resume(tmp_path, 3, plan, Random(7), said.append)
    assert outcome.matches == 1200
    assert outcome.stored == sorted(outcome.stored)
    assert len(outcome.kills) == 3
    assert said[-1].startswith("kill 3: ")


def test_a_plan_that_cannot_be_played_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="--rounds"):
        kill_and_resume(tmp_path, 1, [*PLAN, "--rounds", "0"], Random(1), print)
