"""Tests that may end after eight pairs err as seldom as promised (seeded: the numbers never change)."""

import numpy as np
import pytest
from click.testing import CliRunner

from arena.ratings.sprt import Sprt, expected_mean
from arena.values.stop_rule import Model, StopRule
from bench.research.early_tests import SHAPES, course, main, surplus, tilted

CELLS = np.array((0.0, 0.25, 0.5, 0.75, 1.0))


def test_shapes_are_tilted_until_the_hypothesis_holds() -> None:
    shares = tilted(SHAPES["skewed"], surplus("logistic", 50))
    assert shares @ CELLS == pytest.approx(expected_mean(50))
    shares = tilted(SHAPES["half are ties"], surplus("normalized", 100))
    mean = shares @ CELLS
    per_game = (2 * (shares @ (CELLS - mean) ** 2)) ** 0.5
    assert (mean - 0.5) / per_game * 800 / np.log(10) == pytest.approx(100)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_tests_of_large_differences(model: Model) -> None:
    looks = StopRule("sprt", 0, 100, look=8).looks(2000, 250)
    for truth, wrong in ((0, "H1"), (100, "H0")):
        shares = tilted(SHAPES["no ties"], surplus(model, truth))
        found = course(Sprt(0, 100, model=model), shares, wrong, looks, 100, np.random.default_rng(4))
        assert found.wrong <= 10, "more than 10 of 100 are a chance of 1 %"
        assert 8 < found.pairs < 100


def test_the_long_run_takes_a_number_of_tests() -> None:
    assert CliRunner().invoke(main, ["0"]).exit_code == 2
