"""Playing by hand in a real browser: every game by mouse, keyboard and touch, and how fast others are shown."""

import re
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest

from arena.store import open_store
from referee.engine.game import Game
from tests.replay.replays import GAMES
from tests.server.conftest import Open
from tools.serving import served

pytestmark = pytest.mark.toolchain

SHORT = {
    "cambio": {"chips": "8"},
    "cucco": {"coins": "8"},
    "cucu": {"max_deals": "6"},
    "lustu": {"max_deals": "6"},
    "hypp": {"max_rounds": "4"},
    "kille": {"max_deals": "1"},
    "scopa": {"max_deals": "1"},
    "zifuli": {"deals": "1"},
}
"""The options with which a match of a game is short; it is anyway where none are given."""

FEWEST = {"coch": 4, "torionfo": 2, "zifuli": 5, "kille": 3}
"""The smallest table of games that are not played by two."""

CHOICES = "#moves button:not(.refused-move, .back-to-all, [disabled])"
CARDS = "#table .card-move"

CORNER = {"x": 4, "y": 8}
"""Where a card is seen although the next one of the hand lies on it, in pixels."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on which nothing has been played."""
    path = tmp_path_factory.mktemp("play") / "arena.db"
    open_store(path, create=True).close()
    with served(path) as server:
        yield server.address


def begin(page: Any, game: str, seats: int, others: str = "random") -> None:
    """Start a short match with a person at seat 0."""
    if SHORT.get(game):
        page.click("details summary")
    for name, value in SHORT.get(game, {}).items():
        field = page.locator(f"[name=option-{name}]")
        (field.select_option if field.evaluate("field => field.tagName") == "SELECT" else field.fill)(value)
    for seat in range(1, page.locator("select[name^=seat]").count()):
        page.select_option(f"select[name=seat-{seat}]", others if seat < seats else "")
    page.click("button.main")
    page.wait_for_url("**/sittings/*")


def by_mouse(page: Any, turn: int) -> None:
    """Choose by clicks: a card of the hand if there is one to click, and else a button."""
    page.locator("#prompt").click()  # or the next click might be the second of a double click, which is ignored
    if page.locator(CARDS).count():
        page.locator(CARDS).nth(turn % page.locator(CARDS).count()).click(position=CORNER)
        if page.locator(".back-to-all").count():
            page.locator(CHOICES).first.click()
        return
    page.locator(CHOICES).nth(turn % page.locator(CHOICES).count()).click()


def by_touch(page: Any, turn: int) -> None:
    """Choose by taps: a button, or a card where the turn says so."""
    page.locator("#prompt").tap()
    cards = page.locator(CARDS)
    if turn % 2 and cards.count():
        cards.last.tap(position=CORNER)
        if page.locator(".back-to-all").count():
            page.locator(CHOICES).last.tap()
        return
    page.locator(CHOICES).nth(turn % page.locator(CHOICES).count()).tap()


def by_keyboard(page: Any, turn: int) -> None:
    """Choose by a digit where moves have digits; else Tab goes to a move, down a list, and Enter plays it."""
    digits = page.locator("#moves button kbd")
    if digits.count():
        page.keyboard.press(digits.nth(turn % digits.count()).text_content())
        return
    page.wait_for_function("() => document.activeElement.closest('#moves')")  # where the focus goes by itself
    if page.locator("#moves select").count():
        page.locator("#moves select").last.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+Tab")
        while page.evaluate("document.activeElement.tagName") != "BUTTON":
            page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")


WAYS: tuple[Callable[[Any, int], None], ...] = (by_mouse, by_keyboard, by_touch)

ASKED = f"#moves a, {CHOICES}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_is_played_to_its_end_by_mouse_keyboard_and_touch_in_turn(
    visit: Open, house: str, game: Game
) -> None:
    page = visit(f"{house}/play/{game.name}", has_touch=True, reduced_motion="reduce")
    seats = FEWEST.get(game.name, 2)
    begin(page, game.name, seats)
    used = set[Callable[[Any, int], None]]()
    for turn, way in enumerate(cycle(WAYS)):
        page.wait_for_selector(ASKED)
        if page.locator("#moves a").count():
            if used == set(WAYS):
                break
            page.goto(f"{house}/play/{game.name}")  # it was over before each of them had its turn
            begin(page, game.name, seats)
            page.wait_for_selector(ASKED)
        page.evaluate("() => { document.getElementById('moves').firstElementChild.dataset.answered = ''; }")
        way(page, turn)
        page.wait_for_function("() => !document.querySelector('#moves [data-answered]')")
        used.add(way)
    page.wait_for_selector("#result tbody tr")
    assert page.locator("#result tbody tr").count() == seats
    assert page.locator("#table .place").count() == seats
    page.locator("#moves a").first.click()
    page.wait_for_selector("#table .place")


