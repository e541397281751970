"""Downloads of tables that are sent to slow readers."""

from collections.abc import Iterator
from typing import Any

import pytest
import trio
import trio.testing
from starlette.types import Message

from arena.server.access import VISITOR
from arena.server.site import application
from arena.server.tournaments import downloads
from arena.store import Store


class Reader:
    """Whoever downloads a table.

    taken: the bytes that came.
    reads: set once they read on after the first part.
    """

    def __init__(self, site: Any, address: str) -> None:
        self.status = 0
        self.taken = 0
        self.reads = trio.Event()
        self._site = site
        self._address = address

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Ask for the table; it has started once its first part or the refusal came."""
        path = "/tournaments/1/matches.csv"
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
        }
        scope |= {"headers": [], "client": (self._address, 1), "server": ("arena", 80), "scheme": "http"}
        scope |= {"asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1"}
        requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            if (request := next(requests, None)) is None:
                await trio.sleep_forever()
            return request or {}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                return
            if not self.taken:
                task_status.started()
            self.taken += len(message["body"])
            await self.reads.wait()

        await self._site(scope, receive, send)


@pytest.fixture
def site(store: Store, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A site whose table of a tournament has three parts."""

    def parts(*_arguments: Any, **_named: Any) -> Iterator[bytes]:
        yield from [b"1,2,3\n"] * 3

    monkeypatch.setattr(downloads, "results_csv", parts)
    return application(store, VISITOR)


async def test_slow_readers_keep_nobody_else_from_the_tables(site: Any) -> None:
    async with trio.open_nursery() as nursery:
        slow = [Reader(site, "192.0.2.1") for _ in range(downloads.VISITOR_DOWNLOADS)]
        for reader in slow:
            await nursery.start(reader.run)
        assert {reader.status for reader in slow} == {200}
        one_more, other = Reader(site, "192.0.2.1"), Reader(site, "192.0.2.2")
        for reader in (one_more, other):
            reader.reads.set()
            await reader.run()
        assert (one_more.status, other.status, other.taken) == (503, 200, 18)
        for reader in slow:
            reader.reads.set()
    assert {reader.taken for reader in slow} == {18}
    await one_more.run()
    assert one_more.status == 200, "what was sent whole counts no more"


async def test_tables_that_are_sent_are_limited_in_all(site: Any) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(downloads.DOWNLOADS):
            await nursery.start(Reader(site, f"192.0.2.{number}").run)
        refused = Reader(site, "198.51.100.1")
        refused.reads.set()
        await refused.run()
        assert refused.status == 503
        nursery.cancel_scope.cancel()
