import numpy as np
import pytest

from arena.ratings.keyed_sums import Floats
from arena.ratings.sparse_information import SparseInformation


def laplacian(seed: int, bots: int = 12) -> tuple[SparseInformation, Floats]:
    random = np.random.default_rng(seed)
    weights = np.triu(np.exp(random.normal(0, 3, (bots, bots))) * (random.random((bots, bots)) < 0.5), 1)
    weights[np.arange(bots - 1), np.arange(1, bots)] += 0.1  # connected
    first, second = np.nonzero(weights)
    dense = -weights - weights.T
    return SparseInformation(first, second, weights[first, second], bots), dense - np.diag(dense.sum(axis=1))


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_matrix_and_solves_its_systems(seed: int) -> None:
    information, dense = laplacian(seed)
    assert information.to_dense() == pytest.approx(dense)
    assert information.diagonal == pytest.approx(np.diag(dense))
    vectors = np.random.default_rng(seed).normal(size=(12, 3))
    assert information @ vectors == pytest.approx(dense @ vectors)
    assert information @ vectors[:, 0] == pytest.approx(dense @ vectors[:, 0])
    right = vectors - vectors.mean(axis=0)
    right[:, 1] = 0
    expected = np.linalg.pinv(dense) @ right
    solved = information.solve(right, 1e-12)
    assert solved - solved.mean(axis=0) == pytest.approx(expected, abs=1e-8)
    single = information.solve(right[:, 0], 1e-12)
    assert single - single.mean() == pytest.approx(expected[:, 0], abs=1e-8)


def test_who_met_nobody_stays_where_they_are() -> None:
    information = SparseInformation(np.array([0]), np.array([2]), np.array([0.25]), 4)
    solved = information.solve(np.array([1.0, 0.0, -1.0, 0.0]), 1e-9)
    assert solved == pytest.approx([2, 0, -2, 0])


def test_a_right_side_of_rounding_errors_has_a_solution() -> None:
    information, _ = laplacian(0)
    assert np.abs(information.solve(np.random.default_rng(1).normal(size=12) * 1e-14, 1e-9)).max() < 1e-9


def test_where_the_rounds_come_to_no_end_the_system_is_solved_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    information, dense = laplacian(0)
    right = np.arange(12.0) - 5.5
    expected = information.solve(right, 1e-12)
    monkeypatch.setattr("arena.ratings.sparse_information._MAX_ROUNDS", 2)
    monkeypatch.setattr("arena.ratings.sparse_information._MAX_ROUNDS_PER_BOT", 0)
    solved = information.solve(right, 1e-12)
    assert dense @ solved == pytest.approx(right)
    assert solved - solved.mean() == pytest.approx(expected - expected.mean(), abs=1e-8)
