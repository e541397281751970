"""Pages in each of their states: accessible in both themes, reached by keyboard, and readable where they are narrow.

The states are a table. All are looked at on one server and in one browser, without loading a page again for another
theme or size, which takes longer than to look.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.store import open_store
from tests import installed
from tests.server.conftest import Open
from tests.server.test_accessible import audited_in_both, reached
from tests.server.test_narrow import OUTSIDE
from tools.serving import served

pytestmark = pytest.mark.toolchain

NARROW = ((640, 360), (320, 640))
"""A window at 200 %, and one of 320 pixels (WCAG 2.2, 1.4.10)."""

TABLE = "() => document.querySelectorAll('#table .place').length > 0"
STORY = "() => document.querySelectorAll('#story li').length > 0"
MOVES = "#moves button:not([disabled]), #moves a"


class State(NamedTuple):
    """A page in a state."""

    path: str
    act: Callable[[Any], object] | None = None
    """Brings it from its path into the state."""
    phone: bool = False
    """Whether that state is one of a phone."""


def told(page: Any) -> None:
    """Wait for a replay with its story."""
    page.wait_for_function(TABLE)
    page.wait_for_function(STORY)


def keys(*names: str) -> Callable[[Any], None]:
    """Return what waits for a replay and presses keys."""

    def press(page: Any) -> None:
        told(page)
        for name in names:
            page.keyboard.press(name)

    return press


def chosen(tab: str) -> Callable[[Any], None]:
    """Return what shows a part of the side of a replay, of which a phone shows one."""

    def choose(page: Any) -> None:
        told(page)
        page.check(f"#show-{tab}")

    return choose


def menu(page: Any) -> None:
    """Open the menu of a replay."""
    told(page)
    page.click("#more")
    page.wait_for_selector("#menu:popover-open")


def searched(page: Any) -> None:
    """Look for what a log does not have."""
    told(page)
    page.fill("#search", "zebra")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('search-result').textContent")


def compared(page: Any) -> None:
    """Go to the end of matches side by side."""
    page.wait_for_function("() => document.querySelectorAll('.table .place').length > 4")
    page.keyboard.press("End")


def started(*seats: str) -> Callable[[Any], None]:
    """Return what starts a match with these at the seats, and waits until somebody is asked or covered."""

    def start(page: Any) -> None:
        for seat, name in enumerate(seats):
            page.select_option(f"select[name=seat-{seat}]", name)
        for seat in range(len(seats), page.locator("select[name^=seat]").count()):
            page.select_option(f"select[name=seat-{seat}]", "")
        page.click("button.main")
        page.wait_for_url("**/sittings/*")
        if "friend" not in seats:
            page.wait_for_selector(f"{MOVES}, .cover")

    return start


def watched(page: Any) -> None:
    """Play a move, and step through what the others do."""
    started("person", "random", "random")(page)
    page.select_option("#pace", "steps")
    page.locator(MOVES).first.click()
    page.wait_for_selector("#seen:visible, #moves a")


def played(page: Any) -> None:
    """Play a match to its end."""
    page.click("details summary")
    page.fill("[name=option-max_rounds]", "1")
    started("person", "random")(page)
    page.select_option("#pace", "none")
    while not page.locator("#moves a").count():
        page.locator(MOVES).first.click()
        page.wait_for_selector(MOVES)
    page.wait_for_selector("#result table")


STATES = {
    "a replay at its start": State("/matches/1", told),
    "between two moves": State("/matches/1#move=20", keys("ArrowRight", "ArrowRight")),
    "a replay at its end": State("/matches/1", keys("End")),
    "a seat at the end": State("/matches/1#move=999&seat=2", told),
    "a replay with a fault": State("/matches/4", keys("f")),
    "the menu of a replay": State("/matches/1#move=41", menu),
    "the keys of a replay": State("/matches/1#move=41", keys("?")),
    "the rules beside a replay": State("/matches/1#move=41", keys("h")),
    "a log without what is searched": State("/matches/1", searched),
    "the story on a phone": State("/matches/1#move=41", chosen("story"), phone=True),
    "the log on a phone": State("/matches/1#move=41", chosen("log"), phone=True),
    "side by side at the end": State("/matches/6/compare?with=5", compared),
    **dict(
        installed.of(
            "share",
            ("a replay in a frame", State("/embed/matches/1#move=41", told)),
            ("a frame at the end", State("/embed/matches/57", keys("End"))),
        )
    ),
    "no such bot among the matches": State("/matches?bot=nobody"),
    "no such bot in the list": State("/bots?part=nobody"),
    "a game to start": State("/play/scopa"),
    "several people at one browser": State("/play/kille", started("person", "person", "random")),
    "a match with a friend": State("/play/kille", started("person", "friend", "random")),
    "moves as buttons and cards": State("/play/scopa", started("person", "random")),
    "moves in lists": State("/play/perudo", started("person", "random")),
    "what the others did": State("/play/kille", watched),
    "a match that was played": State("/play/hypp", played),
}
EMPTY = ("/", "/tournaments", "/matches", "/bots", "/leagues", "/play", "/join", "/failures", "/status")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a site on which nothing has happened."""
    path: Path = tmp_path_factory.mktemp("empty") / "arena.db"
    open_store(path, create=True).close()
    with served(path) as server:
        yield server.address


def looked_at(page: Any) -> list[str]:
    """Return what is wrong with a page as it is, in both themes and where it is narrow."""
    found = audited_in_both(page)
    for width, height in NARROW:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"at {width} pixels: {outside}" for outside in page.evaluate(OUTSIDE)]
    return found


@pytest.mark.parametrize("name", STATES)
def test_a_page_is_accessible_in_each_state(visit: Open, address: str, name: str) -> None:
    state = STATES[name]
    page = visit(
        address + state.path,
        color_scheme="light",
        **({"viewport": {"width": 390, "height": 844}} if state.phone else {}),
    )
    if state.act:
        state.act(page)
    assert looked_at(page) == []
    if page.locator("#leave:visible").count():
        page.click("#leave")


@pytest.mark.parametrize("path", EMPTY)
def test_a_page_without_content_is_accessible_and_reached_by_keyboard(visit: Open, empty: str, path: str) -> None:
    page = visit(empty + path, color_scheme="light", refused=404)
    assert looked_at(page) == []
    reached(page)


@pytest.mark.parametrize(
    "path",
    [
        "/matches/1#move=41",
        "/matches/6/compare?with=5",
        "/matches?tournament=1",
        "/matches/1/sheet",
        *installed.of("share", "/embed/matches/1"),
        "/bots",
        "/failures",
        "/play",
        "/rules/scopa",
        "/join",
        "/status",
        "/leagues",
    ],
)
def test_all_controls_of_a_page_are_reached_by_keyboard(visit: Open, address: str, path: str) -> None:
    page = visit(address + path)
    if "compare" in path:
        page.wait_for_load_state("networkidle")
    elif "/matches/1" in path and "sheet" not in path:
        told(page)
    reached(page)
