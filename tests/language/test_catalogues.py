"""The catalogues are complete, their placeholders are those of the messages, and all on a table is translated."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from arena.language.languages import ENGLISH, LANGUAGES
from arena.language.message import parts
from arena.language.messages import CONTEXT, catalogue, numbered
from arena.replay.keys import COMPARED, PAGE
from arena.replay.rule_pages import article, page
from arena.replay.scene import Scene
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay
from tests.replay.test_rules_drawer import reasons_of
from tools import catalogues

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated_and_the_files_are_current(language: str) -> None:
    renewed = catalogues.renewed(language)
    assert [message.id for message in renewed if message.id and not message.string] == []
    assert catalogues.path(language).read_bytes() == catalogues.as_text(renewed), "run make catalogues"
    read = {
        f"{message.context}{CONTEXT}{message.id}" if message.context else str(message.id): message.string
        for message in renewed
        if message.id
    }
    assert catalogue(language) == read


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_are_those_of_the_message(language: str) -> None:
    for text, words in catalogue(language).items():
        english = text.rpartition(CONTEXT)[2]
        assert sorted(re.findall(r"\{\d\}", words)) == sorted(re.findall(r"\{\d\}", english)), text
        assert not re.search(r"[{}]", re.sub(r"\{\d\}", "", words)), text


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_told_of_a_seat_begins_with_the_seat(language: str) -> None:
    """At the place of a seat the seat is cut off again."""
    words = catalogue(language)
    for game in GAMES:
        for line in game.lines:
            if line.text.startswith("seat {} "):
                text = numbered(line.text)
                assert words[text].startswith(words["seat {0}"]), text


def untranslated(game: Game, text: Any) -> Iterator[str]:
    """Yield what has no translation of the parts of a text of a game: its id, and the messages among its arguments."""
    words = catalogue("ko")
    message, *values = text if isinstance(text, list) else [text]
    is_known = any(key in words for key in (message, f"{game.name}{CONTEXT}{message}", f"value{CONTEXT}{message}"))
    if re.search("[a-z]{2}", re.sub(r"\{\d\}", "", message)) and not is_known:
        yield message
    for value in values:
        if isinstance(value, list):
            yield from untranslated(game, value)


def texts(scene: Scene) -> Iterator[str]:
    """Everything that is written on a table, without what bots are called and say."""
    yield scene.heading
    zones = [*scene.middle, *(zone for place in scene.places for zone in place.zones)]
    for fact in (*scene.facts, *(fact for place in scene.places for fact in place.facts)):
        yield from (fact.label, fact.value)
    for place in scene.places:
        yield from (*place.badges, place.recent)
    for zone in zones:
        yield zone.label
        for item in zone.items:
            yield from (item.name, item.mark)
            if item.kind == "text":
                yield item.face


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_everything_on_a_table_is_translated(game: Game) -> None:
    told = {game.title, game.unit}
    for seat in (None, 0):
        played = replay(game)
        for number, frame in enumerate(played.frames(seat)[:120]):
            told.update(frame.events)
            told.update(move for answer in frame.answers for move in answer.legal)
            for event_frame in played.event_frames(number, seat):
                told.update(texts(event_frame.scene))
    told |= reasons_of(game)
    assert sorted(part for text in told for part in untranslated(game, parts(text))) == []


def test_the_keys_of_the_page_are_messages() -> None:
    assert all(meaning in catalogue("ja") for _, meaning in (*PAGE, *COMPARED))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_page_of_rules_has_the_shape_of_the_english_one(game: Game, language: str) -> None:
    """The same headings, tables, options and moves; so sections have the same ids."""
    (translated, found), (english, _) = page(game, language), page(game)
    assert found == language
    for shape in (r"(?m)^#+", r"(?m)^\|.*", r"(?m)^ {4}\S"):
        assert len(re.findall(shape, translated)) == len(re.findall(shape, english))
    assert [len(level) for level in re.findall(r"(?m)^#+", translated)] == [
        len(level) for level in re.findall(r"(?m)^#+", english)
    ]
    assert set(re.findall(r"`([^`\n]+)`", english)) - set(re.findall(r"`([^`\n]+)`", translated)) == set()
    assert set(re.findall(r' id="[^"]+"', str(article(game, language)[1]))) == set(
        re.findall(r' id="[^"]+"', str(article(game)[1]))
    )
