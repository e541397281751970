"""Tables that are sorted in a real browser, by mouse and keyboard, while they are kept up to date."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import leagues, played
from tests.server.conftest import Open, Serve
from tests.server.test_accessible import audited

pytestmark = pytest.mark.toolchain


def column(table: Any, number: int) -> list[str]:
    return [text.strip() for text in table.locator(f"tbody tr > :nth-child({number})").all_text_contents()]


def test_a_ranking_is_sorted_by_click_and_by_key(visit: Open, address: str) -> None:
    page = visit(f"{address}/tournaments/1")
    table = page.locator("#ranking table")
    places = column(table, 8)
    table.get_by_role("button", name="mean place").click()
    assert column(table, 8) == sorted(places, key=float), "as the server has it, or the other way round"
    heading = table.get_by_role("columnheader", name="mean place")
    before = heading.get_attribute("aria-sort")
    page.keyboard.press("Enter")
    assert {before, heading.get_attribute("aria-sort")} == {"ascending", "descending"}
    assert column(table, 8) == sorted(places, key=float, reverse=heading.get_attribute("aria-sort") == "descending")
    table.get_by_role("button", name="bot").click()
    assert column(table, 2) == sorted(column(table, 2), key=str.lower)
    assert page.locator("#ranking [aria-sort]").count() == 1
    assert audited(page) == []


def test_of_two_columns_with_one_heading_the_pressed_one_is_sorted(visit: Open, address: str) -> None:
    page = visit(f"{address}/tournaments/1")
    table = page.locator("#ranking table")
    table.get_by_role("button", name="± 95 %").last.click()
    directions = table.get_by_role("columnheader").evaluate_all("all => all.map((th) => th.getAttribute('aria-sort'))")
    assert [place for place, direction in enumerate(directions) if direction] == [6]


VALUES = [("980 of 1,000", 980), ("1,234 of 2,000", 1234), ("20 of 20", 20), ("-", None)]


def test_how_many_of_how_many_is_sorted_as_a_number(visit: Open, address: str) -> None:
    page = visit(f"{address}/bots/a")
    page.evaluate(
        """values => {
            const wide = document.createElement("div");
            wide.innerHTML = "<table data-sortable><thead><tr><th>matches</th></tr></thead><tbody></tbody></table>";
            for (const [text, number] of values) {
                const cell = wide.querySelector("tbody").insertRow().insertCell();
                cell.textContent = text;
                if (number !== null) cell.dataset.sort = number;
            }
            document.querySelector("main").append(wide);
        }""",
        VALUES,
    )
    table = page.locator("main > div:last-child table")
    table.get_by_role("button", name="matches").click()
    assert column(table, 1) == ["1,234 of 2,000", "980 of 1,000", "20 of 20", "-"]


def test_numbers_are_sorted_as_numbers_and_gaps_come_last(visit: Open, address: str) -> None:
    page = visit(f"{address}/tournaments/1")
    table = page.locator("#crosstable table")
    table.get_by_role("button", name="1", exact=True).click()
    values = column(table, 2)
    assert values[-1] == "·"
    numbers = list(map(int, values[:-1]))
    assert numbers == sorted(numbers, reverse=True) or numbers == sorted(numbers)


def test_matches_are_sorted_by_their_number(visit: Open, address: str) -> None:
    page = visit(f"{address}/matches?tournament=1")
    table = page.locator(".sheet table")
    table.get_by_role("button", name="match", exact=True).click()
    numbers = list(map(int, column(table, 1)))
    assert numbers == sorted(numbers, reverse=True), "the largest numbers come first"
    table.get_by_role("button", name="match", exact=True).click()
    assert list(map(int, column(table, 1))) == sorted(numbers)
    table.get_by_role("button", name="faults").click()
    assert "timeout" in column(table, 6)[0]


def test_without_scripts_there_is_nothing_to_press(visit: Open, address: str) -> None:
    page = visit(f"{address}/tournaments/1", java_script_enabled=False)
    assert page.locator("th button").count() == 0


def test_a_live_ranking_keeps_the_chosen_order(visit: Open, serve: Serve, database: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(database, tmp_path / "own.db"))
    page = visit(f"{serve(own, '--public')}/tournaments/2")
    button = page.locator("#ranking").get_by_role("button", name="bot")
    button.click()
    button.click()
    names = column(page.locator("#ranking table"), 2)
    assert names == sorted(names, reverse=True)
    table = page.locator("#ranking table").element_handle()
    with open_store(own, write=True) as store:
        store.add_matches(2, [played.match(CAMBIO, n) for n in range(8, 24)])
    page.wait_for_function("(table) => !table.isConnected", arg=table)
    page.wait_for_selector("#ranking [aria-sort=descending]")
    assert column(page.locator("#ranking table"), 2) == names


def test_a_live_board_keeps_the_chosen_order(visit: Open, serve: Serve, league_database: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(league_database, tmp_path / "own.db"))
    page = visit(f"{serve(own, '--public')}/leagues/spring")
    board = page.locator("table.board")
    board.get_by_role("button", name="bot").click()
    names = column(board, 2)
    assert names == sorted(names, key=str.lower)
    facts = page.text_content("#facts")
    with open_store(own, write=True) as store:
        leagues.play(store, 2)
    page.wait_for_function("(before) => document.getElementById('facts').textContent !== before", arg=facts)
    assert column(board, 2) == names
    assert board.locator("[aria-sort=ascending]").count() == 1
