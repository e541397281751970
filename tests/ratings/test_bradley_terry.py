from math import log

import numpy as np
import pytest

from arena.ratings.bradley_terry import fit_strengths
from arena.ratings.keyed_sums import Floats
from tests.ratings.comparisons import between


def fitted(points: list[list[float]]) -> Floats:
    won = np.array(points)
    return fit_strengths(*between(won, won + won.T), np.full(won.shape, 1 / len(won)))


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (1, 1), (0.5, 99.5), (999_999.5, 0.5)])
def test_two_bots_differ_by_the_logarithm_of_their_points(won: float, lost: float) -> None:
    one, other = fitted([[0, won], [lost, 0]])
    assert one - other == pytest.approx(log(won / lost), abs=1e-9)
    assert one + other == pytest.approx(0, abs=1e-9)


def test_points_that_the_model_explains_are_explained_exactly() -> None:
    true = np.array([1.5, 0.25, 0.0, -1.75])
    points = 1 / (1 + np.exp(true - true[:, None]))
    np.fill_diagonal(points, 0)
    assert fitted((points * 7).tolist()) == pytest.approx(true, abs=1e-10)


def test_agrees_with_minorisation_on_points_that_fit_no_model() -> None:
    points = np.array([[0, 3, 0.5, 6], [1, 0, 4, 2], [2.5, 1, 0, 0], [0, 2, 3, 0]])
    counts = points + points.T
    worth = np.ones(4)
    for _ in range(5000):  # Hunter (2004), equation 3
        worth = points.sum(axis=1) / (counts / (worth[:, None] + worth)).sum(axis=1)
        worth /= np.exp(np.log(worth).mean())
    assert fitted(points.tolist()) == pytest.approx(np.log(worth), abs=1e-10)


def test_no_point_nearby_is_likelier() -> None:
    points = np.array([[0, 5, 1], [2, 0, 4], [2, 3, 0]])
    best = fitted(points.tolist())

    def likelihood(at: Floats) -> float:
        return float(-(points * np.log1p(np.exp(at - at[:, None]))).sum())

    for step in np.random.default_rng(1).normal(0, 0.01, (50, 3)):
        assert likelihood(best + step) < likelihood(best)
