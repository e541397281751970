"""What people read of whole matches has no codes: cards, bids and seats are told by their names, in every language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from arena.language.languages import LANGUAGE, LANGUAGES
from arena.language.message import Message, arguments, id_of
from arena.language.messages import numbered
from arena.replay.log_lines import LogLine
from arena.replay.phrases import phrased
from arena.replay.readable import SEAT, SEATS, TEAM, Reader, codes_of, reader_of
from arena.replay.replay import Replay
from arena.replay.story import story_lines, story_of
from referee.engine import registry
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay, stored

CODE = re.compile(
    r"\b[CUSB](?:10|[1-9])\b|\d+x(?:\d|skull)|(?<![\w])-\d|\b(?:seats?|team) \d|\d번 자리|席\d|チーム\d|\d팀"
)
"""A card of the Italian pack, a bid, a card below 0, a seat or team by its number."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
"""A score or a sum of money."""


def presets() -> Iterator[Any]:
    for game in GAMES:
        for name, options in game.presets.items():
            yield pytest.param(game, options, name == "default", id=f"{game.name}-{name}")


def texts(film: Replay, *, with_tables: bool = True) -> Iterator[str]:
    """Yield what is told of a match: its log, moves and story, and the words on its tables."""
    story = story_of(film)
    yield from (text for moment in story.moments for text in (moment.text, moment.where))
    for number, frame in enumerate(film.frames()):
        yield from frame.events
        for answer in frame.answers:
            yield from answer.legal
        for table in film.event_frames(number) if with_tables else ():
            scene = table.scene
            yield from (scene.heading, *(text for fact in scene.facts for text in (fact.label, fact.value)))
            for place in scene.places:
                yield from (*place.badges, place.recent, *(fact.value for fact in place.facts))
            zones = [*scene.middle, *(zone for place in scene.places for zone in place.zones)]
            yield from (item.mark for zone in zones for item in zone.items if item.mark)


@pytest.mark.parametrize(("game", "options", "is_default"), list(presets()))
def test_no_code_is_left_in_what_people_read(game: Game, options: dict[str, Any], is_default: bool) -> None:
    film = Replay(stored(game, options=options))
    told = {(id_of(text), arguments(text), text.__class__): text for text in texts(film, with_tables=is_default)}
    for language in LANGUAGES:
        LANGUAGE.set(language)
        read = reader_of(film.match).of
        assert not [
            words for words in map(read, told.values()) if CODE.search(words) and not NUMBER.fullmatch(words)
        ], language
    LANGUAGE.set("en")
    assert not [line for line in story_lines(story_of(film), reader_of(film.match).of)[1:] if CODE.search(line)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_card_of_a_log_has_its_name(game: Game) -> None:
    film = replay(game)
    read = reader_of(film.match).of
    codes = codes_of(game)
    for line in (line for frame in film.frames() for line in frame.events):
        assert isinstance(line, LogLine)
        cards = "" if line.kind.cards is None else str(line.event[1 + line.kind.cards])
        for card in cards.split():
            assert str(codes.names.get(card, card)) in read(line)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_lines_of_the_same_words_name_cards_alike(game: Game) -> None:
    for line in game.lines:
        assert {other.cards for other in game.lines if other.text == line.text} == {line.cards}


@pytest.mark.parametrize(
    ("game", "move", "words"),
    [
        ("scopa", "play C10", "play king of coins"),
        ("scopa", "play U10 take C7 B3", "play king of cups and take 7 of coins, 3 of clubs"),
        ("perudo", "reroll keep 5 5 skull skull", "keep 5, 5, skull, skull and roll the others again"),
        ("perudo", "bid 4x5", "bid 4 fives"),
        ("perudo", "bid 1xskull", "bid 1 skull"),
        ("kille", "play -3", "play lion (−3)"),
        ("torionfo", "play 12 number", "play cat (12) as a number card"),
        ("zifuli", "bid 7", "bid 7"),
        ("hypp", "packet 3", "give packets of 3"),
        ("lustu", "offer 20%", "offer 20 % of what I win"),
    ],
)
def test_a_move_is_read_in_words(game: str, move: str, words: str) -> None:
    rules = registry.game(game)
    assert Reader(game, ["ann", "bob"], (0, 1)).of(phrased(rules.phrases, move)) == words


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (Message("seat {0} asks seat {1}", 1, 0), [1, " asks ", 0]),
        (Message("seats {0} and {1} win the deal", 0, 2), [0, " and ", 2, " win the deal"]),
        (Message("seats 0 and 2 have {0} points, seats 1 and 3 {1}", "9", "10"),
         [0, " and ", 2, " have 9 points, ", 1, " and ", 3, " 10"]),
        (Message("team {0} scores {1} and has {2}", 1, 2, 5), [1, " and ", 3, ": 2 more, 5 in all"]),
        (Message("seat {0} says: {1}", 3, "seat 2 {0}"), [3, " says: seat 2 {0}"]),
        (Message("seat {0} passes", 7), ["seat 7 passes"]),
    ],
)  # fmt: skip
def test_seats_are_found_in_a_text(text: str, pieces: list[str | int]) -> None:
    assert Reader("scopa", ["ann", "bob", "cid", "dan"], (0, 1, 0, 1)).pieces(text) == pieces


def test_a_bot_with_several_seats_is_told_with_their_numbers() -> None:
    read = Reader("kille", ["ann", "bob", "ann"], (0, 1, 2)).of
    assert read(Message("seat {0} asks seat {1}", 2, 1)) == "ann (seat 2) asks bob"


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_speak_of_seats_by_the_same_words_in_every_language(language: str) -> None:
    """By them names are put in the place of seats."""
    LANGUAGE.set(language)
    for game in GAMES:
        reader = Reader(game.name, "abcdefghijkl", tuple(range(12)))
        for line in game.lines:
            text = line.text
            seats = text.count("seat {}") + 2 * text.count("seats {}") + text.count("team {}")
            message = Message(numbered(text), *range(9)[: text.count("{}")])
            assert len([piece for piece in reader.pieces(message) if isinstance(piece, int)]) >= seats, (language, text)
    LANGUAGE.set("en")
    assert {SEAT, SEATS, TEAM} == {"seat {0}", "seats {0} and {1}", "team {0}"}
