"""The board of a group on pages, in files, in the feed, in the API and as events: for whom it is meant."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.groups import set_public
from arena.server.access import Access
from arena.store import Store, open_store
from tests.server.conftest import Client

JSON = "application/json"
SPRING = "/leagues/spring"
ADDRESSES = ("board.json?group=A", "board.csv?group=A", "?group=A", "feed.atom?group=A")


@pytest.fixture
def store(league_database: Path, tmp_path: Path) -> Iterator[Store]:
    path = shutil.copy(league_database, tmp_path / "arena.db")
    with open_store(path, write=True) as opened:
        for name, group in {"club": "A", "lab": "B-51"}.items():
            opened.accounts.add(name, "author", name.ljust(64, "0"))
            opened.accounts.describe(name, group=group)
        yield opened


def test_organisers_choose_a_group_and_others_once_it_is_shown(store: Store) -> None:
    organiser, visitor = Client(store, Access()), Client(store, Access(organiser=False))
    page = organiser.get(f"{SPRING}?group=A").text
    rows = page.partition('<tbody id="rows"')[2].partition("</tbody>")[0]
    assert rows.count("<tr") == 1
    assert rows.partition("</td>")[0].endswith('<td class="number">1')
    assert "in the group</th>" in page
    assert 'data-events="/leagues/spring/events?group=A"' in page
    assert f'href="{SPRING}/board.csv?group=A"' in page
    assert [row["owner"] for row in organiser.get(f"{SPRING}/board.json?group=A", JSON).json()["rows"]] == ["club"]
    assert 'name="group"' not in visitor.get(SPRING).text
    set_public(store, "spring", "ann", "", is_public=True)
    assert 'name="group"' in visitor.get(SPRING).text
    answer = visitor.get("/api/v1/leagues/spring/board?group=A", JSON).json()
    assert [(row["owner"], row["group_rank"]) for row in answer["rows"]] == [("club", 1)]
    assert visitor.get(f"{SPRING}?group=A").text.count("club/owl") >= 1


def test_a_group_that_a_visitor_may_not_see_is_as_one_that_nobody_has(store: Store) -> None:
    visitor = Client(store, Access(organiser=False))
    for address in ADDRESSES:
        hidden = visitor.get(f"{SPRING}/{address}".replace("/?", "?"))
        unknown = visitor.get(f"{SPRING}/{address}".replace("/?", "?").replace("group=A", "group=Q"))
        assert hidden.text.replace("group=A", "group=Q").replace(", A:", ", Q:").replace('"A"', '"Q"') == unknown.text
        assert "B-51" not in hidden.text
    assert visitor.get("/api/v1/leagues/spring/board?group=A", JSON).json()["rows"] == []
    assert visitor.get(f"{SPRING}/events?group=A").status_code == 404
    assert "B-51" not in visitor.get(SPRING).text


def test_the_feed_of_a_group_is_about_its_entries(store: Store) -> None:
    organiser = Client(store, Access())
    feed = organiser.get(f"{SPRING}/feed.atom?group=A").text
    assert "club/owl" in feed
    assert "lab/crow@1 enters" not in feed
    assert "lab/crow@1 enters" in organiser.get(f"{SPRING}/feed.atom").text
