"""The status page in a real browser: it follows what happens, and asks seldom."""

import shutil
from pathlib import Path

import pytest

from arena.league.store.leagues import Leagues
from arena.run.remote.tokens import token_hash
from arena.store import open_store
from tests.server.conftest import Open, Serve
from tests.server.test_accessible import audited_in_both

pytestmark = pytest.mark.toolchain

PHONE = {"width": 390, "height": 844}


def test_the_page_follows_what_happens_and_asks_only_while_it_is_seen(
    visit: Open, serve: Serve, league_database: Path, tmp_path: Path
) -> None:
    own = Path(shutil.copy(league_database, tmp_path / "own.db"))
    with open_store(own, write=True) as store:
        store.accounts.add("ann", "organiser", token_hash("ann"))
    page = visit(f"{serve(own, '--sign-in')}/sign-in", color_scheme="light", viewport=PHONE)
    page.fill("input[name=token]", "ann")
    page.click("button.main")
    page.clock.install()
    page.goto(f"{page.url.removesuffix('/')}/status?lang=en")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/status" in request.url else None)
    link = page.locator("#leagues a").first
    link.focus()
    page.clock.fast_forward(14_000)
    assert asked == []
    with open_store(own, write=True) as store:
        Leagues(store).set_state(Leagues(store).named("spring").id, "paused", "ann")
    page.clock.fast_forward(2_000)
    page.wait_for_selector("#leagues:has-text('paused')")
    assert len(asked) == 1
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/leagues/spring"
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.fast_forward(600_000)
    assert len(asked) == 1, "nobody looks"
    assert audited_in_both(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
