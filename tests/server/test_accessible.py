"""Every page in a real browser, for people who cannot see well, or have no mouse: names, order, contrast, keyboard."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import installed, played
from tests.replay.replays import GAMES
from tests.server.conftest import Open
from tools.serving import served

pytestmark = pytest.mark.toolchain

PAGES = (
    *("/", "/tournaments/1", "/tournaments/2", "/matches?tournament=1&fault=any", "/bots", "/bots/a", "/failures"),
    *installed.of("insight", "/tournaments/1/why/0", "/tournaments/1/why/3"),
    *("/matches/6/compare?with=5", "/matches/6/compare?with=5,7,8#moves=9,9,9,9&seat=2&view=own"),
    *("/matches/4#move=5", "/matches/1#move=20&seat=2", "/matches/1#move=999", "/play", "/play/cambio"),
    *("/join", "/matches/1/sheet", "/rules/scopa", "/leagues"),
    *(f"/matches/{49 + n}#move=7" for n in range(len(GAMES))),
)
REPLAYS = {f"/matches/{49 + n}#move=7" for n in range(1, len(GAMES))}
"""Pages that differ from others by their game alone."""
SIGNED_OUT = ("/sign-in", "/matches")
REFUSED = (
    *(("/nowhere", 404), ("/matches/999", 404), ("/bots/nobody", 404), ("/hand-ins/1", 403)),
    *(("/matches/60", 403), ("/submit", 403), ("/matches/1/tables?first=x", 400)),
)
"""What is asked for in vain by visitors, and the status of the answer."""

AUDIT = (Path(__file__).parent / "audit.js").read_text("utf-8")
"""A function that tells what is wrong with a page: a list of sentences."""


AXE = {"preload": False, "resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""Options of axe-core: its rule on the size of targets (WCAG 2.2, 2.5.8) is off by default. It would load style
sheets again, which the pages of a static site do not allow."""


PHONE = {"width": 390, "height": 844}


def audited(page: Any) -> list[str]:
    """Return what is wrong with a page as it is shown: what AUDIT finds, and what axe-core does."""
    if page.locator("#replay").count():
        page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
        page.evaluate("() => { document.getElementById('output').open = true; }")
    for summary in page.locator("details:not([open]) > summary:visible").all():
        summary.click()
    found: list[str] = page.evaluate(AUDIT)
    return found + violations(page)


def audited_in_both(page: Any) -> list[str]:
    """Return what is wrong with a page that cannot be loaded again, in light, in which it is left, and in dark."""
    found = audited(page)
    page.emulate_media(color_scheme="dark")
    found += [f"in the dark: {told}" for told in audited(page)]
    page.emulate_media(color_scheme="light")
    return found


def reached_in_both(page: Any) -> None:
    """Check by keyboard a page that cannot be loaded again, in dark and in light, in which it is left."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        reached(page)


def violations(page: Any) -> list[str]:
    """Return the violations that axe-core finds, a line for each element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: make deps-all")
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished))")
    response = axe.Axe().run(page, options=AXE).response
    return [
        f"axe {rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in response["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible(visit: Open, address: str, path: str) -> None:
    """In light and in dark, and on a phone: in one window, as a new one takes longer than the page."""
    page = visit(address + path, color_scheme="light")
    assert audited(page) == []
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert audited(page) == [], "in the dark"
    if path not in REPLAYS:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)
        page.reload()
        assert audited(page) == [], "on a phone"


def test_a_running_match_is_accessible(visit: Open, address: str) -> None:
    page = visit(f"{address}/play/perudo", color_scheme="light")
    page.click("button.main")
    page.wait_for_selector("#moves button:not([disabled])")
    assert audited_in_both(page) == []
    page.click("#leave")
    page.wait_for_url("**/play")


@pytest.fixture(scope="module")
def house(database: Path) -> Iterator[str]:
    """Serve the pages to visitors, who may sign in."""
    with served(database, "--sign-in") as server:
        yield server.address


@pytest.mark.parametrize("path", SIGNED_OUT)
def test_pages_of_visitors_are_accessible(visit: Open, house: str, path: str) -> None:
    page = visit(house + path)
    assert audited(page) == []


@pytest.mark.parametrize(("path", "status"), REFUSED)
def test_an_error_page_is_accessible(visit: Open, house: str, path: str, status: int) -> None:
    page = visit(house + path, refused=status, color_scheme="light")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        assert audited(page) == [], scheme
        reached(page)


