"""Two checkouts that are measured in turn."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tools.compare_speed import CannotMeasure, Comparison, benchmark, compare, main, table, timed

HERE, THERE = Path("/here"), Path("/there")


def figure(ratios: Sequence[float]) -> Comparison:
    """A figure that costs 2 there, and here that times each ratio."""
    return Comparison("x", [2 * ratio for ratio in ratios], [2.0] * len(ratios), 0.03)


def test_they_take_turns_and_each_begins_every_second_round() -> None:
    turns = []

    def run(checkout: Path) -> dict[str, float]:
        turns.append(checkout)
        cost = {HERE: 3.0, THERE: 2.0}[checkout] * len(turns)
        return {"a": cost, str(checkout): 1.0, "nothing": 0.0}

    (only,) = compare(THERE, run, 3, 0.03, HERE)
    assert turns == [THERE, HERE, HERE, THERE, THERE, HERE]
    assert (only.name, only.here, only.there) == ("a", [6.0, 9.0, 18.0], [2.0, 8.0, 10.0])
    assert only.ratios == [1.125, 1.8, 3.0]
    assert only.ratio == 1.8


def test_checkouts_without_a_figure_in_common_are_not_compared() -> None:
    with pytest.raises(CannotMeasure, match="the two checkouts have no figure in common"):
        compare(THERE, lambda checkout: {str(checkout): 1.0}, 1, 0.03, HERE)


@pytest.mark.parametrize(
    ("rounds", "low", "high"),
    # As tables of the sign test have them: 9 rounds, the second from each end; 12, the third; 20, the sixth.
    [(1, 1, 1), (2, 1, 2), (5, 1, 5), (6, 1, 6), (8, 1, 8), (9, 2, 8), (12, 3, 10), (20, 6, 15)],
)
def test_the_interval_is_that_of_the_sign_test(rounds: int, low: int, high: int) -> None:
    assert figure(range(rounds, 0, -1)).interval == (low, high)


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([1.04, 1.05, 1.01, 1.04, 1.04, 1.06], "slower"),
        ([1.04, 1.05, 1.00, 1.04, 1.04, 1.06], "unclear"),
        ([1.02, 1.02, 1.01, 1.02, 1.02, 1.06], "unclear"),
        ([1.02, 1.02, 1.01, 1.02, 1.02, 1.03], ""),
        ([0.5, 0.6, 0.5, 0.5, 0.5, 0.5], ""),
    ],
)
def test_slower_is_what_lost_too_much_and_surely_lost(ratios: list[float], verdict: str) -> None:
    assert figure(ratios).verdict == verdict


def test_the_table_has_medians_ratio_and_interval() -> None:
    lines = table([figure([1.5, 1.25, 2.0])]).splitlines()
    assert lines[0].split("  ")[0] == "cost"
    assert lines[2].split() == ["x", "3", "2", "1.500", "1.250", "-", "2.000", "slower"]


Checkout = Callable[[str, str], Path]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Makes a checkout with a program in its .venv."""

    def make(name: str, script: str) -> Path:
        programs = tmp_path / name / ".venv" / "bin"
        programs.mkdir(parents=True)
        (programs / "arena").write_text(f"#!/bin/sh\n{script}\n")
        (programs / "arena").chmod(0o755)
        return tmp_path / name

    return make


def test_a_benchmark_gives_costs(checkout: Checkout) -> None:
    figures = [
        {"name": "decisions", "value": 500, "unit": "decisions/s", "cpu_us": {"value": 8.5, "runs": [8.5]}},
        {"name": "copies", "value": 250, "unit": "copies/s"},
        {"name": "size", "value": 640.5, "unit": "bytes/match"},
        {"name": "none", "value": 0, "unit": "matches/s"},
    ]
    there = checkout("there", f"echo measuring >&2; echo \"$*\" >words; echo '{json.dumps({'figures': figures})}'")
    costs = benchmark(["engine", "store"])(there)
    assert costs == {"decisions": 8.5, "copies": 1 / 250, "size": 640.5, "none": 0.0}
    assert (there / "words").read_text() == "bench --quick --only engine --only store --json -\n"


def test_a_command_finds_the_programs_of_its_checkout(checkout: Checkout) -> None:
    there = checkout("there", "pwd >words")
    costs = timed(["arena", "x"])(there)
    assert (there / "words").read_text() == f"{there}\n"
    assert list(costs) == ["seconds", "CPU seconds"]
    assert 0 < costs["seconds"] < 60


def test_a_command_that_fails_is_told(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    there = checkout("there", "echo no room >&2; exit 3")
    assert main([str(there), "--rounds", "1", "--", "arena", "x"], there) == 2
    told = capsys.readouterr().err
    assert f"error: arena x failed in {there} with exit code 3:\nno room\n" in told


def test_a_folder_without_programs_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--", "true"], tmp_path) == 2
    assert capsys.readouterr().err == f"error: {tmp_path} has no .venv: run `make .venv/.dev` there\n"


def test_a_loss_fails(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    answer = 'echo \'{"figures": [{"name": "size", "value": %d, "unit": "bytes"}]}\''
    here, there = checkout("here", answer % 104), checkout("there", answer % 100)
    assert main([str(there), "--rounds", "2"], here) == 1
    assert "slower by more than 3 %: size\n" in capsys.readouterr().out
    assert main([str(there), "--rounds", "2", "--loss", "5"], here) == 0
