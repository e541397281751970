"""Chances to win on request: who may ask, how often, and what becomes of a request."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from arena_insight import analysis_queue
from arena_insight.analysis import playouts
from arena_insight.analysis_queue import AnalysisQueue
from arena_insight.analysis_tasks import ChancesTask
from arena_insight.stored_chances import StoredChances
from starlette.exceptions import HTTPException

from arena.server.access import Access, account_access
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, AccountRow
from referee.games.cambio import CAMBIO
from referee.games.hypp import HYPP
from tests import played
from tests.server.conftest import PATIENCE, Client, Open
from tools.serving import served


def author(name: str) -> Access:
    return account_access(AccountRow(name, AUTHOR, "0" * 64, "2026-01-01T00:00:00+00:00"))


CLUB = author("club")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    """Match 1 of Hypp, and the matches 2 to 9 of a tournament of Cambio that is not over."""
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.add_single(played.tournament(HYPP, bots=5, matches=1), played.match(HYPP, seats=5, bots=5))
        store.add_matches(store.add_tournament(played.tournament(CAMBIO, matches=8)), [played.match(CAMBIO)])
        yield store


def test_who_may_ask(own: Store) -> None:
    address = "/matches/1/analysis"
    visitor, author, organiser = (Client(own, access) for access in (Access(organiser=False), CLUB, Access()))
    assert visitor.post(address).status_code == 403
    assert author.post(address, "cross-site").status_code == 403
    assert author.post("/matches/2/analysis").status_code == 403
    assert visitor.get("/matches/2/analysis").status_code == 403
    assert author.post("/matches/99/analysis").status_code == 404
    for seat in ("5", "x", "-1"):
        assert author.post(address, data={"seat": seat}).status_code == 400
    assert visitor.get(address).json() == {"state": "none"}
    waiting = {"state": "waiting", "done": 0, "total": 0, "unit": "moves", "before": 0}
    asked = author.post(address)
    assert (asked.status_code, asked.json()) == (202, waiting)
    assert author.get(address).json() == waiting
    assert author.post(address, data={"seat": "2"}).json() == waiting | {"before": 1}
    assert author.post(address).json() == waiting
    assert organiser.post("/matches/2/analysis").status_code == 202
    assert ["estimate chances to win" in client.get("/matches/1").text for client in (visitor, author)] == [False, True]


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(HTTPException) as caught:
        call()
    return caught.value.status_code, caught.value.detail


def ask(queue: AnalysisQueue, store: Store, access: Access, match: int, seat: int | None = None) -> None:
    queue.add((match, seat), access, ChancesTask(store, match, seat))


def test_the_queue_and_each_account_have_limits(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = AnalysisQueue()
    for number in range(analysis_queue.MOST_WAITING + 1):
        ask(queue, own, author(f"club{number}"), number)
    assert refused(lambda: ask(queue, own, Access(), 99)) == (
        503,
        "too many analyses wait: try again in some minutes",
    )
    ask(queue, own, CLUB, 1)
    queue = AnalysisQueue()
    for number in range(analysis_queue.AT_ONCE):
        ask(queue, own, CLUB, number)
    assert refused(lambda: ask(queue, own, CLUB, 99)) == (
        429,
        "you may have 3 analyses at a time: wait for one of them",
    )
    ask(queue, own, author("lab"), 99)
    monkeypatch.setattr(analysis_queue, "PER_DAY", 2)
    queue = AnalysisQueue()
    ask(queue, own, CLUB, 1)
    ask(queue, own, CLUB, 1, 0)
    assert refused(lambda: ask(queue, own, CLUB, 1, 1)) == (429, "you may have 2 analyses a day: wait a while")
    ask(queue, own, CLUB, 1, 0)
    ask(queue, own, Access(), 1, 1)


@pytest.mark.processes
def test_requests_are_computed_one_after_the_other_and_stored(own: Store) -> None:
    queue = AnalysisQueue()

    async def play() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(queue.run)
            with trio.fail_after(300):
                for match in (99, 1):
                    ask(queue, own, Access(), match)
                while queue.state((1, None)) is not None:
                    await trio.testing.wait_all_tasks_blocked(0.01)
            nursery.cancel_scope.cancel()

    trio.run(play)
    failed = queue.state((99, None))
    assert failed is not None
    assert (failed["state"], failed["sentence"]) == ("failed", "the match is no longer stored")
    stored = StoredChances(own).best(own.match(1), None, HYPP.behaviour)
    assert stored is not None
    assert (stored["policy"], stored["playouts"]) == ("banker", playouts.PLAYOUTS)
    assert Client(own, CLUB).post("/matches/1/analysis").json() == {"state": "stored"}


@pytest.mark.processes
def test_a_server_that_stops_ends_the_analysis(own: Store) -> None:
    queue = AnalysisQueue()

    async def stop() -> None:
        with trio.fail_after(300):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(queue.run)
                ask(queue, own, Access(), 1)
                while (state := queue.state((1, None))) is not None and state["state"] == "waiting":
                    await trio.testing.wait_all_tasks_blocked(0.01)
                nursery.cancel_scope.cancel()

    trio.run(stop)
    assert StoredChances(own).best(own.match(1), None, HYPP.behaviour) is None


@pytest.mark.toolchain
def test_the_menu_has_the_chances_estimated(visit: Open, own: Store, tmp_path: Path) -> None:
    with served(tmp_path / "arena.db") as server:
        page = visit(f"{server.address}/matches/1#move=3")
        page.wait_for_selector("#ribbon .score", state="attached")
        page.click("#more")
        page.click("#analyse button")
        page.wait_for_selector("#ribbon .chance", state="attached", timeout=2 * PATIENCE)
        assert page.input_value("#number") == "3"
        assert "chance to win" in page.get_attribute("#scrub", "aria-valuetext")
        page.close()
