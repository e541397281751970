"""The stage of a replay, in a real browser: everything on it fits, and nothing moves under the mouse."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.replay import document
from arena.replay.replay import Replay
from arena.store import open_store
from referee.engine import registry
from tests import played
from tests.replay.replays import GAMES, replay
from tests.server.conftest import Open
from tools.serving import served

pytestmark = pytest.mark.toolchain

SIZES = [(1440, 900), (1280, 720), (390, 844)]
TABLES = [
    *((game.name, game.recommended) for game in GAMES),
    *(("cambio", 12), ("lustu", 20), ("kille", 20), ("perudo", 6), ("scopa", 6), ("hypp", 8)),
]
"""Games and seats: each as it is usually played, and the largest tables."""

STAGE = (Path(__file__).parent / "stage.js").read_text("utf-8")
"""A function that goes through a replay and tells what is wrong with its stage: a list of sentences."""

SEEN = 12
"""Frames of a match that are looked at in each size, evenly spread; every frame at the size below."""
THOROUGH = (1280, 720)
LONG = 100
"""Matches with more frames are not looked at frame by frame."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve one match of each of TABLES, in that order."""
    path = tmp_path_factory.mktemp("stage") / "arena.db"
    with open_store(path, create=True) as store:
        for name, seats in TABLES:
            game = registry.game(name)
            row = played.match(game, seats=seats, bots=seats, notes=True)
            store.add_single(played.tournament(game, bots=seats, matches=1), row)
    with served(path) as server:
        yield server.address


def shown(page: Any) -> int:
    """Wait for the table; return the number of the last frame."""
    page.wait_for_function("() => document.querySelector('#log > [aria-current]')")
    return int(page.text_content("#last"))


