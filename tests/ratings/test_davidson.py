from math import log, sqrt

import numpy as np
import pytest

from arena.ratings import Result, Tally, fit_ranking
from arena.ratings.davidson import solve_with_ties
from arena.ratings.ranking import ELO_PER_NAT
from arena.ratings.solver import solve
from arena.values.errors import RatingError


def matches(won: int, tied: int, lost: int, bots: tuple[str, str] = ("a", "b"), first: int = 0) -> list[Result]:
    ranks = [(1, 2)] * won + [(1, 1)] * tied + [(2, 1)] * lost
    return [Result(first + deal, bots, each, (0, 0)) for deal, each in enumerate(ranks)]


def test_two_bots_in_closed_form() -> None:
    # win : tie : loss = exp(d / 2) : v : exp(-d / 2), so that exp(d) = won / lost and v = tied / sqrt(won * lost).
    table = fit_ranking(Tally(matches(50, 30, 20)), davidson=True)
    assert table.tie == pytest.approx(30 / sqrt(50 * 20))
    assert table.rows[0].elo - table.rows[1].elo == pytest.approx(ELO_PER_NAT * log(50 / 20), abs=1e-5)


def test_without_ties_it_is_bradley_and_terry() -> None:
    results = matches(7, 0, 3) + matches(4, 0, 6, ("b", "c"), 20) + matches(9, 0, 2, ("a", "c"), 40)
    with_ties, plain = solve_with_ties(Tally(results).totals()), solve(Tally(results).totals())
    assert with_ties is not None
    assert with_ties.tie == 0
    assert with_ties.strengths == pytest.approx(plain.strengths)
    assert with_ties.covariance == pytest.approx(plain.covariance)


def test_the_covariance_is_that_of_the_delta_method() -> None:
    # For independent matches the counts are multinomial and d = log(won) - log(lost): variance 1 / won + 1 / lost.
    won, tied, lost = 60, 25, 15
    solution = solve_with_ties(Tally(matches(won, tied, lost)).totals())
    assert solution is not None
    difference = np.array([1, -1]) @ solution.covariance @ np.array([1, -1])
    assert difference == pytest.approx((1 / won + 1 / lost) * 100 / 99)
    naive = np.array([1, -1]) @ solution.naive @ np.array([1, -1])
    assert naive == pytest.approx(1 / won + 1 / lost)


def test_matches_of_one_deal_count_as_one_experiment() -> None:
    alone = matches(12, 8, 10)
    doubled = [result for result in alone for _ in range(2)]
    once, twice = (solve_with_ties(Tally(results).totals()) for results in (alone, doubled))
    assert once is not None
    assert twice is not None
    assert twice.covariance == pytest.approx(once.covariance)
    assert twice.naive == pytest.approx(once.naive / 2)


def test_who_won_everything_is_open_above() -> None:
    table = fit_ranking(Tally([*matches(5, 0, 0, ("top", "a")), *matches(5, 5, 5, ("a", "b"), 20)]), davidson=True)
    assert (table.rows[0].bot, table.rows[0].bound) == ("top", ">")


def test_it_is_for_two_and_needs_more_than_ties() -> None:
    with pytest.raises(RatingError, match="two at a table; here up to 3 met"):
        fit_ranking(Tally([Result(0, ("a", "b", "c"), (1, 2, 3), (0, 0, 0))]), davidson=True)
    with pytest.raises(RatingError, match="all matches were ties"):
        fit_ranking(Tally(matches(0, 5, 0)), davidson=True)
