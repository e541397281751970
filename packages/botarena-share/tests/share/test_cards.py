"""Previews of tournaments, boards and entries, with pictures of rankings."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from arena_share import ranking_routes
from arena_share.cards import Card, CardRow, draw
from share.test_share import path, preview

from arena.league.store.leagues import Leagues
from arena.server.access import VISITOR
from arena.store import Store, open_store
from tests.server.conftest import EVIL, Client


@pytest.fixture(scope="module")
def club(league_database: Path) -> Iterator[Store]:
    with open_store(league_database) as opened:
        yield opened


@pytest.fixture
def league(club: Store) -> Client:
    return Client(club, VISITOR)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_tournament_has_the_first_of_its_ranking(public: Client) -> None:
    shown = preview(public, "/tournaments/1")
    assert (shown["og:title"], shown["og:url"]) == ("Tournament 1: cambio", "http://arena/tournaments/1")
    assert EVIL in shown["og:description"]
    svg = public.get(path(shown["og:image"])).text
    assert EVIL in texts(svg)
    assert "<img" not in svg
    assert "48 matches" in texts(svg)


def test_a_board_has_its_first_entries(league: Client) -> None:
    shown = preview(league, "/leagues/spring")
    assert shown["og:title"] == "League spring"
    assert "club/owl@2" in shown["og:description"]
    assert "club/owl@2" in texts(league.get("/leagues/spring/picture.svg").text)
    assert league.get(path(shown["og:image"])).headers["content-type"] == "image/png"


def test_an_entry_stands_among_its_neighbours(league: Client, club: Store) -> None:
    entries = Leagues(club).entries(Leagues(club).named("spring").id)
    number = next(entry.number for entry in entries if entry.name == "club/owl@2")
    shown = preview(league, f"/leagues/spring/entries/{number}")
    assert shown["og:title"] == "club/owl@2 in spring"
    svg = league.get(path(shown["og:image"]).replace("png", "svg")).text
    assert "club/owl@2" in texts(svg)
    assert svg.count('stroke-width="3"') == 1


def test_previews_speak_the_language_of_the_link(league: Client) -> None:
    korean = preview(league, "/leagues/spring?lang=ko")
    assert re.search("[가-힣]", korean["og:title"])
    assert path(korean["og:image"]) == "/leagues/spring/picture.png?lang=ko"


@pytest.mark.parametrize(
    "address",
    [
        "/leagues/none/picture.svg",
        "/leagues/spring/entries/999/picture.png",
        "/tournaments/99/picture.svg",
        "/tournaments/1/picture.gif",
    ],
)
def test_what_is_not_there_has_no_picture(league: Client, public: Client, address: str) -> None:
    for client in (league, public):
        assert client.get(address).status_code == 404


def test_long_and_foreign_names_stay_in_their_rows() -> None:
    names = ["<script>" * 30, "\u202eאבג" * 40, "가" * 200, "😀" * 200]
    svg = draw(Card("x" * 300, "note", tuple(CardRow("1", name, "+1 ± 2") for name in names)))
    assert "<script" not in svg
    assert unescape(svg).count("…") >= 5
    assert len(svg) < 10_000


def test_a_picture_is_drawn_once(public: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw_png(svg: str) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr(ranking_routes, "png", draw_png)
    first = public.get("/tournaments/1/picture.png").content
    number = len(drawn)
    for _ in range(3):
        assert public.get("/tournaments/1/picture.png").content == first
    assert len(drawn) == number
