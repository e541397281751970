"""The field of the library: names, functions, classes and texts."""

from pathlib import Path
from typing import Any

import pytest

from arena.api import Bot, Question
from arena.api.field import Bots, find_field
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError
from tests.api.bots import Drawer, Plain, first


def test_bots_of_a_dict_have_its_names() -> None:
    field = find_field({"mine": first, "theirs": "random", "drawn": Drawer}, "cambio", None)
    assert [bot.name for bot in field.entrants] == ["mine", "theirs", "drawn"]
    assert [bot.in_process for bot in field.entrants] == [True, False, True]
    assert set(field.in_process) == {"mine", "drawn"}
    assert field.entrants[2].games == ("cambio",)


def test_bots_of_a_list_are_named_after_themselves(tmp_path: Path) -> None:
    (tmp_path / "owl.py").write_text("# hoots\n")
    field = find_field([first, Drawer, Drawer(), first, Plain, tmp_path / "owl.py", "random"], "cambio", None)
    names = ["first", "Drawer", "Drawer#2", "first#2", "Plain", "owl", "random"]
    assert [bot.name for bot in field.entrants] == names
    assert set(field.in_process) == {"first", "Drawer", "Drawer#2", "first#2", "Plain"}


def test_a_class_is_instantiated_for_each_phase_and_an_instance_is_kept() -> None:
    drawer = Drawer()
    field = find_field([Drawer, drawer], "cambio", None)
    assert field.in_process["Drawer"]() is not field.in_process["Drawer"]()
    assert field.in_process["Drawer#2"]() is drawer


def test_the_bot_of_a_function_answers_by_it_and_has_its_name() -> None:
    bot = find_field([first], "cambio", None).in_process["first"]()
    assert type(bot).__name__ == "first"
    assert bot.choose is first


def test_bots_with_another_source_have_another_hash() -> None:
    bots = find_field([first, first, Drawer, lambda question: question.legal[0]], "cambio", None).entrants
    assert bots[0].sha256 == bots[1].sha256
    assert len({bot.sha256 for bot in bots}) == 3
    assert bots[3].name == "lambda"


def test_an_in_process_bot_is_stored_as_such_and_other_bots_as_before() -> None:
    mine, sample = find_field([first, "random"], "cambio", None).entrants
    assert Entrant.from_json(mine.to_json()) == mine
    assert mine.to_json()["in_process"] is True
    assert "in_process" not in sample.to_json()


class Scopist(Bot[Any]):
    games = ("scopa",)

    def choose(self, question: Question[Any]) -> str:
        return question.legal[0]


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("random", "bots is a dict of names and bots, or a list of bots, not 'random'"),
        ([7], "7 is no bot: give a function, a class, or a text"),
        ([str], "the class str has no method choose"),
        ([Scopist], "Scopist plays only scopa, not cambio"),
        ({"": first}, "'' cannot name a bot"),
        ({3: first}, "3 cannot name a bot"),
        (["randon"], 'there is no bot randon; did you mean "random"'),
        (["remote:ann/owl"], "remote:ann/owl is a remote bot"),
    ],
)
def test_what_is_no_bot_is_refused_in_a_sentence(bots: Bots, sentence: str) -> None:
    with pytest.raises(FieldError, match=sentence.replace("(", r"\(")):
        find_field(bots, "cambio", None)
