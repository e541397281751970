"""The matches of one deal side by side: the routes, and the page in a real browser."""

import re
from typing import Any

import pytest

from arena.store import Store
from tests.server.conftest import EVIL, Client, Open

SHOWN = "() => document.querySelectorAll('#gains tbody tr').length > 1 && /moves=/.test(location.hash)"


def test_the_matches_of_a_deal_are_those_of_its_rotations(store: Store) -> None:
    match = store.match(6)
    assert [other.id for other in store.matches_of_deal(match, 64)] == [5, 6, 7, 8]
    assert [other.id for other in store.matches_of_deal(match, 2)] == [5, 6]
    single = store.match(49)
    assert [other.id for other in store.matches_of_deal(single, 64)] == [49]


def test_a_replay_lists_the_other_matches_of_its_deal_with_results(site: Client) -> None:
    page = site.get("/matches/6").text
    assert "other matches of this deal: 3" in page
    assert re.findall(r'<li><a href="/matches/(\d+)">', page) == ["5", "7", "8"]
    assert 'href="/matches/6/compare"' in page
    assert EVIL not in page
    assert "other matches" not in site.get("/matches/49").text


def test_the_page_has_a_side_for_each_chosen_match(site: Client) -> None:
    page = site.get("/matches/6/compare?with=8&with=5").text
    assert re.findall(r'data-base="([^"]+)"', page) == ["/matches/6", "/matches/8", "/matches/5"]
    assert re.findall(r'data-base="([^"]+)"', site.get("/matches/6/compare?with=8,5").text)[1:] == [
        "/matches/8",
        "/matches/5",
    ]
    assert re.findall(r'data-base="([^"]+)"', site.get("/matches/6/compare").text) == ["/matches/6", "/matches/5"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/matches/6/compare?with=9", 400, "is no other match of this deal"),
        ("/matches/6/compare?with=6", 400, "is no other match of this deal"),
        ("/matches/6/compare?with=x", 400, "is no other match of this deal"),
        ("/matches/49/compare", 404, "the only match of its deal"),
        ("/matches/999/compare", 404, "there is no match 999"),
    ],
)
def test_what_cannot_be_compared_is_refused(site: Client, path: str, status: int, words: str) -> None:
    answer = site.get(path)
    assert answer.status_code == status
    assert words in answer.text


def test_visitors_compare_no_matches_of_a_running_tournament(site: Client, public: Client) -> None:
    assert site.get("/matches/60/compare").status_code == 200
    for path in ("/matches/60", "/matches/60/compare", "/matches/60/rounds"):
        assert public.get(path).status_code == 403
    assert public.get("/matches/6/compare").status_code == 200


def test_rounds_are_those_that_the_perspective_knew(site: Client) -> None:
    whole, own = site.get("/matches/6/rounds").json(), site.get("/matches/6/rounds?seat=1").json()
    assert [one["name"] for one in whole] == [one["name"] for one in own]
    assert own[-1]["frame"] < whole[-1]["frame"]
    assert site.get("/matches/6/rounds?seat=9").status_code == 400


def sides(page: Any) -> list[str]:
    """Return the headings of the tables: where each side is."""
    return [text.strip() for text in page.locator(".beside .where b").all_inner_texts()]


@pytest.mark.toolchain
def test_one_transport_moves_all_sides_round_by_round(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/6#move=0")
    page.wait_for_function("() => document.querySelector('#log > [aria-current]')")
    page.keyboard.press("2")
    page.wait_for_function("() => location.hash.endsWith('&seat=2')")
    page.click("#more")
    page.click("text=compare side by side")
    page.wait_for_function(SHOWN)
    assert re.search(r"#moves=0,\d+&seat=2&view=own$", page.url)
    assert page.input_value("#seat") == "2"
    assert len(set(sides(page))) == 1
    for _ in range(3):
        before = page.text_content("#round")
        page.keyboard.press("r")
        page.wait_for_function("before => document.getElementById('round').textContent !== before", arg=before)
        assert len(set(sides(page))) == 1
    before = page.text_content("#round")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.getElementById('round').textContent !== before", arg=before)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("before => document.getElementById('round').textContent === before", arg=before)
    link = page.evaluate("new URL(Address.hash(), location).href")
    tables = page.locator(".beside .table").all_inner_texts()
    again = visit(link)
    again.wait_for_function(SHOWN)
    again.wait_for_function("hash => location.hash === hash", arg=link[link.index("#") :])
    assert again.locator(".beside .table").all_inner_texts() == tables


@pytest.mark.toolchain
def test_a_round_is_chosen_in_the_table_of_what_the_seat_got(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/6/compare?with=5,7")
    page.wait_for_function(SHOWN)
    assert page.locator("#gains tbody tr").count() == 3
    page.click("#gains th button >> nth=4")
    page.wait_for_function("() => document.querySelector('#gains th[aria-current] button').textContent === '1.5'")
    page.keyboard.press("End")
    page.wait_for_function("() => !/moves=\\d+,0,/.test(location.hash)")
    page.select_option("#seat", "3")
    page.wait_for_function("() => location.hash.includes('seat=3')")
    assert page.locator(".beside .holder .seat").all_text_contents() == ["seat 3"] * 3


@pytest.mark.toolchain
def test_matches_of_a_game_without_rounds_are_compared_as_a_whole(visit: Open, address: str) -> None:
    page = visit("about:blank")
    page.route(re.compile(r"/matches/\d+/rounds"), lambda route: route.fulfill(json=[]))
    page.goto(f"{address}/matches/6/compare")
    page.wait_for_function(SHOWN)
    assert page.locator("#gains thead button").all_inner_texts() == ["match"]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash.startsWith('#moves=1,1&')")
    page.keyboard.press("End")
    page.wait_for_function("() => !location.hash.startsWith('#moves=1,1&')")


@pytest.mark.toolchain
def test_each_side_gets_no_more_than_its_seat_knew(visit: Open, address: str) -> None:
    sent: list[Any] = []
    page = visit("about:blank")
    page.on("response", lambda response: sent.append(response))
    page.goto(f"{address}/matches/6/compare?with=8#moves=0,0&seat=1&view=own")
    page.wait_for_function(SHOWN)
    page.keyboard.press("End")
    page.wait_for_function("() => !location.hash.includes('moves=0,')")
    asked = [response for response in sent if re.search(r"/matches/\d+/(?!compare)", response.url)]
    assert {re.sub(r".*/matches/(\d+)/.*", r"\1", response.url) for response in asked} == {"6", "8"}
    assert all("seat=1" in response.url for response in asked)
    page.keyboard.press("o")
    page.wait_for_function("() => !location.hash.includes('view=own')")


@pytest.mark.toolchain
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (390, 844)])
@pytest.mark.parametrize("others", ["5", "5,7", "5,7,8"])
def test_all_sides_have_room(visit: Open, address: str, others: str, width: int, height: int) -> None:
    page = visit(f"{address}/matches/6/compare?with={others}", viewport={"width": width, "height": height})
    page.wait_for_function(SHOWN)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    for box in (table.bounding_box() for table in page.locator(".beside .table").all()):
        assert box["height"] >= 200
        assert box["width"] >= 300
