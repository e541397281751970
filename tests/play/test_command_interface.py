"""Parsing of typed lines, and the help text."""

from dataclasses import replace

import pytest

from arena.replay.renderer import codes
from arena.run.people.command_interface import CommandInterface, PlayCommand
from referee.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, MoveError
from referee.engine.game import Game
from referee.games.cucu import CUCU
from referee.games.perudo import PERUDO
from tests.replay.replays import GAMES, replay

INTERFACE = CommandInterface(PERUDO, PERUDO.options(), ["person", "actuary"], 0, {}, "arena games perudo", str)
LEGAL = ("bid 2x3", "bid 2x4", "bid 12x3", "no")


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bid 2x3", "bid 2x3"),
        ("  BID  2x4 ", "bid 2x4"),
        ("3", "bid 12x3"),
        ("bid 1", "bid 12x3"),
        ("n", "no"),
        ("view", PlayCommand.VIEW),
        (" Log ", PlayCommand.LOG),
        ("help", PlayCommand.HELP),
        ("quit", PlayCommand.QUIT),
    ],
)
def test_a_line_is_a_move_or_a_command(line: str, move: str | PlayCommand) -> None:
    assert INTERFACE.parse(line, LEGAL) == move


@pytest.mark.parametrize(
    ("line", "error", "sentence"),
    [
        ("", MalformedMove, '"" is no move: "bid 2x3", "bid 2x4", "bid 12x3", "no"'),
        ("bid 2", AmbiguousMove, '"bid 2" may mean bid 2x3 or bid 2x4'),
        ("bid 9x9", IllegalMove, '"bid 9x9" is not legal now: "bid 2x3", "bid 2x4", "bid 12x3", "no"'),
        ("exact", IllegalMove, '"exact" is not legal now: "bid 2x3", "bid 2x4", "bid 12x3", "no"'),
        (
            "bit 2x3",
            MalformedMove,
            '"bit 2x3" is no move: "bid 2x3", "bid 2x4", "bid 12x3", "no"; did you mean "bid 2x3"?',
        ),
        ("0", MalformedMove, "there is no move 0: the moves are numbered from 1 to 4"),
        ("5", MalformedMove, "there is no move 5: the moves are numbered from 1 to 4"),
        ("7" * 5000, MalformedMove, f"there is no move {'7' * 5000}: the moves are numbered from 1 to 4"),
        ("quits", MalformedMove, '"quits" is no move: "bid 2x3", "bid 2x4", "bid 12x3", "no"'),
    ],
)
def test_other_lines_are_refused(line: str, error: type[MoveError], sentence: str) -> None:
    with pytest.raises(error) as raised:
        INTERFACE.parse(line, LEGAL)
    assert str(raised.value) == sentence


def test_the_full_text_of_a_move_has_precedence() -> None:
    assert INTERFACE.parse("2", ("7", "2")) == "2"
    assert INTERFACE.parse("log", ("view", "log")) == "log"


def test_many_moves_are_listed_in_columns() -> None:
    assert list(INTERFACE.choices(LEGAL, 120)) == ["1 bid 2x3   2 bid 2x4   3 bid 12x3   4 no"]
    lines = list(INTERFACE.choices([f"bid {number}" for number in range(4, 34)], 40))
    assert lines[0] == "1 bid 4     2 bid 5     3 bid 6"
    assert {line.find("bid", 12) for line in lines[:3]} == {14}


def test_moves_are_listed_in_words_with_what_to_type_and_may_be_typed_in_either() -> None:
    words = {"bid 2x3": "bid 2 threes", "no": "no"}
    worded = replace(INTERFACE, words=words.__getitem__)
    assert list(worded.choices(["bid 2x3", "no"], 80)) == ["1 bid 2 threes [bid 2x3]   2 no"]
    assert {worded.parse(line, tuple(words)) for line in ("Bid 2  threes", "bid 2x3", "1", "bi")} == {"bid 2x3"}


def test_the_introduction_lists_the_players() -> None:
    options = PERUDO.options.parse({"dice": "3"}) if "dice" in PERUDO.options.__slots__ else PERUDO.options()
    commands = CommandInterface(PERUDO, options, ["actuary", "person"], 1, {}, "", str)
    assert list(commands.introduction())[1:3] == ["seat 0: actuary", "seat 1: person (you)"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_codes_of_cards_and_dice_are_explained_at_the_start_and_in_the_help(game: Game) -> None:
    key = codes(game)
    names = ["person", *["bot"] * (game.recommended - 1)]
    commands = CommandInterface(game, game.options(), names, 0, {}, "", str, codes=key)
    assert key
    assert all(len(line) <= 80 for line in key)
    assert tuple(commands.introduction())[-1 - len(key) : -1] == key
    assert set(key) < set(commands.help())


def test_the_key_has_every_card_that_a_game_draws() -> None:
    for game in GAMES:
        text = " ".join(codes(game)).replace(",", "")
        frames = replay(game).frames(0)
        drawn = {
            (item.face, str(item.name))
            for number in range(len(frames))
            for zone in replay(game).scene(number, 0).places[0].zones
            for item in zone.items
            if item.kind == "card" and item.name and item.tone in ("high", "low")
        }
        assert all(f"{face} {name}" in text for face, name in drawn), game.name


def test_help_mentions_talk_only_if_there_is_talk() -> None:
    talking = CommandInterface(CUCU, CUCU.options.parse({"table_talk": "on"}), ["a", "b"], 0, {}, "", str)
    assert talking.has_talk
    assert not INTERFACE.has_talk
    assert any("say WORDS" in line for line in talking.help())
    assert not any("say WORDS" in line for line in INTERFACE.help())
    assert any("bid QxF" in line for line in INTERFACE.help())


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("I offer two [Accept]", "I offer two [Accept]"),
        ("say [0]", "[0]"),
        ("1", "[4]"),
        ("[4]", "[4]"),
        ("sa", "sa"),
        ("log", PlayCommand.LOG),
    ],
)
def test_in_games_that_are_played_with_words_what_is_typed_is_said(line: str, meant: str | PlayCommand) -> None:
    class Words(type(PERUDO)):  # type: ignore[misc]  # a game with a text move
        text_move = "say"

    commands = CommandInterface(Words(), PERUDO.options(), ["person", "random"], 0, {}, "", str)
    assert commands.parse(line, ("[4]", "say")) == meant
    assert not commands.has_talk
    assert list(commands.introduction())[-1].startswith("Type what you say")
