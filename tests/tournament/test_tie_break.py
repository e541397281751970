"""Rules for ties: what each counts, and which can be declared."""

import pytest

from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.tie_break import (
    PointTotals,
    TieBreaker,
)
from arena.ratings import Result
from arena.values.definition import Definition, Schedule, Settings, TieBreak
from arena.values.tournament_errors import PlanError
from referee.engine.registry import game

NAMES = {name: number for number, name in enumerate("abcd")}


def result(teams: str, ranks: tuple[int, ...], scores: tuple[int, ...] | None = None) -> Result:
    return Result(0, tuple(teams), ranks, scores or tuple(10 - rank for rank in ranks))


def places(results: list[Result], *rules: TieBreak, bots: int = 4) -> list[str]:
    points = PointTotals(4)
    points.add(results, NAMES)
    found = TieBreaker(points, rules, [3, 2, 1, 0]).places(range(bots))
    return ["".join("abcd"[bot] for bot in place) for place in found]


CIRCLE = [result("ab", (1, 2)), result("bc", (1, 2)), result("ca", (1, 2))]


def test_without_rules_equal_points_share_a_place() -> None:
    assert places(CIRCLE, bots=3) == ["abc"]
    assert places([*CIRCLE, result("ad", (1, 2)), result("bd", (1, 2)), result("cd", (1, 2))]) == ["abc", "d"]


def test_direct_counts_points_within_the_tie() -> None:
    # a and b have made half of their points each; a beat b.
    results = [result("ab", (1, 2)), result("bd", (1, 2)), result("ac", (2, 1))]
    assert places(results, bots=2) == ["ab"]
    assert places([*results, result("ab", (1, 2)), result("bd", (1, 2)), result("ac", (2, 1))], "direct", bots=2) == [
        "a",
        "b",
    ]


def test_strength_is_that_of_the_opponents() -> None:
    results = [result("ac", (1, 2)), result("bd", (1, 2)), result("cd", (1, 2))]
    assert places(results, "strength")[:2] == ["a", "b"], "c made points, d none"


def test_wins_are_first_places_that_nobody_shares() -> None:
    results = [result("abc", (1, 2, 3)), result("abc", (3, 2, 1)), result("ca", (1, 1))]
    assert places(results, "wins", bots=3) == ["ac", "b"]
    level = [result("ab", (1, 1)), result("ab", (1, 2)), result("ab", (2, 1))]
    assert places(level, "wins", bots=2) == ["ab"]


def test_score_is_the_mean_so_that_byes_cost_nothing() -> None:
    results = [result("ab", (1, 1), (5, 5)), result("bc", (1, 1), (5, 5)), result("cd", (1, 1), (7, 5))]
    assert places(results, "score") == ["c", "abd"]


def test_seed_and_lot_leave_no_tie() -> None:
    assert places(CIRCLE, "seed", bots=3) == ["a", "b", "c"]
    assert places(CIRCLE, "wins", "lot", bots=3) == ["c", "b", "a"]


def defined(schedule: Schedule, *rules: TieBreak, stages: int = 0, challengers: int = 0) -> Definition:
    rules_of = game("cambio")
    field = find_bots(["random", "cautious", "counter"], samples("cambio"))
    return define(
        rules_of,
        rules_of.options(),
        field,
        Settings(rounds=1, seats=2, schedule=schedule, stages=stages, challengers=challengers, tie_break=rules),
    )


def test_a_knockout_always_has_rules_and_the_last_leaves_no_tie() -> None:
    assert defined("knockout").tie_break == ("score", "seed")
    assert defined("knockout", "direct").tie_break == ("direct", "seed")
    assert defined("knockout", "direct", "lot").tie_break == ("direct", "lot")
    assert defined("swiss", "direct", stages=2).tie_break == ("direct",)


def test_they_are_part_of_the_definition_where_there_are_any() -> None:
    plain, told = defined("swiss", stages=2), defined("swiss", "direct", "lot", stages=2)
    assert "tie_break" not in plain.to_json()
    assert told.to_json()["tie_break"] == ["direct", "lot"]
    assert Definition.from_json(told.to_json()) == told


@pytest.mark.parametrize(
    ("schedule", "rules", "sentence"),
    [
        ("ladder", ("score",), "on a ladder a challenger that ties goes below"),
        ("knockout", ("strength",), "strength separates none"),
        ("swiss", ("seed", "score"), "seed leaves no ties, so no rule can follow it"),
    ],
)
def test_what_makes_no_sense_is_refused(schedule: Schedule, rules: tuple[TieBreak, ...], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        defined(schedule, *rules, stages=2 * (schedule == "swiss"), challengers=int(schedule == "ladder"))