@pytest.mark.parametrize("number", range(len(TABLES)), ids=lambda n: "{}-{}".format(*TABLES[n]))
def test_everything_fits_on_the_stage_and_nothing_moves(visit: Open, tables: str, number: int) -> None:
    page = visit("about:blank", reduced_motion="reduce")  # nothing is measured on its way
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.goto(f"{tables}/matches/{number + 1}")
        last = shown(page)
        every = 1 if (width, height) == THOROUGH and last <= LONG else max(1, last // SEEN)
        assert page.evaluate(STAGE, every) == [], f"{width} x {height}"


KEPT = """async () => {
    const zones = () => [...document.querySelectorAll("#table [data-zone]")];
    const before = zones().map((zone) => [zone, zone.outerHTML]);
    const shown = new Promise((done) => addEventListener("frameshown", done, { once: true }));
    const field = document.getElementById("scrub");
    field.value = Number(field.value) + 1;
    field.dispatchEvent(new Event("input"));
    await shown;
    const after = zones();
    return before.map(([zone, html], n) => [html === after[n].outerHTML, zone === after[n]]);
}"""
"""Goes on by a frame; returns for each zone whether it looks as before, and whether it is the same element."""


@pytest.mark.parametrize("name", ["cambio", "scopa"])
def test_zones_that_stay_as_they_are_keep_their_elements_while_the_slider_is_dragged(
    visit: Open, tables: str, name: str
) -> None:
    number = [game for game, _ in TABLES].index(name)
    page = visit(f"{tables}/matches/{number + 1}")
    shown(page)
    zones = [zone for _ in range(6) for zone in page.evaluate(KEPT)]
    assert all(looks_the_same == is_the_same for looks_the_same, is_the_same in zones)
    assert [True, True] in zones
    assert [False, False] in zones


@pytest.mark.parametrize(
    ("style", "words"),
    [
        (".place .items { translate: 0 -30px }", "clipped: "),
        (".middle { left: 0 }", " overlaps "),
        (".asked { translate: 0 -600px }", "not on the stage: "),
        (".place .item > * { scale: .05 }", "too small: "),
        (".place::after { content: ''; position: absolute; inset: 0 }", "covered: "),
        (".asked { --gap: 9px } .transport:has(#number:valid) { padding-left: calc(1px * var(--n)) }", "button moves"),
        ("body:has(#replay) { height: 1200px; overflow: visible }", "the page scrolls: "),
    ],
)
def test_what_does_not_fit_is_found(visit: Open, tables: str, style: str, words: str) -> None:
    page = visit(f"{tables}/matches/1")
    last = shown(page)
    page.evaluate(
        """style => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(style);
            document.adoptedStyleSheets.push(sheet);
            addEventListener("frameshown", () => {
                document.documentElement.style.setProperty("--n", document.getElementById("number").value);
            });
        }""",
        style,
    )
    assert any(words in told for told in page.evaluate(STAGE, last // 4))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_file_has_the_same_stage(visit: Open, tmp_path: Path, width: int, height: int) -> None:
    file = tmp_path / "match.html"
    file.write_text(document.page(replay(registry.game("coch")), [None, 0, 1, 2, 3]), "utf-8")
    page = visit(file.as_uri(), viewport={"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    shown(page)
    page.keyboard.press("2")
    page.wait_for_function("() => location.hash.endsWith('&seat=2')")
    assert page.evaluate(STAGE, 1) == []
    below = page.evaluate("""() => [...document.querySelectorAll('.place')].reduce((low, place) =>
        place.getBoundingClientRect().y > low.getBoundingClientRect().y ? place : low).dataset.seat""")
    assert below == "2", "the seat whose view is shown sits at the bottom"


def test_the_menu_is_used_by_keyboard(visit: Open, tables: str) -> None:
    page = visit(f"{tables}/matches/1")
    shown(page)
    page.focus("#more")
    page.keyboard.press("Enter")
    met = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        met.add(page.evaluate("document.activeElement.id"))
    assert {"next-out", "next-fault", "next-move", "of", "verify", "again", "link", "keys"} <= met
    page.focus("#next-out")
    page.keyboard.press("Enter")
    page.wait_for_function("() => Number(document.getElementById('number').value) > 0")
    page.keyboard.press("Escape")
    assert not page.is_visible("#menu")


def test_a_narrow_screen_shows_the_question_or_the_log(visit: Open, tables: str) -> None:
    page = visit(f"{tables}/matches/1#move=30", viewport={"width": 390, "height": 844})
    shown(page)
    assert page.is_visible("#question h2")
    assert not page.is_visible("#log")
    page.check("#show-log")
    assert not page.is_visible("#question h2")
    # Measured at one moment: the list is made anew while more of the match is loaded.
    page.wait_for_function("""() => {
        const log = document.getElementById('log');
        const now = log.querySelector(':scope > [aria-current]');
        if (!now?.checkVisibility({ visibilityProperty: true })) return false;
        const [box, line] = [log, now].map((each) => each.getBoundingClientRect());
        return line.height > 0 && box.top <= line.top && line.top < box.bottom;
    }""")


def test_the_ribbon_is_the_slider_and_knows_the_largest_swing(visit: Open, tables: str) -> None:
    page = visit(f"{tables}/matches/1")
    last = shown(page)
    page.wait_for_selector("#ribbon .score", state="attached")
    seats = page.locator("#table .place").count()
    assert page.locator("#ribbon .score").count() == page.locator("#ends .seat").count() == seats
    expected = largest_swing(replay(registry.game("cambio")))
    mark = page.get_attribute("#ribbon .swing", "d")
    assert mark == f"M{1000 * expected / last:.1f} 0V100"
    box = page.locator("#scrub").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(
        "half => Math.abs(Number(document.getElementById('number').value) - half) <= 1", arg=last / 2
    )
    page.keyboard.press("b")
    page.wait_for_function("number => document.getElementById('number').value === String(number)", arg=expected)
    tints = page.evaluate("""() => ["#table .place", "#ribbon .score", "#ends .seat"].map((which) =>
        new Set([...document.querySelectorAll(which)].map((one) => one.style.getPropertyValue("--seat"))).size)""")
    assert tints == [min(seats, 10)] * 3


def largest_swing(match: Replay) -> int:
    """Return the frame with the largest step of the score that changed most between two beginnings of a round."""
    frames = match.frames()
    scores = [match.positions[frame.position].state.outcome().scores for frame in frames]
    starts = [number for number, frame in enumerate(frames) if "round" in frame.marks]
    bounds = sorted({0, *starts, len(frames) - 1})
    best = (0, 0)
    for seat in range(match.seats):
        for begin, end in pairwise(bounds):
            steps = {
                number: abs(scores[number][seat] - scores[number - 1][seat]) for number in range(begin + 1, end + 1)
            }
            change = abs(scores[end][seat] - scores[begin][seat])
            if change > best[0]:
                best = change, max(steps, key=lambda number: steps[number])
    return best[1]
