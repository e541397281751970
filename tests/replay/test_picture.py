"""Pictures of tables: what they show, what they never hold, and where the seats stand."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from arena.language.languages import speaking
from arena.replay.picture import sheets
from arena.replay.picture.faces import SUITS
from arena.replay.picture.geometry import boxes
from arena.replay.picture.picture import Moment, picture
from arena.replay.picture.words import clean, fitted, width, wrapped
from arena.replay.replay import Replay
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from referee.games.torionfo import TORIONFO
from tests.replay.replays import GAMES, replay, stored

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script>&"\u202eevil\x00\ud800 ' + "가😀א" * 80


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def moments(game: Game) -> list[Moment]:
    count = replay(game).count()
    return [Moment(0), Moment(count // 3, 0), Moment(count // 2), Moment(10**9 - 1), Moment(count // 2, None, 1)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pictures_of_all_games_are_whole_and_load_nothing(game: Game) -> None:
    for moment in moments(game):
        svg = picture(replay(game), moment)
        assert svg == picture(replay(game), moment)
        assert len(svg) < 60_000
        root = ElementTree.fromstring(svg)
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        uses = {element.attrib["href"] for element in root.iter() if "href" in element.attrib}
        assert uses <= {f"#{id}" for id in ids}
        assert not re.search(r"var\(|url\(|<script|<style|<image|http(?!://www\.w3\.org/2000/svg)", svg)
        # Nothing lies outside: the places of elements that are no parts of drawings.
        drawn = [element for element in root if element.tag == f"{SVG}text"]
        assert all(0 <= float(text.attrib["x"]) <= 1200 and 0 < float(text.attrib["y"]) < 630 for text in drawn)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_picture_has_what_lies_on_the_table(game: Game) -> None:
    whole = replay(game)
    number = whole.count() // 2
    scene = whole.scene(number)
    svg = picture(whole, Moment(number))
    cards = [item for place in scene.places for zone in place.zones for item in zone.items if item.kind == "card"]
    faces = {item.face[1:] if item.tone in SUITS else item.face.replace("-", "−") for item in cards}
    assert faces <= set(texts(svg))
    dice = {item.face for place in scene.places for zone in place.zones for item in zone.items if item.kind == "die"}
    assert all(f'id="art-die-{face}"' in svg for face in dice)
    assert {whole.match.players[place.seat] for place in scene.places} <= set(texts(svg))


def test_a_seat_sees_backs_where_it_saw_them() -> None:
    whole = replay(TORIONFO)
    for number in range(0, whole.count(1), 7):
        svg = picture(whole, Moment(number, None, 1))
        shown = {item.face for place in whole.scene(number, 1).places for zone in place.zones for item in zone.items}
        shown |= {item.face for zone in whole.scene(number, 1).middle for item in zone.items}
        indexes = re.findall(r'font-weight="700" letter-spacing="-[\d.]+">([^<]+)<', svg)
        assert indexes
        assert set(indexes) <= {face.replace("-", "−") for face in shown}


def test_names_are_text_and_have_bounds() -> None:
    match = stored(CAMBIO)
    evil = replace(
        match, event=replace(match.event, entrants=tuple(replace(e, name=HOSTILE) for e in match.event.entrants))
    )
    svg = picture(Replay(evil), Moment(3))
    assert "<script" not in svg
    assert not re.search("[\x00-\x08\u202a-\u202e\ud800-\udfff]", svg)
    assert any(text.startswith("</text><") and text.endswith("…") for text in texts(svg))
    assert len(svg) < 60_000


def test_pictures_speak_the_language_of_their_reader() -> None:
    with speaking("ko"):
        korean = texts(picture(replay(CAMBIO), Moment(40)))
    assert any(re.search("[가-힣]", text) for text in korean)
    assert not any(re.search("[가-힣]", text) for text in texts(picture(replay(CAMBIO), Moment(40))))


def test_the_end_says_who_won() -> None:
    assert any("wins the match" in text for text in texts(picture(replay(CAMBIO), Moment(10**9 - 1))))
    assert not any("wins the match" in text for text in texts(picture(replay(CAMBIO), Moment(40))))


@pytest.mark.parametrize("seats", range(2, 31))
def test_places_do_not_overlap(seats: int) -> None:
    order, middle = boxes(seats)
    assert len(order) == seats
    everything = [*order, middle]
    for number, one in enumerate(everything):
        assert one.x >= -1e-6
        assert one.y >= -1e-6
        assert one.x + one.width <= 100 + 1e-6
        assert one.y + one.height <= 100 + 1e-6
        for other in everything[:number]:
            apart = max(one.x, other.x) + 1e-6 >= min(one.x + one.width, other.x + other.width)
            assert apart or max(one.y, other.y) + 1e-6 >= min(one.y + one.height, other.y + other.height)


def test_texts_are_shortened_to_their_room() -> None:
    assert fitted("abc", 10, 100) == "abc"
    short = fitted("a" * 100, 10, 100)
    assert short.endswith("…")
    assert width(short, 10) <= 100
    assert fitted("abc", 10, 2) == ""
    assert wrapped("one two three", 10, 60, 3) == ["one two", "three"]
    assert clean("a\x00\n b\u202e") == "a b"


def test_colours_are_those_of_the_pages() -> None:
    assert sheets.colours()["felt"] == "#2c6b55"
    assert sheets.seat_colour(0) == sheets.seat_colour(10) == "#0072b2"
