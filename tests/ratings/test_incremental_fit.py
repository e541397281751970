"""A fit that grows deal by deal is the fit of all deals at once."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from arena.ratings import Result, Tally, fit_ranking
from arena.ratings.incremental_fit import IncrementalFit
from arena.ratings.ranking import separated_from_above
from arena.ratings.solver import solve
from arena.values.result import Team

Seat = Callable[[Random], tuple[Team, ...]]


def two(random: Random) -> tuple[Team, ...]:
    return tuple(random.sample("dacbe", 2))


def four_with_copies(random: Random) -> tuple[Team, ...]:
    return tuple(random.choices("dacb", k=4))


def mixed(random: Random) -> tuple[Team, ...]:
    order = random.sample("fadcbe", 6)
    return tuple(order[:3]), tuple(order[3:])


def alone_or_in_pairs(random: Random) -> tuple[Team, ...]:
    return random.choice([("a", "b"), (("a", "a"), ("b", "b")), (("a", "c"), ("b", "c")), ("c", "d", "a")])


def block(random: Random, seat: Seat, deals: range) -> list[Result]:
    found = []
    for deal in deals:
        teams = seat(random)
        for _ in range(random.choice((1, 2, len(teams)))):
            form = [random.gauss(ord(min(team)) / 20, 3) for team in teams]
            ranks = tuple(1 + sum(round(other) > round(own) for other in form) for own in form)
            found.append(Result(deal, teams, ranks, ranks))
    return found


@pytest.mark.parametrize("seat", [two, four_with_copies, mixed, alone_or_in_pairs])
def test_it_is_the_fit_of_all_deals(seat: Seat) -> None:
    random = Random(4)
    growing, plain = IncrementalFit(), Tally()
    for size in (1, 7, 40, 3, 120):
        start = 200 * size
        results = block(random, seat, range(start, start + size))
        totals = Tally(results).totals()
        growing.add(totals.lineup, totals.pairs)
        for result in results:
            plain.add(result)
        bots, solution = growing.solution()
        expected = solve(plain.totals())
        assert bots == plain.totals().lineup.bots
        assert np.array_equal(solution.deals, expected.deals)
        assert solution.connectivity.bound == expected.connectivity.bound
        for one, other in (
            (solution.strengths, expected.strengths),
            (solution.covariance, expected.covariance),
            (solution.naive, expected.naive),
        ):
            assert np.allclose(one, other, rtol=1e-9, atol=1e-12)
        assert separated_from_above(solution, bots) == [row.separated for row in fit_ranking(plain).rows]


def test_it_keeps_no_more_than_who_met_how_often() -> None:
    random = Random(1)
    growing = IncrementalFit()
    for start in range(0, 4000, 1000):
        results = [
            Result(deal, tuple(turn), tuple(random.sample((1, 2, 3), 3)), (0, 0, 0))
            for deal in range(start, start + 1000)
            for turn in ("abc", "bca", "cab")
        ]
        totals = Tally(results).totals()
        growing.add(totals.lineup, totals.pairs)
    assert {name: len(kept) for name, kept in vars(growing).items() if isinstance(kept, np.ndarray)} == {
        "_deals": 1, "_pairs_at": 1, "_products_at": 1, "_kind": 3, "_first": 3, "_second": 3, "_count": 3,
        "_points": 3, "_product_kind": 3, "_product_bot": 3, "_products": 9,
    }  # fmt: skip


def test_nothing_is_known_of_nobody() -> None:
    growing = IncrementalFit()
    totals = Tally().totals()
    growing.add(totals.lineup, totals.pairs)
    bots, solution = growing.solution()
    assert bots == ()
    assert separated_from_above(solution, bots) == []
