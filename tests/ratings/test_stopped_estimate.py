from math import inf

import numpy as np
import pytest
from scipy.stats import norm

from arena.ratings.sprt import DealScores, Sprt, expected_mean
from arena.ratings.stopped_estimate import StoppedEstimate, estimate_stopped

SPRT = Sprt(0, 30)


def test_a_test_that_stopped_at_its_first_look_is_not_biased() -> None:
    deals = {0.0: 40, 0.5: 100, 1.0: 110}
    found = estimate_stopped(SPRT, [250], DealScores.of(deals))
    assert found is not None
    mean, variance = 0.64, (40 * 0.64**2 + 100 * 0.14**2 + 110 * 0.36**2) / 249
    assert found.elo == pytest.approx(found.plain)
    assert found.elo == pytest.approx(-400 * np.log10(1 / mean - 1))
    assert found.high == pytest.approx(-400 * np.log10(1 / (mean + 1.959964 * (variance / 250) ** 0.5) - 1), abs=0.01)
    assert (found.looks, found.deals) == (1, 250)


def test_two_looks_by_hand() -> None:
    """The probability of crossing first, or of ending as high, integrated on a fine grid."""
    deals = {0.0: 90, 0.5: 210, 1.0: 140}
    found = estimate_stopped(SPRT, [400, 440], DealScores.of(deals))
    assert found is not None
    mean = (0.5 * 210 + 140) / 440
    spread = ((90 * mean**2 + 210 * (0.5 - mean) ** 2 + 140 * (1 - mean) ** 2) / 439) ** 0.5
    score0, score1 = expected_mean(0), expected_mean(30)
    middle, unit = (score0 + score1) / 2, spread / (score1 - score0)
    low, high = SPRT.lower * unit, SPRT.upper * unit
    drift = (expected_mean(found.elo) - middle) / spread
    end = 440 * (mean - middle) / spread
    sums = np.linspace(low, high, 20_001)
    crossing = norm.sf(high, drift * 400, 20)
    later = norm.pdf(sums, drift * 400, 20) * norm.sf(end - sums, drift * 40, 40**0.5)
    assert crossing + later.sum() * (sums[1] - sums[0]) == pytest.approx(0.5, abs=2e-3)
    assert found.elo < found.plain, "crossing the upper bound needed luck"


def test_it_is_as_often_too_high_as_too_low() -> None:
    random = np.random.default_rng(4)
    truth = 30.0
    above, plain_above, held = [], [], []
    for _ in range(120):
        deals, looks = {0.0: 0, 0.5: 0, 1.0: 0}, list[int]()
        while not SPRT.verdict(DealScores.of(deals)):
            won = (random.random((2, 80)) < expected_mean(truth)).sum(axis=0) / 2
            for value in deals:
                deals[value] += int((won == value).sum())
            looks.append(sum(deals.values()))
        found = estimate_stopped(SPRT, looks, DealScores.of(deals))
        assert found is not None
        above.append(found.elo > truth)
        plain_above.append(found.plain > truth)
        held.append(found.low <= truth <= found.high)
    assert 0.38 < np.mean(above) < 0.62
    assert np.mean(plain_above) > 0.62
    assert np.mean(held) > 0.9


def test_many_looks_at_small_blocks() -> None:
    """The bounds move from look to look, and are 150 steps apart."""
    deals = {0.0: 400, 0.25: 800, 0.5: 1566, 0.75: 800, 1.0: 434}
    found = estimate_stopped(Sprt(0, 2), range(10, 4010, 10), DealScores.of(deals))
    assert found is not None
    assert found.looks == 400
    assert found.elo == pytest.approx(found.plain, abs=0.1), "no bound was in reach so far"
    assert found.high - found.elo == pytest.approx(found.elo - found.low, rel=0.01)
    assert found.high - found.elo == pytest.approx(1.96 * 0.278 / 4000**0.5 * 4 * 400 / np.log(10), rel=0.02)


def test_nothing_is_estimated_from_too_little() -> None:
    assert estimate_stopped(SPRT, [], DealScores.of({})) is None
    assert estimate_stopped(SPRT, [7], DealScores.of({1.0: 4, 0.0: 3})) is None
    assert estimate_stopped(SPRT, [40], DealScores.of({1.0: 40})) is None, "without spread luck is unknown"


@pytest.mark.parametrize(("elo1", "block", "truth"), [(2, 250, 500), (2, 250, -500), (5, 50, 300), (10, 50, -300)])
def test_of_a_large_difference_there_is_no_estimate(elo1: float, block: int, truth: float) -> None:
    """Its walk leaves the bounds otherwise than the model says."""
    random = np.random.default_rng(5)
    sprt, deals, looks = Sprt(0, elo1), {0.0: 0, 0.5: 0, 1.0: 0}, list[int]()
    while not sprt.verdict(DealScores.of(deals)) or len(looks) < 2:
        won = (random.random((2, block)) < expected_mean(truth)).sum(axis=0) / 2
        for value in deals:
            deals[value] += int((won == value).sum())
        looks.append(sum(deals.values()))
    assert estimate_stopped(sprt, looks, DealScores.of(deals)) is None


def test_an_interval_may_be_open() -> None:
    found = estimate_stopped(SPRT, [12], DealScores.of({1.0: 11, 0.5: 1}))
    assert found is not None
    assert found.high == inf
    assert found.to_json("a", "b")["high"] is None
    shown = StoppedEstimate(12.34, -1.0, 20.0, 15.0, 3, 500)
    assert str(shown) == "+12.3 Elo, 95 % interval -1.0 to +20.0"


def test_a_test_in_normalised_elo_is_that_of_the_same_means() -> None:
    """Its hypotheses are means that lie so many standard deviations above 1/2."""
    scores = DealScores.of({0.0: 90, 0.5: 210, 1.0: 140})
    mean = 0.5 + 25 / 440
    spread = ((90 * mean**2 + 210 * (0.5 - mean) ** 2 + 140 * (1 - mean) ** 2) / 439) ** 0.5
    score1 = expected_mean(30)
    nelo1 = scores.normalised(score1, spread)
    found = estimate_stopped(Sprt(0, nelo1, model="normalized"), [400, 440], scores)
    assert found is not None
    assert found.elo == pytest.approx(estimate_stopped(SPRT, [400, 440], scores).elo)  # type: ignore[union-attr]
