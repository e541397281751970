"""What is read portion by portion is what all of it together would say."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from arena.ratings import Result, Tally
from arena.ratings import source as module
from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.control_variate import Reference
from arena.ratings.seat_advantage import seat_advantages
from arena.ratings.solver import solve
from arena.ratings.source import ResultSource
from arena.ratings.variance_reduction import variance_reductions
from arena.values.result import Team


def sample_results(teams: bool = False, deals: int = 60) -> list[Result]:
    random = Random(9)
    sample = []
    for deal in range(deals):
        for table in (random.sample("fadcbe", 4), random.sample("fadcbe", 4)):
            for turn in range(4):
                bots = table[turn:] + table[:turn]
                lineup: tuple[Team, ...] = (tuple(bots[:2]), tuple(bots[2:])) if teams else tuple(bots)
                performance = [random.gauss(seat / 5 + ord(min(team)) / 9, 3) for seat, team in enumerate(lineup)]
                ranks = tuple(1 + sum(round(other) > round(own) for other in performance) for own in performance)
                sample.append(Result(deal, lineup, ranks, tuple(map(round, performance))))
    return sample


def ordered_source(results: list[Result]) -> ResultSource:
    return ResultSource(lambda: iter(results), lambda: Tally(results), ordered=True)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK_MATCHES", 20)


def test_a_chunk_has_all_matches_of_its_deals(small: None) -> None:
    results = sample_results()
    chunks = list(ordered_source(results).chunks())
    assert [len(chunk) for chunk in chunks] == [24] * 20
    assert [result for chunk in chunks for result in chunk] == results
    assert list(ResultSource(lambda: results).chunks()) == [results], "in no order, a deal may come again at the end"
    assert list(ResultSource(list).chunks()) == [[]]


@pytest.mark.parametrize("teams", [False, True])
def test_the_fit_is_that_of_all_matches(small: None, teams: bool) -> None:
    results = sample_results(teams)
    expected = solve(Tally(results).totals())
    solution = solve_in_chunks(Tally(results).totals(), ordered_source(results).chunks)
    assert np.array_equal(solution.strengths, expected.strengths)
    assert np.array_equal(solution.deals, expected.deals)
    assert np.allclose(solution.covariance, expected.covariance, rtol=1e-9, atol=1e-14)


def test_deals_of_another_kind_make_other_bars(small: None) -> None:
    results = sample_results()

    def one_deal_per_match() -> Iterator[list[Result]]:
        return (
            [result._replace(deal=number) for number, result in enumerate(chunk)]
            for chunk in ordered_source(results).chunks()
        )

    expected = solve(Tally(result._replace(deal=number) for number, result in enumerate(results)).totals())
    assert np.allclose(
        solve_in_chunks(Tally(results).totals(), one_deal_per_match).covariance, expected.covariance, rtol=1e-9
    )


def test_advantages_and_reductions_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    results = sample_results()
    random = Random(2)
    reference = Reference.of(
        Result(deal, ("r",) * 4, (1, 2, 3, 4), tuple(random.choices(range(9), k=4))) for deal in range(60)
    )
    at_once = (
        seat_advantages(ResultSource(lambda: results)),
        variance_reductions(ResultSource(lambda: results), reference),
    )
    monkeypatch.setattr(module, "CHUNK_MATCHES", 20)
    monkeypatch.setattr("arena.ratings.control_variate._BATCH", 7)
    for advantage, expected in zip(seat_advantages(ordered_source(results)), at_once[0], strict=True):
        assert (advantage.elo, advantage.ci95) == pytest.approx((expected.elo, expected.ci95))
    for reduction, other in zip(variance_reductions(ordered_source(results), reference), at_once[1], strict=True):
        assert (reduction.bot, reduction.matches) == (other.bot, other.matches)
        assert (reduction.rotations, reduction.common) == pytest.approx((other.rotations, other.common))
        assert reduction.reference == pytest.approx(other.reference)