def test_what_the_others_did_takes_two_seconds_unless_somebody_wants_to_watch(visit: Open, house: str) -> None:
    page = visit(f"{house}/play/perudo")
    begin(page, "perudo", 2)
    page.wait_for_selector(CHOICES)
    page.evaluate("() => Playback.end()")
    run = """async ([pace, spent, isEnd]) => {
        const [later, pauses, shown] = [window.setTimeout, [], []];
        window.setTimeout = (act, pause) => { pauses.push(pause); return later(act, 0); };
        const since = spent === null ? null : performance.now() - spent;
        await Playback.run(Array.from({ length: 40 }, (_, n) => n), (n) => shown.push(n), { pace, since, isEnd });
        window.setTimeout = later;
        return [pauses, shown];
    }"""
    for spent in (None, 0, 700, 60_000):
        pauses, shown = page.evaluate(run, ["quick", spent, False])
        assert sum(pauses) <= 2000 - min(spent or 0, 1400)
        assert min(pauses) >= 300
        assert shown[-1] == 39, "the last table is not left out"
    pauses, shown = page.evaluate(run, ["calm", 0, False])
    assert shown == list(range(40))
    assert min(pauses) >= 1000
    assert page.evaluate(run, ["none", 0, False]) == [[], []]
    assert sum(page.evaluate(run, ["quick", 0, True])[0]) <= 6000


def test_tables_are_seen_one_by_one_and_again(visit: Open, house: str) -> None:
    page = visit(f"{house}/play/hypp")
    begin(page, "hypp", 5)
    page.select_option("#pace", "steps")
    page.wait_for_selector(f"#seen:visible, {CHOICES}")
    while page.locator("#seen").is_visible():
        page.click("#skip")
    page.wait_for_selector(CHOICES)
    page.locator(CHOICES).first.click()
    page.wait_for_selector("#seen:visible")
    assert page.locator(CHOICES).count() == 0
    count = 0
    while page.locator("#seen").is_visible():
        before = page.inner_html("#table")
        (page.click("#seen") if count % 2 else page.keyboard.press("Enter"))
        page.wait_for_function("before => document.getElementById('table').innerHTML !== before", arg=before)
        count += 1
    page.wait_for_selector(CHOICES)
    assert count > 1
    page.keyboard.press("w")
    page.wait_for_selector("#seen:visible")
    assert page.locator(CHOICES).count() == 0
    page.keyboard.press("Escape")
    page.wait_for_selector(CHOICES)
    page.reload()
    assert page.input_value("#pace") == "steps", "it is remembered"
    page.click("#leave")
    page.wait_for_url("**/play")


def test_a_double_click_plays_one_move(visit: Open, house: str) -> None:
    page = visit(f"{house}/play/perudo", reduced_motion="reduce")
    begin(page, "perudo", 2)
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    page.wait_for_selector(CHOICES)
    page.evaluate(
        """choices => {
        const moves = document.getElementById("moves");
        const second = () => new MouseEvent("click", { bubbles: true, detail: 2 });
        const again = () => document.querySelector(choices)?.dispatchEvent(second());
        new MutationObserver(again).observe(moves, { childList: true });
    }""",
        CHOICES,
    )
    page.locator(CHOICES).first.click()
    page.wait_for_function(
        "choices => document.querySelector('#log .new') && document.querySelector(choices)", arg=CHOICES
    )
    page.evaluate("0")
    assert len([one for one in sent if "/seats/" in one.url]) == 1
    page.click("#leave")
    page.wait_for_url("**/play")


def test_the_link_of_a_friend_is_copied_whole(visit: Open, house: str) -> None:
    page = visit(f"{house}/play/hypp", permissions=["clipboard-read", "clipboard-write"])
    page.select_option("select[name=seat-1]", "friend")
    page.click("button.main")
    page.wait_for_url("**/sittings/*")
    page.click("[data-copy]")
    page.get_by_text("copied", exact=True).wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{house}/sittings/[\w-]+", link)
    own = page.url
    page.goto(link)
    page.get_by_text("This link is for your friend at seat 1").wait_for()
    page.click("a.button")
    page.wait_for_url(own)
    friend = visit(link)
    assert friend.get_attribute("#hosted-match", "data-people") == "[1]"
    page.click("#leave")
    page.wait_for_url("**/play")
