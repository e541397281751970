"""Every kind of page where there is little room, without JavaScript, without motion, in forced colours and on paper."""

from pathlib import Path
from typing import Any

import pytest

from arena.store import open_store
from tests.server.conftest import Open, Serve

pytestmark = pytest.mark.toolchain

PAGES = (
    *("/", "/join", "/leagues", "/tournaments/1", "/tournaments/2", "/matches", "/matches/1/sheet", "/bots", "/bots/a"),
    *("/failures", "/play", "/play/cambio", "/rules/cambio", "/rules/scopa", "/status"),
    *("/matches/1", "/matches/6/compare?with=5"),
)
LEAGUE = (
    *(
        "/",
        "/leagues",
        "/leagues/spring",
        "/leagues/spring/entries/1",
        "/leagues/spring/batches",
        "/leagues/spring/live",
    ),
    *("/leagues/spring/batches/1", "/leagues/spring/dates", "/leagues/spring/announcements"),
)

OUTSIDE = """() => {
    const outside = (element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -1 || right > innerWidth + 1);
    };
    const scrolls = ".wide, pre, .table, svg, .visually-hidden, .skip, [popover], .ribbon";
    return [
        ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
        ...[...document.querySelectorAll(".bar a, .bar button, main *")]
            .filter((each) => outside(each) && !each.closest(scrolls)).map((each) => each.outerHTML.slice(0, 80)),
    ];
}"""
"""Tells what is beyond the edges of the window although nothing around it can be scrolled there."""


def narrow(page: Any, address: str) -> None:
    """See that a page can be read in 320 pixels, which are 1280 at 400 % (WCAG 2.2, 1.4.10), and at 200 %."""
    for width, height in ((320, 640), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        assert page.evaluate(OUTSIDE) == [], (address, width)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_read_where_it_is_narrow(visit: Open, address: str, path: str) -> None:
    narrow(visit("about:blank"), address + path)


@pytest.mark.parametrize("path", LEAGUE)
def test_a_page_of_a_league_can_be_read_where_it_is_narrow(
    visit: Open, serve: Serve, league_database: Path, path: str
) -> None:
    narrow(visit("about:blank"), serve(league_database) + path)


def test_at_200_percent_a_replay_is_scrolled_to_its_question(visit: Open, address: str) -> None:
    page = visit("about:blank")
    page.set_viewport_size({"width": 640, "height": 360})
    page.goto(f"{address}/matches/1#move=20")
    page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    assert page.locator("#table").bounding_box()["height"] > 200
    page.locator("#question").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0


def test_without_scripts_a_replay_is_its_score_sheet(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/matches/1")
    page.wait_for_url("**/matches/1/sheet")
    assert page.locator("ol.told li").count() > 100
    assert page.locator("h2 >> text=Result").count() == 1
    context.close()


def test_a_score_sheet_is_printed_without_controls(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches/1/sheet", color_scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("nav:visible, button:visible, .ways:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


@pytest.mark.parametrize("path", ["/", "/play", "/tournaments/1"])
def test_in_forced_colours_the_current_page_and_main_buttons_are_told_apart(
    visit: Open, address: str, path: str
) -> None:
    page = visit(address + path, forced_colors="active")
    shown = page.evaluate("""() => {
        const found = [".bar nav [aria-current=page]", ".bar nav a:not([aria-current])"];
        return found.map((each) => getComputedStyle(document.querySelector(each)).backgroundColor);
    }""")
    assert shown[0] != shown[1]


def test_an_empty_site_says_what_to_do(visit: Open, tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "empty.db"
    open_store(path, create=True).close()
    page = visit(serve(path))
    assert "arena tourney --game cambio" in page.text_content(".empty")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(OUTSIDE) == []
