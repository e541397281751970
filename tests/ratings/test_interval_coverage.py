"""Bars of 95 % hold the truth about 95 times in 100; naive ones do not (seeded: the numbers never change)."""

import numpy as np
import pytest
from click.testing import CliRunner

from bench.research.interval_coverage import (
    coverage,
    main,
    mixed_tournament,
    tournament,
)


@pytest.mark.parametrize(("players", "rotate"), [(2, True), (4, False), pytest.param(6, True, marks=pytest.mark.slow)])
def test_clustered_bars_keep_their_promise(players: int, rotate: bool) -> None:
    draw = np.random.default_rng(1)
    measured = coverage(players, (tournament(players, 30, rotate, draw) for _ in range(160)))
    assert 0.92 <= measured.clustered <= 0.98
    if players > 2:
        assert measured.naive < 0.9


@pytest.mark.slow
def test_clustered_bars_of_bots_with_changing_partners_keep_it_too() -> None:
    draw = np.random.default_rng(1)
    measured = coverage(5, (mixed_tournament(5, 40, draw) for _ in range(160)))
    assert 0.92 <= measured.clustered <= 0.98
    assert measured.naive < 0.92


def test_the_long_run_prints_a_line_per_case() -> None:
    shown = CliRunner().invoke(main, ["1"])
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 35
    assert CliRunner().invoke(main, ["0"]).exit_code == 2
