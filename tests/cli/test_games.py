"""`arena games`: the list, one game explained, the grammar of its log, the fields of its view."""

import json
from dataclasses import fields

import pytest
from click.testing import CliRunner, Result

from arena.cli import game_description as describe
from arena.cli import main
from referee.engine.events import Audience
from referee.engine.registry import game as find_game
from referee.engine.registry import names


def arena(*args: str) -> Result:
    return CliRunner().invoke(main, ["games", *args])


def test_the_list_has_a_line_for_every_game() -> None:
    result = arena()
    assert result.exit_code == 0
    header, _, *rows = result.stdout.splitlines()
    assert header.split() == ["game", "what", "players", "best", "scores", "in", "options"]
    assert [row.split()[0] for row in rows] == names()
    players = {row.split()[0]: row[header.index("players") : header.index("best")].strip() for row in rows}
    assert (players["cambio"], players["coch"], players["cucu"]) == ("2-15 (to 30)", "4", "2-20")
    assert players["torionfo"] == "2, 4"


def test_the_list_as_json() -> None:
    games = json.loads(arena("--json").stdout)["games"]
    cambio = next(game for game in games if game["game"] == "cambio")
    assert (cambio["seats"], cambio["most_seats"], cambio["recommended"], cambio["unit"]) == ([2, 15], 30, 6, "chips")


@pytest.mark.parametrize("name", names())
def test_a_game_is_explained_with_all_its_options_and_choices(name: str) -> None:
    shown = arena(name).stdout
    for field in fields(find_game(name).options):
        assert f"\n  {field.name} " in shown
        for choice in field.metadata["choices"] or ():
            assert f"  {choice}: " in shown
    assert "Without a legal answer in time: " in shown


def test_options_show_their_default_and_range() -> None:
    shown = {line.split()[0]: line for line in arena("cambio").stdout.splitlines() if line.strip()}
    assert shown["chips"].split()[1] == "25"
    assert shown["chips"].endswith("(1 to 1000)")
    assert shown["misery"].split()[1] == "off"


@pytest.mark.parametrize("name", names())
def test_the_grammar_of_the_log_has_every_line_with_who_is_told(name: str) -> None:
    shown = arena(name, "--log").stdout
    for line in find_game(name).lines:
        assert f"  {line.text} " in shown
    private = any(line.to is Audience.SEAT for line in find_game(name).lines)
    assert ("that seat: only the seat that the line names first" in shown) == private


@pytest.mark.parametrize("name", names())
def test_every_field_and_value_of_a_view_is_explained(name: str) -> None:
    view = describe.view(find_game(name))
    shown = arena(name, "--view").stdout
    for part in [*view["messages"], *view["enums"]]:
        assert part["name"] in shown
        assert part["meaning"]
        for row in part.get("fields", []) + part.get("values", []):
            assert f"  {row['name']} " in shown
            assert row["meaning"], f"{part['name']}.{row['name']}"


def test_fields_that_may_be_absent_or_repeated_say_so() -> None:
    (message,) = describe.view(find_game("cambio"))["messages"]
    types = {field["name"]: field["type"] for field in message["fields"]}
    assert (types["card"], types["chips"], types["stage"]) == ("optional sint32", "repeated uint32", "Stage")


def test_everything_of_a_game_as_json() -> None:
    told = json.loads(arena("cucco", "--json").stdout)
    assert {"game", "options", "moves", "default", "log", "view"} <= told.keys()
    assert {line["to"] for line in told["log"]} <= {"all", "that seat", "all others", "nobody"}


def test_an_unknown_game_is_told_with_the_near_miss() -> None:
    result = arena("cambia")
    assert result.exit_code == 2
    assert result.stderr.startswith('Error: there is no game "cambia"; did you mean "cambio"? (installed: cambio, ')


@pytest.mark.parametrize("option", ["--log", "--view"])
def test_log_and_view_want_a_game(option: str) -> None:
    result = arena(option)
    assert result.exit_code == 2
    assert f"name the game: arena games GAME {option}" in result.stderr
