"""Values that others wrote, read by their types: every mistake is a sentence with its place."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from arena.values.checking import (
    TOML,
    Misfit,
    MisfitError,
    Text,
    misfits,
    only,
    read_toml,
    read_value,
    rule,
    written_as,
)
from arena.values.settings import SettingError
from referee.engine.toml import read_table


class Lid(Struct, frozen=True):
    """What lies on a pot; other keys are left alone."""

    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """A dataclass, as rows are."""

    text: str
    size: int | None = None


def _minutes(written: object) -> object:
    if written == "soon":
        raise SettingError("a time")
    return 5 if written == "five" else written


def _even(numbers: tuple[int, ...]) -> str:
    return "has an odd number" if any(number % 2 for number in numbers) else ""


class Pot(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[Text, Meta(examples=["kettle"]), only(str.islower, "in lower case")]
    cups: Annotated[int, Meta(ge=1, le=12)]
    tea: Literal["black", "green"] = "black"
    version: Literal[2] = 2
    extras: tuple[Literal["milk", "sugar"], ...] = ()
    guests: tuple[str, ...] = ()
    pair: tuple[int, int] | None = None
    numbers: Annotated[tuple[int, ...], rule(_even)] = ()
    lid: Lid = Lid()
    labels: tuple[Label, ...] = ()
    options: Mapping[str, str | int | bool] = {}
    minutes: Annotated[int, written_as(_minutes)] | UnsetType = UNSET
    hot: bool = False


SOUND: dict[str, Any] = {"name": "kettle", "cups": 2}


def test_a_sound_value_is_one_of_its_type() -> None:
    values = {"pair": [1, 2], "lid": {"weight": 3, "colour": "red"}, "labels": [{"text": "x"}], "options": {"a": True}}
    pot = read_value(SOUND | values | {"minutes": "five", "numbers": [2, 4]}, Pot)
    assert (pot.pair, pot.lid, pot.labels, pot.options) == ((1, 2), Lid(3.0), (Label("x"),), {"a": True})
    assert (pot.minutes, pot.numbers) == (5, (2, 4))
    assert read_value(SOUND | {"pair": None}, Pot) == read_value(SOUND, Pot) == Pot("kettle", 2)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"cups": "2"}, 'cups must be a whole number, 1 or more, not "2"'),
        ({"cups": True}, "cups must be a whole number, 1 or more, not true"),
        ({"cups": 2.0}, "cups must be a whole number, 1 or more, not 2.0"),
        ({"cups": 0}, "cups must be 1 or more, not 0"),
        ({"cups": 13}, "cups must be at most 12, not 13"),
        ({"tea": "red"}, 'tea must be one of black, green, not "red"'),
        ({"tea": []}, "tea must be one of black, green, not []"),
        ({"version": 2.0}, "version must be 2, not 2.0"),
        ({"extras": "milk"}, 'extras must be a list of milk, sugar, not "milk"'),
        ({"extras": ["milk", "salt"]}, 'extras[1] must be one of milk, sugar, not "salt"'),
        ({"guests": "ann"}, 'guests must be a list of texts, like ["one", "two"], not "ann"'),
        ({"guests": ["ann", 5]}, "guests[1] must be a text in quotes, not 5"),
        ({"pair": [1]}, "pair must be a list of 2, not [1]"),
        ({"pair": [1, 2**63]}, "pair[1] must be at most 9223372036854775807, not 9223372036854775808"),
        ({"pair": 5}, "pair must be a list of 2, not 5"),
        ({"numbers": [2, 3]}, "numbers has an odd number"),
        ({"numbers": [2, "x", 3]}, 'numbers[1] must be a whole number, not "x"'),
        ({"lid": 5}, "lid must be an object, not 5"),
        ({"lid": {"weight": math.nan}}, "lid.weight must be a number, not NaN"),
        ({"lid": {"weight": 10**400}}, f"lid.weight must be a number, not 1{'0' * 199}..."),
        ({"labels": {}}, "labels must be a list of objects, not {}"),
        ({"labels": [{"text": "a"}, 5]}, "labels[1] must be an object, not 5"),
        ({"labels": [{"text": 5}]}, "labels[0].text must be a text in quotes, not 5"),
        ({"labels": [{}]}, "labels[0].text is missing: it must be a text in quotes"),
        ({"labels": [{"text": "a", "sise": 1}]},
         'unknown key "labels[0].sise"; did you mean "size"? (known: text, size)'),
        ({"options": {"a": 1.5}}, "options.a must be a text in quotes, a whole number, true or false, not 1.5"),
        ({"options": []}, "options must be an object, not []"),
        ({"minutes": "soon"}, 'minutes must be a time, not "soon"'),
        ({"minutes": None}, "minutes must be a whole number, not null"),
        ({"hot": 1}, "hot must be true or false, not 1"),
        ({"name": " "}, "name must not be empty"),
        ({"name": "Pot"}, 'name must be in lower case, not "Pot"'),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_what_the_value_must_be(values: dict[str, Any], sentence: str) -> None:
    assert [each.sentence for each in misfits(SOUND | values, Pot)] == [sentence]
    with pytest.raises(MisfitError) as raised:
        read_value(SOUND | values, Pot)
    assert str(raised.value) == sentence


def test_all_mistakes_are_told() -> None:
    known = "name, cups, tea, version, extras, guests, pair, numbers, lid, labels, options, minutes, hot"
    assert misfits({"cup": 1, "tea": 5, "guests": [1, "a", 2]}, Pot) == [
        Misfit("cup", f'unknown key "cup"; did you mean "cups"? (known: {known})'),
        Misfit("name", 'name is missing: add a line name = "kettle"'),
        Misfit("cups", "cups is missing: it must be a whole number, 1 or more"),
        Misfit("tea", "tea must be one of black, green, not 5"),
        Misfit("guests[0]", "guests[0] must be a text in quotes, not 1"),
        Misfit("guests[2]", "guests[2] must be a text in quotes, not 2"),
    ]
    assert misfits(5, Pot) == [Misfit("", "it must be an object, not 5")]


def test_a_part_may_lack_keys_and_have_others() -> None:
    assert misfits({"cup": 1}, Pot, is_partial=True) == []
    assert misfits({"cup": 1, "hot": 1}, Pot, is_partial=True) == [Misfit("hot", "hot must be true or false, not 1")]


def test_a_check_of_the_struct_itself_is_told_too() -> None:
    class Two(Struct, frozen=True):
        more: int = 2
        less: int = 1

        def __post_init__(self) -> None:
            if self.less > self.more:
                raise ValueError("less is more")

    with pytest.raises(MisfitError, match="^less is more$"):
        read_value({"less": 3}, Two)


class PotError(Exception):
    """The error of the file."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('name = "pot"', "pot.toml: cups is missing: it must be a whole number, 1 or more"),
        ("cups = 3", 'pot.toml: name is missing: add a line name = "kettle"'),
        ('name = "pot"\ncups = 0', "pot.toml, line 2: cups must be 1 or more, not 0"),
        ("name = 'a'\ncups = 1\nlid = 5", "line 3: lid must be a table: a line [lid] with its keys below it, not 5"),
        ("name = 'a'\ncups = 1\nguests = [5]", "line 3: guests[1] must be a text in quotes, not 5"),
        ("name = 'a'\ncups = 1\n[lid]\nweight = 'x'", 'line 4: lid.weight must be a number, not "x"'),
        ("name = 'a'\ncups = 1\nlabels = [1]",
         "labels must be a list of tables, each below a line [[labels]], not [1]"),
        ("name = 'a'\ncups = 1\n[[labels]]\ntext = 'a'\n[[labels]]\nsize = 1", "line 5: labels[2].text is missing"),
        ("name = 'a'\ncups = 1\n[[labels]]\ntxt = 'a'", 'line 4: unknown key "labels[1].txt"; did you mean "text"?'),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_told_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(PotError) as raised:
        read_toml(read_table(text, PotError, "pot.toml"), Pot)
    assert sentence in str(raised.value)


def test_a_file_is_read() -> None:
    assert read_toml(read_table('name = "pot"\ncups = 3', PotError), Pot) == Pot("pot", 3)
    assert misfits({"labels": [5]}, Pot, TOML, is_partial=True)[0].path == "labels"
