"""The preview picture: what is on it, and that both forms show the same."""

import io
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from arena_site.card import HEIGHT, WIDTH, Rectangle, Words, card, png, svg
from PIL import Image

from arena.ratings import Ranking
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.store import Store

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def ranked(store: Store) -> Ranking:
    return standings(StoredTournament.load(store, 1)).table


def test_it_names_the_first_bots_with_their_elo(ranked: Ranking) -> None:
    texts = [shape.text for shape in card("Cup", "4 bots", ranked) if isinstance(shape, Words)]
    assert texts[:2] == ["Cup", "4 bots"]
    assert {row.bot for row in ranked.rows[:3]} - set(texts) <= {row.bot for row in ranked.rows if len(row.bot) > 19}
    assert f"{ranked.rows[0].elo:+.0f}" in texts
    assert "Elo with 95 % intervals" in texts


def test_everything_stays_on_it(ranked: Ranking) -> None:
    rows = tuple(replace(ranked.rows[n % 4], rank=n + 1, bot="x" * 300) for n in range(40))
    for shape in card("y" * 300, "z" * 300, replace(ranked, rows=rows)):
        assert 0 <= shape.x <= WIDTH
        assert 0 <= shape.y <= HEIGHT
        if isinstance(shape, Rectangle):
            assert shape.x + shape.width <= WIDTH
            assert shape.width >= 0


def test_nobody_may_be_rated() -> None:
    nobody = Ranking((), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0)), 0, 0, 0, ())
    assert [shape.text for shape in card("Cup", "", nobody) if isinstance(shape, Words)] == ["Cup", ""]


def test_it_is_a_valid_svg(ranked: Ranking) -> None:
    root = ElementTree.fromstring(svg(card("<Cup> & co", "4 bots", ranked)))
    assert root.find(f"{SVG}text").text == "<Cup> & co"  # type: ignore[union-attr]


def test_it_is_a_valid_png_and_always_the_same(ranked: Ranking) -> None:
    shapes = card("Cup", "4 bots", ranked)
    content = png(shapes)
    assert content is not None
    assert content == png(shapes)
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (WIDTH, HEIGHT)
        assert image.getpixel((600, 4)) == (0x1F, 0x6F, 0x54)


def test_without_pillow_there_is_no_png(ranked: Ranking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert png(card("Cup", "4 bots", ranked)) is None
