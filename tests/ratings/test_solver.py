from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.ratings import Result, Tally
from arena.ratings.solver import solve


def test_two_bots_in_closed_form() -> None:
    won = {0: 3, 1: 0, 2: 2, 3: 1, 4: 4}  # of 4 comparisons per deal
    results = [
        Result(deal, ("a", "b"), (1, 2) if match < wins else (2, 1), (0, 0))
        for deal, wins in won.items()
        for match in range(4)
    ]
    solution = solve(Tally(results).totals())
    score = 10 / 20
    spread = sum((wins - 4 * score) ** 2 for wins in won.values()) * 5 / 4
    # The variance of the difference of two strengths is the points' over the squared information.
    difference = solution.covariance[0, 0] + solution.covariance[1, 1] - 2 * solution.covariance[0, 1]
    assert difference == pytest.approx(spread / (20 * score * (1 - score)) ** 2)
    naive = solution.naive[0, 0] + solution.naive[1, 1] - 2 * solution.naive[0, 1]
    assert naive == pytest.approx(1 / (20 * score * (1 - score)))
    assert solution.covariance[0, 0] == pytest.approx(difference / 4)  # each stands half the difference from the mean


def test_any_field_against_the_sandwich_spelt_out() -> None:
    draw = Random(3)
    results = []
    for number in range(120):
        seated = tuple(draw.choices("abcde", k=draw.choice((2, 3, 5))))
        results.append(Result(number // 4, seated, tuple(draw.choices(range(4), k=len(seated))), (0,) * len(seated)))
    totals = Tally(results).totals()
    solution = solve(totals)
    strength = dict(zip(totals.lineup.bots, solution.strengths, strict=True))
    one_hot = dict(zip(totals.lineup.bots, np.eye(5), strict=True))

    slopes = {result.deal: np.zeros(5) for result in results}
    hessian = np.zeros((5, 5))
    met: dict[str, set[int]] = {bot: set() for bot in totals.lineup.bots}
    for deal, bots, ranks, _ in results:
        for (a, rank), (b, other) in combinations(zip(bots, ranks, strict=True), 2):
            if a != b and isinstance(a, str) and isinstance(b, str):
                point = (rank < other) + (rank == other) / 2
                chance = 1 / (1 + np.exp(strength[b] - strength[a]))
                difference = one_hot[a] - one_hot[b]
                slopes[deal] += (point - chance) * difference
                hessian += chance * (1 - chance) * np.outer(difference, difference)
                met[a].add(deal)
                met[b].add(deal)
    bread = np.linalg.inv(hessian + 1 / 5) - 1 / 5
    correction = np.sqrt([len(deals) / (len(deals) - 1) for deals in met.values()])
    meat = sum(np.outer(slope, slope) for slope in slopes.values())
    assert sum(slopes.values()) == pytest.approx(np.zeros(5), abs=1e-9)
    assert solution.covariance == pytest.approx(bread @ meat @ bread * np.outer(correction, correction))
    assert solution.naive == pytest.approx(bread)
    assert solution.deals.tolist() == [len(deals) for deals in met.values()]


def test_rotations_that_undo_the_luck_of_the_deal_leave_no_doubt() -> None:
    # The first seat always wins; in both rotations together each bot has one point of two, in every deal.
    results = [Result(deal, bots, (1, 2), (1, 0)) for deal in range(20) for bots in (("a", "b"), ("b", "a"))]
    solution = solve(Tally(results).totals())
    assert solution.covariance == pytest.approx(np.zeros((2, 2)), abs=1e-18)
    assert solution.naive[0, 0] > 0.01


def test_teams_against_the_sandwich_spelt_out() -> None:
    draw = Random(7)
    results = []
    for number in range(200):
        seated = draw.sample("abcde", 4)
        teams = (tuple(seated[:2]), (seated[2], seated[2], seated[3])), ((seated[0], seated[1]), seated[2])
        results.append(Result(number // 4, teams[number % 2], tuple(draw.choices((1, 2), k=2)), (0, 0)))
    totals = Tally(results).totals()
    solution = solve(totals)
    place = {bot: number for number, bot in enumerate(totals.lineup.bots)}

    slopes = np.zeros((50, 5))
    hessian = np.zeros((5, 5))
    for deal, (one, other), (rank, second), _ in results:
        difference = np.zeros(5)
        for team, sign in ((one, 1), (other, -1)):
            for bot in team:
                difference[place[bot]] += sign / len(team)
        chance = 1 / (1 + np.exp(-(difference @ solution.strengths)))
        slopes[deal] += ((rank < second) + (rank == second) / 2 - chance) * difference
        hessian += chance * (1 - chance) * np.outer(difference, difference)
    bread = np.linalg.inv(hessian + 1 / 5) - 1 / 5
    deals = solution.deals
    correction = np.sqrt(deals / (deals - 1))
    assert slopes.sum(axis=0) == pytest.approx(np.zeros(5), abs=1e-9)
    assert solution.covariance == pytest.approx(bread @ slopes.T @ slopes @ bread * np.outer(correction, correction))
    assert solution.naive == pytest.approx(bread)
