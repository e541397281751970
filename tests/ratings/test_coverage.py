"""Bars of 95 % hold the truth about 95 times in 100; naive ones do not (seeded: the numbers never change)."""

import pytest
from click.testing import CliRunner

from arena.ratings.coverage import coverage, main


@pytest.mark.parametrize("rotate", [True, False])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_clustered_bars_keep_their_promise(players: int, rotate: bool) -> None:
    found = coverage(players, deals=30, rotate=rotate, tournaments=160, seed=1)
    assert 0.92 <= found.clustered <= 0.98
    if players > 2:
        assert found.naive < 0.9


def test_the_long_run_prints_a_line_per_case() -> None:
    shown = CliRunner().invoke(main, ["1"])
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 10
    assert CliRunner().invoke(main, ["0"]).exit_code == 2
