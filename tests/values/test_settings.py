"""Settings as they are declared, written and stored."""

from typing import Annotated, Any, Literal

import pytest

from arena.league.plan.definition import LeagueSettings
from arena.values.definition import Definition, Entrant, Settings, TimeControl
from arena.values.settings import SettingError, Stored, setting, settings_of
from arena.values.tournament_errors import PlanError

BOT = Entrant("a", ("./a",), "/", (), "0" * 64)
SOUND = Definition(game="cambio", options={"chips": "2"}, behaviour=1, rounds=10, seats=2, field=(BOT, BOT))


def changed_bot(**values: Any) -> dict[str, Any]:
    return {"field": [BOT.to_json(), {**BOT.to_json(), **values}]}


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"rounds": "10"}, r"\$\.rounds"),
        ({"rounds": True}, r"\$\.rounds"),
        ({"rounds": 1.5}, r"\$\.rounds"),
        ({"rounds": 0}, r"\$\.rounds"),
        ({"options": {"chips": 2}}, r"\$\.options"),
        ({"options": []}, r"\$\.options"),
        ({"schedule": "ladders"}, r"\$\.schedule"),
        ({"team_of": ["x"]}, r"\$\.team_of\[0\]"),
        ({"opening": [1]}, r"\$\.opening"),
        ({"names": 1}, r"\$\.names"),
        ({"time": None}, r"\$\.time"),
        ({"time": {"strikes": "3"}}, r"\$\.time\.strikes"),
        ({"time": {"strikes": 0}}, r"\$\.time\.strikes"),
        ({"stop": [1]}, r"\$\.stop"),
        ({"stop": {"kind": "sprt", "elo0": "x"}}, r"\$\.stop\.elo0"),
        ({"field": 3}, r"\$\.field"),
        ({"field": [[]]}, r"\$\.field\[0\]"),
        (changed_bot(command="./a"), r"\$\.field\[1\]\.command"),
        (changed_bot(name=None), r"\$\.field\[1\]\.name"),
        (changed_bot(grants=["money"]), "money"),
        ({"redeal": 3}, "int"),
        ({"x": 1}, "`x`"),
    ],
)
def test_a_definition_that_is_none_of_ours_is_refused_with_the_place(values: dict[str, Any], place: str) -> None:
    sentence = f"^this version of arena cannot read the stored definition of the tournament .*{place}"
    with pytest.raises(PlanError, match=sentence):
        Definition.from_json({**SOUND.to_json(), **values})


class Kettle(Stored, frozen=True, forbid_unknown_fields=True):
    boil_ms: Annotated[int, setting("Time to boil.", "ms", key="kettle.boil", least=5)] = 1000
    size_bytes: Annotated[int, setting("Size.", "bytes", key="kettle.size_mb", least=1 << 20, unset=0)] = 0
    cups: Annotated[int, setting("Cups.", key="kettle.cups", least=1, most=12)] = 2
    whistles: Annotated[bool, setting("Whether it whistles.", key="kettle.whistles")] = False
    tea: Annotated[Literal["black", "green"], setting("Which tea.", key="kettle.tea")] = "black"
    extras: Annotated[tuple[Literal["milk", "sugar"], ...], setting("What goes in.", key="kettle.extras")] = ()
    guests: Annotated[tuple[str, ...], setting("Who comes.", key="kettle.guests")] = ()
    host: Annotated[str, setting("Who pours.", key="kettle.host")] = ""
    heat: Annotated[float, setting("How hot.", key="kettle.heat")] = 100.0
    rest: Annotated[int, setting("How long it stands.", "s", key="kettle.rest", least=0)] = 60
    number: int = 7


KETTLE = {each.name: each for each in settings_of(Kettle)}


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("boil_ms", "2min", 120_000),
        ("boil_ms", 0.25, 250),
        ("boil_ms", "5ms", 5),
        ("size_bytes", 3, 3 << 20),
        ("cups", 12, 12),
        ("whistles", True, True),
        ("tea", "green", "green"),
        ("extras", ["sugar", "milk"], ("sugar", "milk")),
        ("guests", ["ann"], ("ann",)),
        ("host", "bob", "bob"),
        ("heat", 90, 90.0),
        ("rest", "30min", 1800),
        ("rest", "500ms", 1),
        ("rest", 0, 0),
    ],
)
def test_what_people_write_becomes_the_value_of_the_field(name: str, written: Any, value: Any) -> None:
    assert KETTLE[name].read(written) == value
    assert KETTLE[name].read(KETTLE[name].shown(value)) == value
    assert Kettle.from_json({name: list(value) if isinstance(value, tuple) else value}) == Kettle(**{name: value})


@pytest.mark.parametrize(
    ("name", "written", "expected", "item"),
    [
        ("boil_ms", "4ms", "at least 5ms", None),
        ("boil_ms", "1 hour", 'a duration, like "50ms", "1s", "1.5s" or "2min", or a number of seconds', None),
        ("boil_ms", True, 'a duration, like "50ms", "1s", "1.5s" or "2min", or a number of seconds', None),
        ("size_bytes", 0, "1 or more", None),
        ("size_bytes", "big", "a whole number, 1 or more", None),
        ("size_bytes", 1 << 31, "at most 2147483647", None),
        ("cups", 0, "1 or more", None),
        ("cups", 13, "at most 12", None),
        ("cups", "2", "a whole number, 1 or more", None),
        ("cups", True, "a whole number, 1 or more", None),
        ("cups", 1.5, "a whole number, 1 or more", None),
        ("whistles", 1, "true or false", None),
        ("tea", "red", "one of black, green", None),
        ("tea", 3, "one of black, green", None),
        ("extras", "milk", "a list of milk, sugar", None),
        ("extras", ["milk", "salt"], "one of milk, sugar", 1),
        ("guests", "ann", 'a list of texts, like ["one", "two"]', None),
        ("guests", ["ann", 5], "a text in quotes", 1),
        ("host", 5, "a text in quotes", None),
        ("host", " ", "a text of at least one character", None),
        ("heat", "hot", "a number", None),
        ("rest", -1, 'a duration, like "50ms", "1s", "1.5s" or "2min", or a number of seconds', None),
    ],
)
def test_what_cannot_be_is_told_with_what_can(name: str, written: Any, expected: str, item: int | None) -> None:
    with pytest.raises(SettingError) as caught:
        KETTLE[name].read(written)
    assert (caught.value.expected, caught.value.item) == (expected, item)


def test_what_is_as_usual_is_not_stored_unless_it_always_was() -> None:
    assert Kettle().to_json() == {}
    assert Kettle(cups=3, guests=("ann",), number=8).to_json() == {"cups": 3, "guests": ["ann"], "number": 8}
    assert {"rounds", "seats"} <= SOUND.to_json().keys()
    assert "names" not in SOUND.to_json()


def test_every_setting_says_what_it_is() -> None:
    for kind in (Settings, TimeControl, Entrant, LeagueSettings):
        for each in settings_of(kind):
            assert (each.help.endswith(".") and each.help[0].isupper()) or each.choices, each.name
            assert each.option or each.key, each.name
            assert (each.unit == "ms") == each.name.endswith("_ms"), each.name
            assert (each.unit == "bytes") == each.name.endswith("_bytes"), each.name
