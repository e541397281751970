import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.tournament.defining import define
from arena.tournament.definition import Definition
from arena.tournament.errors import PlanError
from arena.tournament.field import enter, samples
from referee.engine.errors import SeatsError
from referee.engine.registry import game

Make = Callable[..., Definition]


def test_a_definition_survives_json(cambio: Make) -> None:
    definition = replace(cambio("random", "cautious"), options={"chips": "2"})
    assert Definition.from_json(json.loads(json.dumps(definition.to_json()))) == definition


def test_tables_have_the_recommended_size_or_that_of_a_smaller_field(cambio: Make) -> None:
    recommended = game("cambio").recommended
    assert cambio("random", "random").seats == 2
    assert cambio(*["random"] * (recommended + 3)).seats == recommended
    assert cambio("random", "random", seats=5).seats == 5


@pytest.mark.parametrize("rounds", [0, -3])
def test_there_is_at_least_one_round(cambio: Make, rounds: int) -> None:
    with pytest.raises(PlanError, match=rf"^a tournament has at least 1 round, not {rounds}$"):
        cambio("random", "cautious", rounds=rounds)


def test_there_are_at_least_two_bots(cambio: Make) -> None:
    with pytest.raises(PlanError, match='name another one, or "cautious,cautious" to play'):
        cambio("cautious")


def test_seats_must_suit_the_game(cambio: Make) -> None:
    with pytest.raises(SeatsError, match="99"):
        cambio("random", "cautious", seats=99)


def test_options_are_kept_where_they_differ() -> None:
    rules = game("cambio")
    given = rules.options.parse({"chips": "2"})
    assert define(rules, given, enter(["random", "random"], samples("cambio")), rounds=1).options == {"chips": "2"}


def test_the_definition_of_another_version_is_refused(cambio: Make) -> None:
    values = cambio("random", "cautious").to_json()
    with pytest.raises(PlanError, match="begun with version 99 of the schedule"):
        Definition.from_json(values | {"schedule_version": 99})
    with pytest.raises(PlanError, match="not one that this version of arena writes"):
        Definition.from_json(values | {"handicap": 3})
