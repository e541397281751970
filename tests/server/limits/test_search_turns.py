"""Few searches run at a time, and fewer of each visitor."""

from collections import Counter
from functools import partial
from pathlib import Path
from threading import Barrier, Lock
from urllib.parse import quote

import pytest
import trio

from arena.server.access import Access
from arena.server.limits.search_turns import SEARCHES, VISITOR_SEARCHES, SearchTurns
from arena.store import open_store
from tests.server.conftest import Client


class Searches:
    """Searches that tell how many of each visitor run at a time.

    together: so many wait for each other.
    """

    def __init__(self, together: int) -> None:
        self.most = Counter[str]()
        self._running = Counter[str]()
        self._lock = Lock()
        self._together = Barrier(together)

    def search(self, visitor: str) -> str:
        with self._lock:
            self._running.update((visitor, "all"))
            self.most |= self._running
        self._together.wait(60)
        with self._lock:
            self._running.subtract((visitor, "all"))
        return visitor


async def test_visitors_share_the_turns() -> None:
    turns, searches, found = SearchTurns(), Searches(SEARCHES), Counter[str]()

    async def ask(visitor: str) -> None:
        found[await turns.run(visitor, partial(searches.search, visitor))] += 1

    async with trio.open_nursery() as nursery:
        for visitor in ("ann", "bob"):
            for _ in range(2 * VISITOR_SEARCHES):
                nursery.start_soon(ask, visitor)
    assert found == dict.fromkeys(("ann", "bob"), 2 * VISITOR_SEARCHES)
    assert searches.most.pop("all") == SEARCHES
    assert set(searches.most.values()) == {VISITOR_SEARCHES}
    assert turns._own == {}, "nothing is kept of who does not search"


async def test_a_search_that_fails_ends_its_turn() -> None:
    turns = SearchTurns()
    for _ in range(SEARCHES + 1):
        with pytest.raises(ZeroDivisionError):
            await turns.run("ann", lambda: 1 / 0)
    assert await turns.run("ann", lambda: 7) == 7


@pytest.mark.parametrize("path", ["/matches?bot=nobody", f"/bots/{quote('samples/owl')}", "/api/v1/matches?bot=nobody"])
def test_pages_and_the_api_search_in_turn(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    run = SearchTurns.run

    async def counted(turns: SearchTurns, visitor: str, search: object) -> object:
        asked.append(visitor)
        return await run(turns, visitor, search)  # type: ignore[arg-type]

    monkeypatch.setattr(SearchTurns, "run", counted)
    with open_store(tmp_path / "arena.db", create=True) as store:
        Client(store, Access(organiser=False)).get(path, accept="*/*")
    assert len(asked) == 1
