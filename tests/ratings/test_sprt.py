from math import exp, log

import numpy as np
import pytest

from arena.ratings import Result, Tally
from arena.ratings.sprt import DealScores, Sprt, deal_scores
from arena.values.errors import RatingError

pairs = DealScores.of


def chance(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def test_with_wins_and_losses_only_it_is_walds_test() -> None:
    # Of two results the mean fixes the distribution, so the generalised ratio is the plain one.
    sprt = Sprt(0, 20)
    won, lost = 130, 100
    plain = won * log(chance(20) / 0.5) + lost * log((1 - chance(20)) / 0.5)
    assert sprt.llr(pairs({1.0: won, 0.0: lost}, 1)) == pytest.approx(plain, rel=1e-3)


def test_many_deals_near_the_hypotheses_follow_the_normal_approximation() -> None:
    # Then the ratio tends to n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    sprt = Sprt(0, 4)
    deals = {0.0: 1000, 0.25: 3000, 0.5: 6000, 0.75: 3100, 1.0: 1050}
    count = sum(deals.values())
    mean = sum(value * times for value, times in deals.items()) / count
    variance = sum(value**2 * times for value, times in deals.items()) / count - mean**2
    s0, s1 = chance(0), chance(4)
    assert sprt.llr(pairs(deals)) == pytest.approx(count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.02)


def test_what_is_swapped_is_negated() -> None:
    deals = {0.0: 12, 0.5: 30, 0.75: 9, 1.0: 21}
    swapped = {1 - value: times for value, times in deals.items()}
    assert Sprt(-5, 5).llr(pairs(deals)) == pytest.approx(-Sprt(-5, 5).llr(pairs(swapped)))


def test_the_bounds_and_the_verdicts() -> None:
    sprt = Sprt(0, 50, alpha=0.05, beta=0.1)
    assert (exp(sprt.lower), exp(sprt.upper)) == pytest.approx((0.1 / 0.95, 0.9 / 0.05))
    assert sprt.verdict(pairs({1.0: 60, 0.0: 20})) == "H1"
    assert sprt.verdict(pairs({1.0: 20, 0.0: 60})) == "H0"
    assert sprt.verdict(pairs({1.0: 11, 0.0: 10})) == ""
    assert sprt.verdict(pairs({1.0: 7})) == "", "seven deals are too few"
    assert Sprt(0, 5).llr(DealScores()) == 0


def test_it_errs_as_seldom_as_promised() -> None:
    """Deals of two matches that share their luck: with naive counts the errors would be twice as many."""
    random = np.random.default_rng(5)
    sprt = Sprt(0, 60, alpha=0.05, beta=0.05)
    for elo, wrong in ((0, "H1"), (60, "H0")):
        verdicts = []
        for _ in range(200):
            deals = {0.0: 0, 0.5: 0, 1.0: 0}
            while not (verdict := sprt.verdict(pairs(deals))):
                for _ in range(8):
                    won = random.random() < chance(elo)
                    again = won if random.random() < 0.5 else random.random() < chance(elo)
                    deals[(won + again) / 2] += 1
            verdicts.append(verdict)
        # 5 % of 200 are 10; more than 20 would be a chance of one in a thousand. (Checks in steps of 8 err less.)
        assert verdicts.count(wrong) <= 20


def test_the_score_of_a_deal_is_the_mean_over_its_matches() -> None:
    results = [
        Result(0, ("a", "b", "x"), (1, 2, 3), (0, 0, 0)),
        Result(0, ("b", "x", "a"), (1, 2, 3), (0, 0, 0)),
        Result(1, ("a", "b", "x"), (1, 1, 3), (0, 0, 0)),
        Result(2, ("a", "x", "x"), (1, 2, 3), (0, 0, 0)),
        Result(3, ("a", "b", "a"), (1, 2, 3), (0, 0, 0)),
        Result(4, ("a", "b", "x"), (1, 2, 3), (0, 0, 0)),
    ]
    totals = Tally(results).totals()
    assert deal_scores(totals.lineup, totals.pairs, "a", "b") == DealScores({0.5: 3, 1.0: 1}, 6)
    assert deal_scores(totals.lineup, totals.pairs, "b", "a") == DealScores({0.5: 3, 0.0: 1}, 6)
    assert deal_scores(totals.lineup, totals.pairs, "a", "c") == DealScores()


def test_of_teams_those_count_that_one_bot_plays_alone() -> None:
    results = [Result(deal, (("a", "a"), ("b", "b")), (1, 2), (0, 0)) for deal in range(3)]
    totals = Tally([*results, Result(3, (("a", "b"), ("b", "c")), (1, 2), (0, 0))]).totals()
    assert deal_scores(totals.lineup, totals.pairs, "a", "b") == DealScores({1.0: 3}, 3)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((5, 5, 0.05, 0.05), "elo1 must be greater than elo0"),
        ((0, 5, 0, 0.05), "alpha is the chance of a wrong verdict"),
        ((0, 5, 0.05, 0.7), "beta is the chance of a wrong verdict"),
    ],
)
def test_a_test_that_makes_no_sense(values: tuple[float, float, float, float], sentence: str) -> None:
    with pytest.raises(RatingError, match=sentence):
        Sprt(*values)
