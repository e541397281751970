"""Options: parsed from texts and typed values, refused in words."""

from dataclasses import dataclass

import pytest

from referee.engine.errors import OptionError
from referee.engine.options import Options, option


@dataclass(frozen=True, slots=True)
class TableOptions(Options):
    """Options of no game."""

    chips: int = option(25, "chips at the start", low=1, high=99)
    floor: int = option(0, "no less", low=-5)
    roof: int = option(0, "no more", high=5)
    reveal: str = option("lowest", "who falls", choices={"lowest": "the weakest", "anti": "the strongest"})
    misery: bool = option(False, "no chips wins")

    def check(self) -> None:
        if self.misery and self.reveal == "anti":
            raise OptionError("misery and reveal=anti contradict each other")


def test_defaults_and_values() -> None:
    assert TableOptions.parse({}) == TableOptions()
    assert TableOptions.parse({"chips": "10", "misery": "yes"}) == TableOptions(chips=10, misery=True)
    assert TableOptions.parse({"chips": 10, "misery": True}) == TableOptions(chips=10, misery=True)
    assert TableOptions.parse({"misery": "off", "reveal": "anti"}) == TableOptions(reveal="anti")


@pytest.mark.parametrize("text", ["true", "Yes", "ON", "1", " on "])
def test_on(text: str) -> None:
    assert TableOptions.parse({"misery": text}).misery is True


@pytest.mark.parametrize("text", ["false", "No", "OFF", "0"])
def test_off(text: str) -> None:
    assert TableOptions.parse({"misery": text}).misery is False


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"chip": 3},
            r'there is no option "chip"; did you mean "chips"\? \(options: chips, floor, roof, reveal, misery\)',
        ),
        ({"zzz": 3}, r'there is no option "zzz" \(options:'),
        ({"chips": "many"}, 'chips is a whole number, not "many"'),
        ({"chips": "2.5"}, 'chips is a whole number, not "2.5"'),
        ({"chips": True}, 'chips is a whole number, not "true"'),
        ({"chips": 0}, "chips is from 1 to 99, not 0"),
        ({"floor": -6}, "floor is at least -5, not -6"),
        ({"roof": 6}, "roof is at most 5, not 6"),
        ({"reveal": "highest"}, 'reveal is one of lowest, anti, not "highest"'),
        ({"misery": "perhaps"}, 'misery is on or off, not "perhaps"'),
        ({"misery": True, "reveal": "anti"}, "misery and reveal=anti contradict each other"),
    ],
)
def test_refusals(given: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        TableOptions.parse(given)


def test_given_is_what_differs_and_can_be_parsed_again() -> None:
    options = TableOptions(chips=10, misery=True)
    assert options.given() == {"chips": "10", "misery": "true"}
    assert TableOptions.parse(options.given()) == options
    assert TableOptions().given() == {}
