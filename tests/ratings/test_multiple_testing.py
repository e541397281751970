import numpy as np
import pytest
from scipy.stats import norm

from arena.ratings.multiple_testing import MIXTURE, adjust_pairs, always_valid, holm


def test_holm_as_published() -> None:
    # Four p-values: the smallest times 4, the next times 3 and so on, never below one before it.
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.5, 0.9])).tolist() == [1.0, 1.0]
    assert holm(np.empty(0)).tolist() == []


def test_pairs_that_nothing_is_known_of_count_and_others_do_not() -> None:
    nan = np.nan
    p_values = np.array([[nan, 0.01, nan, nan], [0.01, nan, 0.03, nan], [nan, 0.03, nan, nan], [nan] * 4])
    adjusted = adjust_pairs(p_values, np.array([0, 0, 0, 1]))
    assert adjusted[0, 1] == adjusted[1, 0] == pytest.approx(0.03), "three pairs of the group, one of them unknown"
    assert adjusted[1, 2] == pytest.approx(0.06)
    assert np.isnan(adjusted[0, 2])
    assert np.isnan(adjusted[3]).all()


def test_an_always_valid_p_value_is_one_over_the_mixture() -> None:
    """The likelihood ratio of a difference drawn from a normal distribution, integrated numerically."""
    looks, z = 7, 3.4
    scale = 1 / np.sqrt(MIXTURE)  # of the difference, in standard deviations of one look
    difference = np.linspace(-12, 12, 200_001) * scale
    ratio = np.exp(difference * z * np.sqrt(looks) - difference**2 * looks / 2)
    mixture = np.sum(ratio * norm.pdf(difference, scale=scale)) * (difference[1] - difference[0])
    p_value = 2 * norm.sf(z)
    assert always_valid(np.array([p_value]), looks)[0] == pytest.approx(1 / mixture, rel=1e-6)
    assert always_valid(np.array([1.0, 0.0]), looks).tolist() == [1.0, 0.0]


def test_tests_after_every_look_err_as_seldom_as_promised() -> None:
    """Of 4,000 walks without drift, looked at 300 times, fewer than 5 % ever cross; nearly half cross 1.96 errors."""
    walks = np.random.default_rng(1).standard_normal((4000, 300)).cumsum(axis=1)
    looks = np.arange(1, 301)
    p_values = 2 * norm.sf(np.abs(walks) / np.sqrt(looks))
    crossed = np.zeros(4000, np.bool_)
    for look in looks:
        crossed |= always_valid(p_values[:, look - 1], float(look)) <= 0.05
    assert 0.02 < crossed.mean() < 0.05
    assert (p_values <= 0.05).any(axis=1).mean() > 0.4
