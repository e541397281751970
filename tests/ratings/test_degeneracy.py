"""Deals that all end alike are no proof of certainty."""

from math import sqrt

import numpy as np
import pytest

from arena.ratings.anchor import Anchor
from arena.ratings.degeneracy import at_least_naive, is_degenerate
from arena.ratings.ranking import ELO_PER_NAT, fit_ranking, jointly_separated_from_above
from arena.ratings.seat_advantage import seat_advantages
from arena.ratings.solver import solve
from arena.ratings.source import ResultSource
from arena.ratings.tally import Tally
from arena.ratings.variance_reduction import variance_reductions
from arena.values.errors import RatingError
from arena.values.result import Result
from bench.research.interval_coverage import coverage_of_few


def equal_pairs(deals: int, one: str = "A", other: str = "B", first: int = 0) -> list[Result]:
    """Return pairs of games that all end 1.5 : 0.5, as of two deterministic engines on one opening."""
    return [
        Result(deal, (one, other), ranks, (1, 0)) for deal in range(first, first + deals) for ranks in ((1, 2), (1, 1))
    ]


def test_ten_equal_deals_have_the_bar_of_twenty_independent_games() -> None:
    table = fit_ranking(Tally(equal_pairs(10)))
    difference = sqrt(1 / (20 * 0.75 * 0.25))
    student = 2.2621572
    for row in table.rows:
        assert row.ci95 == pytest.approx(ELO_PER_NAT * student * difference / 2, rel=1e-6)
        assert row.score_ci95 is None
    assert table.rows[1].separated is False
    assert table.los[0, 1] == pytest.approx(0.969, abs=0.001)
    assert not table.superior.any()
    assert np.diag(table.covariance) == pytest.approx([(ELO_PER_NAT * difference / 2) ** 2] * 2)
    assert table.notes == (
        "All deals ended alike, but for one at most, which proves little: bars are those of as many independent "
        "comparisons. "
        "Perhaps deterministic bots repeat their matches.",
    )


def test_equal_deals_separate_nobody_until_there_are_enough() -> None:
    def apart(deals: int) -> bool | None:
        totals = Tally(equal_pairs(deals)).totals()
        return jointly_separated_from_above(solve(totals), totals.lineup.bots, deals / 10, 0.05)[1]

    assert [apart(10), apart(20), apart(400)] == [False, False, True]


def test_deals_with_spread_are_rated_as_before() -> None:
    results = [*equal_pairs(15), *equal_pairs(5, "B", "A", 15)]
    solution = solve(Tally(results).totals())
    (row, _) = fit_ranking(Tally(results)).rows
    assert row.ci95 == pytest.approx(ELO_PER_NAT * 2.0930241 * sqrt(solution.covariance[0, 0]), rel=1e-6)
    assert fit_ranking(Tally(results)).notes == ()


def test_a_pair_without_spread_in_a_field_with_spread() -> None:
    results = [*equal_pairs(20), *equal_pairs(14, "C", "D", 20), *equal_pairs(6, "D", "C", 34)]
    by_name = {row.bot: row for row in fit_ranking(Tally(results)).rows}
    clustered = solve(Tally(results).totals())
    assert by_name["A"].ci95 == pytest.approx(ELO_PER_NAT * 2.0930241 * sqrt(1 / (40 * 0.75 * 0.25)) / 2, rel=1e-6)
    assert by_name["C"].ci95 == pytest.approx(ELO_PER_NAT * 2.0930241 * sqrt(clustered.covariance[2, 2]), rel=1e-6)
    assert fit_ranking(Tally(results)).notes[-1].startswith("Deals of A, B ended alike")


def test_seats_whose_deals_end_alike() -> None:
    results = [
        Result(deal, bots, ranks, (1, 0))
        for deal in range(12)
        for bots in (("A", "B"), ("B", "A"))
        for ranks in ((1, 2), (1, 2), (2, 1))
    ]
    first, second = seat_advantages(ResultSource(lambda: results))
    assert first.ci95 == second.ci95
    assert first.ci95 == pytest.approx(ELO_PER_NAT * 2.2009852 * sqrt(1 / (72 * 2 / 9)) / 2, rel=1e-6)


def test_an_anchor_is_known_without_deals() -> None:
    results = [*equal_pairs(15), *equal_pairs(5, "B", "A", 15)]
    table = fit_ranking(Tally(results), anchor=Anchor("A", 2000))
    assert table.notes == ("Elo and bars are measured from A, which stands at 2000.",)


def test_what_deals_that_ended_alike_saved_is_not_told() -> None:
    with pytest.raises(RatingError, match="is not told where all deals of a bot ended alike"):
        variance_reductions(ResultSource(lambda: equal_pairs(20)))


def test_ties_and_wins_of_one_side_have_no_tie_parameter() -> None:
    with pytest.raises(RatingError, match="no finite tie parameter"):
        fit_ranking(Tally(equal_pairs(10)), davidson=True)


def test_the_limit_is_less_than_a_deal_that_differs() -> None:
    variance, naive, deals = np.array([0.0, 0.09, 0.11]), np.ones(3), np.full(3, 10)
    assert is_degenerate(variance, naive, deals).tolist() == [True, True, False]
    assert at_least_naive(variance, naive, deals).tolist() == [1.0, 1.0, 0.11]


def test_bars_of_few_outcomes_hold_the_truth() -> None:
    few = coverage_of_few(10, 0.01, 100, np.random.default_rng(1))
    assert few.shown == 1.0
    assert few.plain < 0.2
