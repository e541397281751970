"""The comparison of frequencies: what it computes, and how often it is wrong without a difference."""

import numpy as np
import pytest
from arena_insight.weaknesses.frequencies import compare_frequencies


def test_frequencies_are_weighted_by_the_positions_of_the_first_side() -> None:
    own_decisions = np.array([[10.0] * 10, [30.0] * 10])
    other_decisions = np.array([[30.0] * 10, [10.0] * 10])
    own, other = own_decisions * [[0.5], [0.1]], other_decisions * [[0.5], [0.1]]
    found = compare_frequencies(own, own_decisions, other, other_decisions)
    assert found is not None
    assert found.own == pytest.approx(0.2)
    assert found.difference == pytest.approx(0)
    assert found.p_value == pytest.approx(1)
    assert (found.own_count, found.own_decisions, found.other_count, found.other_decisions) == (80, 400, 160, 400)


def test_opposite_habits_are_told_apart_though_neither_varies() -> None:
    decisions = np.full((1, 10), 2.0)
    found = compare_frequencies(decisions, decisions, 0 * decisions, decisions)
    assert found is not None
    assert found.difference == 1
    assert 0 < found.p_value < 0.001
    same = compare_frequencies(decisions, decisions, decisions, decisions)
    assert same is not None
    assert same.p_value == 1


def test_few_deals_or_decisions_are_not_compared() -> None:
    decisions = np.full((1, 7), 5.0)
    assert compare_frequencies(decisions, decisions, decisions, decisions) is None
    rare = np.zeros((1, 20))
    rare[0, :4] = 1
    assert compare_frequencies(rare, rare, np.ones((1, 20)), np.ones((1, 20))) is None


@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_sides_without_a_difference_are_seldom_told_apart(spread: float) -> None:
    """Deals differ by `spread` in how often anybody chooses the action, so decisions of a deal are alike."""
    random = np.random.default_rng(5)
    false = 0
    for _ in range(600):
        decisions = random.integers(0, 6, (2, 3, 25)).astype(float)
        rates = np.clip(0.4 + random.uniform(-spread, spread, (2, 3, 25)), 0, 1)
        chosen = random.binomial(decisions.astype(int), rates).astype(float)
        found = compare_frequencies(chosen[0], decisions[0], chosen[1], decisions[1])
        assert found is not None
        false += found.p_value < 0.05
    assert false / 600 < 0.07
