"""What other sites show of a match: the head of its page, and its picture, to those that may see it."""

import re
from html import unescape
from io import BytesIO

import pytest
from arena_share import match_routes, pictures, png
from arena_share.pictures import PictureCache
from PIL import Image

from arena.replay.picture.picture import Moment, picture
from arena.replay.replay import Replay
from arena.server.access import VISITOR
from arena.store import Store
from tests.server.conftest import EVIL, Client, Open

UNDER_WAY = 60
"""A match of a tournament that is under way."""


def preview(client: Client, address: str) -> dict[str, str]:
    page = client.get(address)
    assert page.status_code == 200
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in found}


def path(url: str) -> str:
    return url.removeprefix("http://arena")


def test_the_page_of_a_match_has_a_preview(public: Client) -> None:
    shown = preview(public, "/matches/6?move=40&event=2&seat=1")
    assert shown["og:title"] == "Match 6: cambio, move 40"
    assert shown["og:url"] == "http://arena/matches/6?move=40&event=2&seat=1"
    assert shown["og:image"] == "http://arena/matches/6/picture.png?move=40&event=2&seat=1"
    assert shown["twitter:card"] == "summary_large_image"
    assert "1st" in shown["og:description"]
    assert shown["og:image:type"] == "image/png"


def test_without_a_moment_it_shows_the_end(public: Client) -> None:
    shown = preview(public, "/matches/6")
    assert (shown["og:title"], shown["og:url"]) == ("Match 6: cambio", "http://arena/matches/6")
    svg = public.get(path(shown["og:image"]).replace(".png", ".svg"))
    assert svg.headers["content-type"] == "image/svg+xml"
    assert "wins the match" in svg.text


@pytest.mark.processes
def test_a_png_is_as_large_as_it_says(public: Client) -> None:
    drawn = Image.open(BytesIO(public.get("/matches/6/picture.png?move=3").content))
    assert drawn.size == (1200, 630)
    assert drawn.format == "PNG"
    assert len(drawn.convert("RGB").getcolors(1_000_000) or []) > 100


def test_without_the_extra_the_picture_is_svg(public: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("previews", "pictures"):
        monkeypatch.setattr(f"arena_share.{module}.draws_png", lambda: False)
    assert preview(public, "/matches/6")["og:image:type"] == "image/svg+xml"
    refused = public.get("/matches/6/picture.png", accept="*/*")
    assert (refused.status_code, "picture.svg" in refused.text) == (404, True)


def test_names_are_no_markup(public: Client, store: Store) -> None:
    match = next(id for id in range(1, 49) if EVIL in store.match(id).players)
    page = public.get(f"/matches/{match}").text
    assert EVIL not in page
    assert EVIL in preview(public, f"/matches/{match}")["og:description"]
    svg = public.get(f"/matches/{match}/picture.svg").text
    assert "<img" not in svg
    assert "&lt;img" in svg


@pytest.mark.processes
def test_matches_under_way_have_neither_preview_nor_picture(public: Client, site: Client) -> None:
    for address in (f"/matches/{UNDER_WAY}", f"/matches/{UNDER_WAY}/picture.svg", f"/matches/{UNDER_WAY}/picture.png"):
        refused = public.get(address)
        assert refused.status_code == 403, address
        assert "og:" not in refused.text
        assert site.get(address).status_code == 200
        assert public.get(address).status_code == 403, "what was drawn for organisers"
    assert public.get("/matches/99999/picture.svg").status_code == 404


@pytest.mark.parametrize("query", ["move=-1", "move=x", "seat=99", "event=0", "move=9999999999", "move=%D9%A3"])
def test_odd_moments_are_the_nearest_that_there_are(public: Client, query: str) -> None:
    assert public.get(f"/matches/6/picture.svg?{query}").status_code == 200


def test_a_picture_is_drawn_once_as_long_as_its_match_is_unchanged(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, drawn = Client(store, VISITOR), []

    def draw(replay: Replay, moment: Moment) -> str:
        drawn.append(moment)
        return picture(replay, moment)

    monkeypatch.setattr(match_routes, "picture", draw)
    svg = [client.get("/matches/6/picture.svg?move=3").content for _ in range(2)]
    assert drawn == [Moment(3)]
    assert svg[0] == svg[1]
    changed = store.match_version(6)._replace(decisions=9)
    monkeypatch.setattr(Store, "match_version", lambda *_: changed)
    client.get("/matches/6/picture.svg?move=3")
    assert drawn == [Moment(3)] * 2


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT_BYTES", 60_000)
    cache = PictureCache()
    for move in range(20):
        for _ in range(2):
            assert cache.of(move, lambda: bytes(7_000)) == bytes(7_000)
        assert cache._bytes == sum(map(len, cache._kept.values())) <= 60_000
    assert [*cache._kept] == [*range(12, 20)]


@pytest.mark.processes
def test_a_picture_that_cannot_be_drawn_is_an_error_and_no_crash(
    public: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(png.PictureFailed):
        png.png("<svg")
    monkeypatch.setattr(match_routes, "png", lambda svg: png.png("<svg"))
    assert public.get("/matches/7/picture.png?move=5").status_code == 503


@pytest.mark.toolchain
def test_pictures_and_pages_have_the_seats_at_the_same_places(visit: Open, address: str) -> None:
    from arena.replay.picture.geometry import boxes

    page = visit(f"{address}/matches/1")
    page.wait_for_selector(".place")
    measure = """seats => {
        const places = Array.from({ length: seats }, () => document.createElement("i"));
        const middle = document.createElement("i");
        Seats.place(places, middle, 0);
        return [...places, middle].map((one) => ["x", "y", "w", "h"].map((side) => parseFloat(one.style.getPropertyValue(`--wide-${side}`))));
    }"""  # noqa: E501
    for seats in range(2, 31):
        order, middle = boxes(seats)
        for shown, own in zip(page.evaluate(measure, seats), [*order, middle], strict=True):
            assert shown == pytest.approx(own, abs=0.001), seats


def test_a_round_is_an_animated_picture_to_those_who_see_the_match(public: Client, site: Client) -> None:
    drawn = public.get("/matches/6/round.svg?round=2")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "<animate" in drawn.text
    assert public.get("/matches/6/round.svg?round=2&seat=1").text != drawn.text
    assert public.get("/matches/6/round.svg?round=9999").status_code == 404
    assert public.get("/matches/6/round.svg").status_code == 400
    assert public.get(f"/matches/{UNDER_WAY}/round.svg?round=1").status_code == 403
    assert site.get(f"/matches/{UNDER_WAY}/round.svg?round=1").status_code == 200
    assert public.get(f"/matches/{UNDER_WAY}/round.svg?round=1").status_code == 403
