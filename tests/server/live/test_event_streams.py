"""Event streams: they end when who opened them may see no more, and nobody can take all of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from starlette.exceptions import HTTPException

from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.league.account_closing import close_account
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR
from arena.server.accounts.proxy_sign_in import ProxySignIn
from arena.server.live.event_streams import (
    ACCOUNT_STREAMS,
    HEARTBEAT,
    RECHECK_SECONDS,
    STREAMS,
    VISITOR_STREAMS,
    StreamCounter,
    Viewer,
    _is_valid,
)
from arena.server.requests.proxies import TrustedProxies
from arena.server.site import application
from arena.store import Store, StoreError, open_store
from tests import leagues

LIMIT = RECHECK_SECONDS + HEARTBEAT + 5
"""Seconds after which a revoked stream must have ended."""

TOKEN, SECRET = "account-token", "scoped-token"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        opened.accounts.add("club", "author", token_hash(TOKEN))
        opened.account_tokens.add("club", "ci", ("read", "submit"), token_hash(SECRET), None)
        HandIns(opened).receive("club", "club/owl", "owl.py", b"x")
        leagues.cambio(opened)
        yield opened


@pytest.fixture
def autojump_clock() -> trio.testing.MockClock:
    """Jumps when nothing has happened for 2 ms: at once it would ask all the time, while a thread asks the database."""
    return trio.testing.MockClock(autojump_threshold=0.002)


@pytest.fixture
def site(store: Store) -> Any:
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    proxy = ProxySignIn(store, "x-user", TrustedProxies([ip_network("10.0.0.5")]), print)
    return application(store, VISITOR, hand_ins=worker, proxy=proxy)


class Stream:
    """An open stream. Nothing here sleeps: the clock would jump while threads ask the database.

    status: of the answer.
    parts: those that have come.
    over: set when it has ended.
    """

    def __init__(
        self, site: Any, path: str, headers: dict[str, str], client: str = "192.0.2.1", method: str = "GET"
    ) -> None:
        self._site = site
        self._scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in ({"host": "arena"} | headers).items()],
            "client": (client, 1),
            "server": ("arena", 80),
        }
        self.status = 0
        self.parts: list[bytes] = []
        self.changed = trio.Event()
        self.over = trio.Event()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        async def receive() -> dict[str, Any]:
            await trio.sleep_forever()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            self.status = message.get("status", self.status)
            if message.get("body"):
                assert trio.current_time() < 30 * LIMIT, "it goes on for ever"
                self.parts.append(message["body"])
                self.changed.set()
                self.changed = trio.Event()
                if len(self.parts) == 1:
                    task_status.started()

        await self._site(self._scope, receive, send)
        if not self.parts:
            task_status.started()
        self.over.set()

    async def wait_for(self, parts: int) -> None:
        """Wait until so many parts have come; most are comments."""
        while len(self.parts) < parts:
            await self.changed.wait()


def by_token(store: Store, site: Any) -> Stream:
    return Stream(site, "/api/v1/leagues/cambio/events", {"authorization": f"Bearer {SECRET}"})


def by_session(store: Store, site: Any) -> Stream:
    made: list[str] = []

    async def ask() -> None:
        import httpx

        async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://arena") as client:
            answer = await client.post("/sign-in", data={"token": TOKEN}, headers={"sec-fetch-site": "same-origin"})
        made.append(answer.headers["set-cookie"].partition(";")[0])

    trio.from_thread.run(ask)
    return Stream(site, "/hand-ins/1/events", {"cookie": made[0]})


def by_proxy(store: Store, site: Any) -> Stream:
    store.accounts.of_login("club", "club", sha256=None)
    return Stream(site, "/hand-ins/1/events", {"x-user": "club"}, "10.0.0.5")


def revoke_token(store: Store) -> None:
    [row] = store.account_tokens.all("club")
    assert store.account_tokens.revoke(row.id)


@pytest.mark.parametrize(
    ("opened", "end"),
    [
        (by_token, revoke_token),
        (by_token, lambda store: store.accounts.reset("club", "0" * 64)),
        (by_token, lambda store: close_account(store, "club")),
        (by_session, lambda store: store.accounts.reset("club", "0" * 64)),
        (by_session, lambda store: store.accounts.remove("club")),
        (by_proxy, lambda store: store.accounts.remove("club")),
    ],
)
async def test_a_stream_ends_soon_after_it_may_not_be_seen(
    store: Store,
    site: Any,
    opened: Callable[[Store, Any], Stream],
    end: Callable[[Store], object],
    autojump_clock: trio.testing.MockClock,
) -> None:
    stream = await trio.to_thread.run_sync(opened, store, site)
    async with trio.open_nursery() as nursery:
        await nursery.start(stream.run)
        await stream.wait_for(6)
        assert stream.status == 200
        assert trio.current_time() > 3 * RECHECK_SECONDS, "it goes on while it may be seen"
        end(store)
        revoked = trio.current_time()
        await stream.over.wait()
        assert trio.current_time() - revoked < LIMIT


async def test_a_stream_of_a_visitor_goes_on(store: Store, site: Any, autojump_clock: trio.testing.MockClock) -> None:
    stream = Stream(site, "/api/v1/leagues/cambio/events", {})
    async with trio.open_nursery() as nursery:
        await nursery.start(stream.run)
        close_account(store, "club")
        await stream.wait_for(20)
        assert trio.current_time() > 5 * LIMIT
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("path", ["/leagues/cambio/events", "/api/v1/leagues/cambio/events"])
async def test_head_of_a_stream_is_answered_at_once_and_holds_no_place(
    site: Any, path: str, autojump_clock: trio.testing.MockClock
) -> None:
    for _ in range(VISITOR_STREAMS + 1):
        stream = Stream(site, path, {}, method="HEAD")
        await stream.run()
        assert (stream.status, stream.parts) == (200, [])


async def test_an_account_has_a_share_of_the_streams_wherever_it_asks_from(
    store: Store, site: Any, autojump_clock: trio.testing.MockClock
) -> None:
    headers = {"authorization": f"Bearer {SECRET}"}
    path = "/api/v1/leagues/cambio/events"
    async with trio.open_nursery() as nursery:
        for number in range(ACCOUNT_STREAMS):
            stream = Stream(site, path, headers, f"192.0.2.{number}")
            await nursery.start(stream.run)
            assert stream.status == 200
        refused = Stream(site, path, headers, "198.51.100.1")
        await nursery.start(refused.run)
        assert refused.status == 503
        visitor = Stream(site, path, {}, "198.51.100.1")
        await nursery.start(visitor.run)
        assert visitor.status == 200
        nursery.cancel_scope.cancel()


def test_shares_are_given_back() -> None:
    counter = StreamCounter()
    for _round in range(2):
        with ExitStack() as streams:
            for number in range(ACCOUNT_STREAMS):
                streams.enter_context(counter.admit(f"192.0.2.{number}", "club"))
            with pytest.raises(HTTPException):
                streams.enter_context(counter.admit("198.51.100.1", "club"))
            for _ in range(VISITOR_STREAMS - 1):
                streams.enter_context(counter.admit("192.0.2.1"))
            with pytest.raises(HTTPException):
                streams.enter_context(counter.admit("192.0.2.1", "fox"))
            for number in range(STREAMS - ACCOUNT_STREAMS - VISITOR_STREAMS + 1):
                streams.enter_context(counter.admit(f"198.51.{number // 200}.{number % 200}", f"account{number}"))
            with pytest.raises(HTTPException):
                streams.enter_context(counter.admit("203.0.113.1", "elk"))
    assert counter.total == 0
    assert not counter._open._open


def test_while_the_database_cannot_be_used_a_stream_goes_on() -> None:
    def fails() -> bool:
        raise StoreError("the database is locked")

    assert _is_valid(Viewer("club", fails))
