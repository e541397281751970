from dataclasses import dataclass, replace
from typing import Any

import pytest

from arena.tournament.errors import PlanError
from arena.tournament.plan.definition import Definition, Entrant, TimeControl
from arena.typed import check_types

BOT = Entrant("a", ("./a",), "/", (), "0" * 64)
SOUND = Definition("cambio", {"chips": "2"}, 1, 10, 2, (BOT, BOT))


@dataclass
class Thing:
    number: float = 1
    pair: tuple[int, str] | None = None


def test_what_is_as_it_should_be_passes() -> None:
    check_types(SOUND)
    for thing in (Thing(), Thing(0.5), Thing(2, (1, "x"))):
        check_types(thing)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"rounds": "10"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"options": {"chips": 2}}, "options"),
        ({"options": []}, "options"),
        ({"schedule": "ladders"}, "schedule"),
        ({"team_of": ("x",)}, "team_of"),
        ({"opening": (1,)}, "opening"),
        ({"names": 1}, "names"),
        ({"time": None}, "time"),
        ({"time": TimeControl(strikes="3")}, "strikes"),  # type: ignore[arg-type]
        ({"field": (replace(BOT, command="./a"),)}, "command"),  # type: ignore[arg-type]
        ({"field": (replace(BOT, name=None),)}, "name"),  # type: ignore[arg-type]
    ],
)
def test_the_first_field_that_is_not_is_named(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name} is "):
        check_types(replace(SOUND, **changes))


@pytest.mark.parametrize("thing", [Thing("1"), Thing(1, (1, 2)), Thing(1, ("x", "y"))])  # type: ignore[arg-type]
def test_pairs_and_numbers(thing: Thing) -> None:
    with pytest.raises(TypeError):
        check_types(thing)


@pytest.mark.parametrize(
    "values", [{"field": 3}, {"field": [[]]}, {"stop": [1]}, {"time": []}, {"redeal": 3}, {"x": 1}]
)
def test_a_definition_that_is_none_of_ours_is_a_sentence(values: dict[str, Any]) -> None:
    with pytest.raises(PlanError, match="this version of arena cannot read the stored definition"):
        Definition.from_json({**SOUND.to_json(), **values})
