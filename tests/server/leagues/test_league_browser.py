"""Pages of leagues in a real browser: accessible, on phones, and live while a league is played."""

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.league.announcements.control import announce
from arena.league.dates.control import GivenDates, set_dates
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.run.remote.tokens import token_hash
from arena.store import open_store
from tests import installed, leagues
from tests.server.conftest import PATIENCE, Open, Serve
from tests.server.test_accessible import audited, audited_in_both
from tools.serving import served

pytestmark = pytest.mark.toolchain

PAGES = ("/", "/leagues", "/leagues/spring", "/leagues/spring?state=all&q=a", "/leagues/spring/batches",
         "/leagues/spring/batches/1", "/leagues/spring/entries/1", "/leagues/spring/entries/5",
         "/leagues/spring/entries/6", "/leagues/spring/entries/7", "/matches?league=spring",
         *installed.of("insight", "/leagues/spring/entries/5/why"))  # fmt: skip

SIZES = ((1440, 900), (1280, 720), (390, 844))


@pytest.fixture(scope="module")
def address(league_database: Path) -> Iterator[str]:
    with served(league_database, "--public") as server:
        yield server.address


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_a_league_is_accessible_and_no_wider_than_the_screen(visit: Open, address: str, path: str) -> None:
    page = visit(f"{address}{path}", color_scheme="light")
    assert audited(page) == []
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert audited(page) == [], "in the dark"
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


ORGANISERS = ("/leagues/spring", "/leagues/spring?group=B", "/leagues/spring/announcements", "/leagues/spring/dates",
              "/leagues/spring/dates?lang=ko", "/leagues/spring/announcements?lang=ja", "/leagues/cup/divisions",
              "/leagues/cup/divisions?lang=ko", "/status?lang=en", "/status?lang=ja", "/hand-ins")  # fmt: skip


def test_what_organisers_see_is_accessible_and_no_wider_than_the_screen(visit: Open, serve: Serve, own: Path) -> None:
    with open_store(own, write=True) as store:
        for name, role in (("club", "author"), ("ann", "organiser")):
            store.accounts.add(name, role, token_hash(name))
        store.accounts.describe("club", display_name="Müller, Jörg", group="B")
        announce(store, "spring", f"The hall is H2: https://example.org/{'long-' * 20}", "ann")
        deadline, ends = (f"{date.today() + timedelta(days=days)}T18:00" for days in (100, 101))
        dates = GivenDates(deadline=deadline, ends=ends, timezone="Europe/Berlin")
        set_dates(store, "spring", dates, "ann")
        leagues.cambio(store, "cup", divisions=2)
    page = visit(f"{serve(own, '--sign-in')}/sign-in", color_scheme="light")
    page.fill("input[name=token]", "ann")
    page.click("button.main")
    server = page.url.removesuffix("/")
    for path in ORGANISERS:
        assert page.goto(f"{server}{path}").ok, path
        assert audited_in_both(page) == [], path
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)


@pytest.mark.parametrize("path", ["/leagues/spring?state=all", "/leagues/spring/seasons/1"])
def test_a_table_with_long_names_fits_on_a_phone(visit: Open, serve: Serve, own: Path, path: str) -> None:
    name = f"{'long' * 8}/{'name' * 8}"
    with sqlite3.connect(own) as connection:
        connection.execute("UPDATE submissions SET name = ? WHERE name = 'club/owl'", [name])
        connection.execute("UPDATE entries SET name = replace(name, 'club/owl', ?)", [name])
    with open_store(own, write=True) as store:
        leagues.end_first_season(store, Leagues(store).named("spring"))
    page = visit(f"{serve(own, '--public')}{path}", viewport={"width": 390, "height": 844})
    assert page.get_by_text(name).count()
    fits = "[...document.querySelectorAll('.wide')].every((table) => table.scrollWidth <= table.clientWidth)"
    assert page.evaluate(fits), "no column is cut off"


def test_a_board_works_without_scripts(visit: Open, address: str) -> None:
    page = visit(f"{address}/leagues/spring", java_script_enabled=False)
    page.select_option("select[name=state]", "all")
    page.fill("input[name=q]", "owl")
    page.click("button.main")
    assert page.locator("#rows tr").count() == 2


@pytest.fixture
def own(league_database: Path, tmp_path: Path) -> Path:
    """A copy of the league that a test may play on."""
    return Path(shutil.copy(league_database, tmp_path / "own.db"))


def test_a_board_follows_its_league(visit: Open, serve: Serve, own: Path) -> None:
    page = visit(f"{serve(own, '--public')}/leagues/spring")
    facts = page.text_content("#facts")
    rows = page.locator("#rows tr")
    known = rows.count()
    page.locator("#rows tr").first.locator("a").first.focus()
    focused = page.evaluate("document.activeElement.getAttribute('href')")
    with open_store(own, write=True) as store:
        league = Leagues(store).named("spring")
        Batches(store).give_back_all(Batches(store).unplayed(league.id)[0].runner)
        leagues.play(store, 2)
        page.wait_for_function("words => document.getElementById('facts').textContent !== words", arg=facts)
        assert page.evaluate("document.activeElement.getAttribute('href')") == focused
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "town/jay")), "ann")
        page.wait_for_selector("#rows tr:has-text('town/jay')", timeout=PATIENCE)
        assert rows.count() == known + 1
        Leagues(store).change_entry(league.id, 7, "retired", "ann", "enough")
        page.wait_for_function("() => !document.getElementById('entry-7')")
        assert rows.count() == known
        numbers = [row.get_attribute("id") for row in rows.all()]
    page.reload()
    assert [row.get_attribute("id") for row in rows.all()] == numbers


def test_a_batch_is_followed_to_its_end(visit: Open, serve: Serve, own: Path) -> None:
    with open_store(own, write=True) as store:
        league = Leagues(store).named("spring")
        LeagueScheduler(store, str(own), league).update()
        for runner in {row.runner for row in Batches(store).unplayed(league.id)}:
            Batches(store).give_back_all(runner)
        number = Batches(store).unplayed(league.id)[0].number
        page = visit(f"{serve(own, '--public')}/leagues/spring/batches/{number}")
        assert "is stored" not in page.text_content("#state")
        while all(row.number != number or row.state != "stored" for row in Batches(store).of(league.id)):
            leagues.play(store, 1)
    page.wait_for_selector("#state:has-text('is stored')", timeout=PATIENCE)
    page.wait_for_selector("#tables:has-text('table 1')")


def test_a_board_is_loaded_again_where_too_much_has_changed(visit: Open, serve: Serve, own: Path) -> None:
    page, held = visit("about:blank"), list[Any]()
    page.add_init_script("Math.random = () => 0")
    page.route("**/events?*", lambda route: held.append(route), times=1)
    with page.expect_request("**/events?*"):  # a page has loaded before its connection is asked for
        page.goto(f"{serve(own, '--public')}/leagues/spring?q=owl")
    page.evaluate("document.getElementById('facts').textContent = 'old'")
    page.evaluate("document.getElementById('rows').replaceChildren()")
    while not held:
        page.evaluate("0")
    held[0].fulfill(body="id: x\nevent: stale\ndata: {}\n\n", content_type="text/event-stream")
    page.wait_for_selector("#rows tr:has-text('club/owl')")
    assert page.text_content("#facts") != "old"
