from math import log, sqrt

import numpy as np
import pytest

from arena.plan.forecast import (
    Forecast,
    elo_resolution,
    estimate_duration,
    forecast,
)
from arena.plan.formats import format_of
from arena.store import open_store
from arena.values.definition import Definition, Entrant
from arena.values.rows import SpeedRow
from tests import played
from tests.guessing import GUESSING

SECRET = bytes(32)


def made(bots: int, **kind: object) -> Forecast:
    field = tuple(Entrant(f"bot{number}", ("true",), "/", (), "") for number in range(bots))
    values = {"game": "cambio", "options": {}, "behaviour": 1, "rounds": 10, "seats": 2, "field": field}
    definition = Definition(**values | kind)  # type: ignore[arg-type]
    return forecast(format_of(definition, SECRET))


def test_two_bots_resolve_what_the_binomial_says() -> None:
    # The mean of n fair coins has the error 1 / (2 sqrt(n)); at a half, a point is worth 4 nats.
    resolution = elo_resolution(np.array([[0, 400], [400, 0]]), 2)
    assert resolution == pytest.approx(1.96 * 400 / log(10) * 4 / (2 * sqrt(400)))
    assert elo_resolution(np.zeros((2, 2)), 2) is None


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


def test_starts_are_told_from_playing() -> None:
    plan = made(4, seats=4, rounds=100)
    assert (plan.matches, plan.starts) == (400, 16)
    # A tenth of the matches, as many starts: 9 s of them, and 2 s of playing on two cores.
    assert estimate_duration(plan, SpeedRow(40, 10.0, 2.0, 16), 2) == pytest.approx(9.0 + 10.0)
    assert estimate_duration(plan, SpeedRow(40, 10.0, 2.0, 32), 2) == pytest.approx(4.5 + 10.0), "half as many starts"
    assert estimate_duration(plan, SpeedRow(40, 86_400.0, 2.0, 16), 2) == pytest.approx(24.0 + 10.0), (
        "it was interrupted"
    )
    assert estimate_duration(plan, SpeedRow(40, 0.0, 2.0, 16), 2) == pytest.approx(10.0), "its times are whole seconds"
    assert estimate_duration(plan, SpeedRow(800, 60.0), 2) == pytest.approx(30.0)


def test_the_last_tournament_of_the_game_tells_the_pace() -> None:
    with open_store("sqlite://", create=True) as store:
        assert store.tournament_speed("guessing", 4, 100) is None
        number = store.add_tournament(played.tournament(GUESSING, matches=12))
        rows = [played.match(GUESSING, each) for each in range(12)]
        store.add_matches(number, rows)
        assert store.tournament_speed("guessing", 4, 100) is None, "it is not finished"
        store.finish_tournament(number)
        found = store.tournament_speed("guessing", 4, 100)
        assert found is not None
        assert (found.matches, found.starts) == (12, 16), "four phases of four processes"
        assert found.playing == pytest.approx(sum(row.duration_ms for row in rows) / 3 / 1000), "three at a time"
        assert store.tournament_speed("guessing", 4, 11) == SpeedRow(12, found.seconds)
        assert store.tournament_speed("guessing", 3, 100) is None
        assert store.tournament_speed("cambio", 4, 100) is None
