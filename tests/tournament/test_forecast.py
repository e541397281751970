from math import log, sqrt

import numpy as np
import pytest

from arena.tournament.course import course_of
from arena.tournament.definition import Definition, Entrant
from arena.tournament.forecast import Forecast, forecast, resolves

SECRET = bytes(32)


def made(bots: int, **kind: object) -> Forecast:
    field = tuple(Entrant(f"bot{number}", ("true",), "/", (), "") for number in range(bots))
    values = {"game": "cambio", "options": {}, "behaviour": 1, "rounds": 10, "seats": 2, "field": field}
    definition = Definition(**values | kind)  # type: ignore[arg-type]
    return forecast(definition, course_of(definition, SECRET), SECRET)


def test_two_bots_resolve_what_the_binomial_says() -> None:
    # The mean of n fair coins has the error 1 / (2 sqrt(n)); at a half, a point is worth 4 nats.
    assert resolves(np.array([[0, 400], [400, 0]]), 2) == pytest.approx(1.96 * 400 / log(10) * 4 / (2 * sqrt(400)))
    assert resolves(np.zeros((2, 2)), 2) is None


def test_a_plan_in_numbers() -> None:
    plan = made(4, seats=4)
    assert (plan.matches, plan.deals, plan.tables, plan.rotations, plan.processes) == (40, 10, 1, 4, 4)
    assert plan.meetings.tolist() == (40 * (1 - np.eye(4, dtype=int))).tolist()
    assert plan.successors.sum() == 40 * 4
    assert plan.exact


def test_stages_are_told_as_far_as_they_are_known() -> None:
    plan = made(6, schedule="swiss", stages=3)
    assert (plan.matches, plan.deals, plan.tables, plan.exact) == (3 * 3 * 10 * 2, 30, 3, False)
    assert plan.meetings.sum() == 3 * 20 * 2
    with_one = made(6, schedule="swiss", stages=1)
    assert with_one.exact