def test_messages_about_wrong_tokens_are_accessible(visit: Open, serve: Any, database: Path) -> None:
    address = serve(database, "--sign-in")

    def tried(status: int) -> Any:
        page = visit(f"{address}/sign-in", refused=status, color_scheme="light")
        page.fill("input[name=token]", "wrong")
        page.click("button.main")
        page.wait_for_function("() => document.querySelector('.fault, .trouble .sentence')")
        return page

    page = tried(403)
    assert "the token is unknown" in page.text_content("[role=alert]")
    assert audited_in_both(page) == []
    reached_in_both(page)
    for _ in range(9):
        page.request.post(f"{address}/sign-in", form={"token": "wrong"}, headers={"sec-fetch-site": "same-origin"})
    page = tried(429)
    assert "too many wrong tokens" in page.text_content("main")
    assert audited_in_both(page) == []


def test_submitting_a_bot_is_accessible(visit: Open, serve: Any, tmp_path: Path) -> None:
    path, bad = tmp_path / "own.db", tmp_path / "bad.py"
    bad.write_text("import os\nprint('no bot')\n")
    made = [sys.executable, "-m", "arena", "accounts", "create", "club", "--db", str(path)]
    token = subprocess.run(made, check=True, capture_output=True, text=True, timeout=60).stdout.strip()
    page = visit(f"{serve(path, '--sign-in')}/sign-in", color_scheme="light")
    page.fill("input[name=token]", token)
    page.click("button.main")
    page.wait_for_url("**/submit")
    assert audited_in_both(page) == []
    page.fill("#name", "club/owl")
    page.set_input_files("#file", str(bad))
    page.click("#send")
    page.wait_for_selector("#verdict.refused")
    assert page.locator("#steps tr").count() > 0
    assert "no bot" in page.text_content("#output")
    assert audited_in_both(page) == []
    reached_in_both(page)
    page.click("text=all hand-ins")
    page.wait_for_url("**/hand-ins")
    assert audited_in_both(page) == []
    page.click("nav >> text=club")
    page.wait_for_url("**/sign-in")
    assert audited_in_both(page) == []


@pytest.mark.parametrize("path", ["/", "/bots/b", "/tournaments/1", "/matches/1", "/play/perudo"])
def test_every_control_is_reached_by_keyboard_with_visible_focus(visit: Open, address: str, path: str) -> None:
    page = visit(address + path)
    if path == "/matches/1":
        page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    reached(page)


def reached(page: Any) -> None:
    """Go through the controls of a page by Tab, and see that none is left out and each shows that it has the focus."""
    wanted = page.evaluate(AUDIT, "count")
    met: set[int] = set()
    for _ in range(2 * wanted + 5):  # from where the focus was to the end, and from the beginning
        page.keyboard.press("Tab")
        told = page.evaluate("""() => {
            const now = document.activeElement;
            const look = getComputedStyle(now);
            return [now.dataset.reached, look.outlineStyle, parseFloat(look.outlineWidth)];
        }""")
        if told[0] is None:
            continue
        assert told[1] != "none"
        assert told[2] >= 2, f"control {told[0]} does not show that it has the focus"
        met.add(int(told[0]))
        if len(met) == wanted:
            break
    assert met == set(range(wanted))


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a bot that has played in three tournaments, in the last one as a new version."""
    path = tmp_path_factory.mktemp("grown") / "grown.db"
    with open_store(path, create=True) as store:
        first = played.tournament(CAMBIO, matches=40)
        newer = (replace(first.entrants[0], sha256="1" * 64), *first.entrants[1:])
        for begin, field in ((0, first.entrants), (40, first.entrants), (80, newer)):
            number = store.add_tournament(replace(first, entrants=field))
            store.add_matches(
                number, [replace(played.match(CAMBIO, n), number=n - begin) for n in range(begin, begin + 40)]
            )
            store.finish_tournament(number)
    with served(path) as server:
        yield server.address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 360])
def test_elo_over_time_is_drawn(visit: Open, grown: str, width: int, scheme: str) -> None:
    page = visit(f"{grown}/bots/a", color_scheme=scheme, viewport={"width": width, "height": 800})
    drawing = page.locator("#elo-history svg.elo-chart")
    box = drawing.bounding_box()
    assert box["height"] >= 150
    assert drawing.locator("circle").count() == drawing.locator(".interval").count() == 4
    for point in drawing.locator("circle").all():
        at = point.bounding_box()
        assert box["x"] <= at["x"]
        assert at["x"] + at["width"] <= box["x"] + box["width"]
        assert box["y"] <= at["y"]
        assert at["y"] + at["height"] <= box["y"] + box["height"]
    ink, paper = page.evaluate("""() => [
        getComputedStyle(document.querySelector("#elo-history circle")).fill,
        getComputedStyle(document.getElementById("elo-history")).backgroundColor]""")
    assert ink != paper
    assert page.locator("#elo-history tbody tr").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert audited(page) == []
