"""What is read portion by portion is what all of it together would say."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from arena.ratings import Result, Tally
from arena.ratings import source as module
from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.control_variate import Reference
from arena.ratings.result import Team
from arena.ratings.seat_advantage import seat_advantages
from arena.ratings.solver import solve
from arena.ratings.source import ResultSource
from arena.ratings.variance_reduction import variance_reductions


def results(teams: bool = False, deals: int = 60) -> list[Result]:
    random = Random(9)
    found = []
    for deal in range(deals):
        for table in (random.sample("fadcbe", 4), random.sample("fadcbe", 4)):
            for turn in range(4):
                bots = table[turn:] + table[:turn]
                seated: tuple[Team, ...] = (tuple(bots[:2]), tuple(bots[2:])) if teams else tuple(bots)
                form = [random.gauss(seat / 5 + ord(min(who)) / 9, 3) for seat, who in enumerate(seated)]
                ranks = tuple(1 + sum(round(other) > round(own) for other in form) for own in form)
                found.append(Result(deal, seated, ranks, tuple(map(round, form))))
    return found


def ordered(found: list[Result]) -> ResultSource:
    return ResultSource(lambda: iter(found), lambda: Tally(found), ordered=True)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK_MATCHES", 20)


def test_a_portion_has_all_matches_of_its_deals(small: None) -> None:
    found = results()
    portions = list(ordered(found).portions())
    assert [len(portion) for portion in portions] == [24] * 20
    assert [result for portion in portions for result in portion] == found
    assert list(ResultSource(lambda: found).portions()) == [found], "in no order, a deal may come again at the end"
    assert list(ResultSource(list).portions()) == [[]]


@pytest.mark.parametrize("teams", [False, True])
def test_the_fit_is_that_of_all_matches(small: None, teams: bool) -> None:
    found = results(teams)
    whole = solve(Tally(found).totals())
    parts = solve_in_chunks(Tally(found).totals(), ordered(found).portions)
    assert np.array_equal(parts.strengths, whole.strengths)
    assert np.array_equal(parts.deals, whole.deals)
    assert np.allclose(parts.covariance, whole.covariance, rtol=1e-9, atol=1e-14)


def test_deals_of_another_kind_make_other_bars(small: None) -> None:
    found = results()

    def apart() -> Iterator[list[Result]]:
        return ([each._replace(deal=number) for number, each in enumerate(part)] for part in ordered(found).portions())

    expected = solve(Tally(each._replace(deal=number) for number, each in enumerate(found)).totals())
    assert np.allclose(solve_in_chunks(Tally(found).totals(), apart).covariance, expected.covariance, rtol=1e-9)


def test_seats_and_savings_do_not_depend_on_the_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    found = results()
    random = Random(2)
    reference = Reference.of(
        Result(deal, ("r",) * 4, (1, 2, 3, 4), tuple(random.choices(range(9), k=4))) for deal in range(60)
    )
    at_once = seat_advantages(ResultSource(lambda: found)), variance_reductions(ResultSource(lambda: found), reference)
    monkeypatch.setattr(module, "CHUNK_MATCHES", 20)
    monkeypatch.setattr("arena.ratings.control_variate._TOGETHER", 7)
    for advantage, expected in zip(seat_advantages(ordered(found)), at_once[0], strict=True):
        assert (advantage.elo, advantage.ci95) == pytest.approx((expected.elo, expected.ci95))
    for saving, told in zip(variance_reductions(ordered(found), reference), at_once[1], strict=True):
        assert (saving.bot, saving.matches) == (told.bot, told.matches)
        assert (saving.rotations, saving.common) == pytest.approx((told.rotations, told.common))
        assert saving.reference == pytest.approx(told.reference)
