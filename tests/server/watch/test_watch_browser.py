"""The live page in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.conftest import PATIENCE, Open
from tests.server.test_accessible import audited, reached
from tools.serving import served

pytestmark = pytest.mark.toolchain

SIZES = ((1440, 900), (1280, 720), (390, 844))


@pytest.fixture(scope="module")
def address(league_database: Path) -> Iterator[str]:
    with served(league_database, "--public") as server:
        yield f"{server.address}/leagues/spring/live"


def test_cards_move_until_the_match_is_over_and_stop_on_demand(visit: Open, address: str) -> None:
    page = visit(f"{address}?tables=2")
    page.wait_for_selector(".tables .place")
    assert "match" in page.inner_text("section:nth-of-type(1) .match")
    assert "ago" in page.inner_text("section:nth-of-type(1) .when")
    before = page.inner_html(".tables")
    page.wait_for_function("before => document.querySelector('.tables').innerHTML !== before", arg=before)
    page.click("#pause")
    assert page.get_attribute("#pause", "aria-pressed") == "true"
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished))")
    stopped = page.inner_text(".tables")
    page.wait_for_timeout(1500)
    assert page.inner_text(".tables .table") in stopped
    page.select_option("#speed", "4")
    page.click("#pause")
    page.wait_for_function("() => document.querySelector('.result').textContent.startsWith('1. ')", timeout=PATIENCE)


def test_the_page_is_accessible_and_fits_all_sizes(visit: Open, address: str) -> None:
    page = visit(f"{address}?tables=4", color_scheme="light")
    page.wait_for_selector(".tables .place")
    page.click("#pause")
    assert audited(page) == []
    page.emulate_media(color_scheme="dark")
    assert audited(page) == [], "in the dark"
    reached(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_who_prefers_less_motion_sees_one_step_for_each_move(visit: Open, address: str) -> None:
    page = visit(f"{address}?tables=1", reduced_motion="reduce")
    page.wait_for_selector(".tables .place")
    assert not page.locator(".flying").count()
