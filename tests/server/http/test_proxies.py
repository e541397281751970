"""A site behind a proxy."""

from collections.abc import AsyncIterator, Iterator
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
import trio

from arena.bots.hand_in_worker import HandInWorker
from arena.http.client_limits import HttpLimits
from arena.http.connection_registry import ConnectionRegistry
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR
from arena.server.requests.proxies import BehindProxy, PublicUrl, PublicUrlError, TrustedProxies
from arena.server.site import application
from arena.store import Store, open_store
from tests import leagues

PROXIES = TrustedProxies([ip_network("10.0.0.0/24"), ip_network("fd00::/64")])


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["6.6.6.6", "192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("::ffff:10.0.0.1", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.7, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("192.0.2.1", ["192.0.2.7"], "192.0.2.1"),
    ],
)
def test_the_client_is_the_last_address_that_a_proxy_has_written(peer: str, forwarded: list[str], client: str) -> None:
    assert PROXIES.client(peer, forwarded) == client


@pytest.mark.parametrize(
    "text",
    ["arena.example", "ftp://arena.example", "https://", "https://a@b", "https://a:x", "https://a/b", "https://a?b"]
    + ["https://a b", 'https://a"b', "https://a;b", "https://[::1"],
)
def test_what_is_no_address_of_a_site_is_refused(text: str) -> None:
    with pytest.raises(PublicUrlError, match=r"https://arena\.example\.org"):
        PublicUrl.parse(text)


def test_an_address_is_kept_without_its_slash() -> None:
    assert PublicUrl.parse("https://Arena.example:8443/") == PublicUrl(
        "https://Arena.example:8443", "https", "arena.example"
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        yield store


def site(store: Store, public_url: str | None) -> Any:
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    public = None if public_url is None else PublicUrl.parse(public_url)
    hosts = () if public is None else (public.host,)
    made = application(store, VISITOR, hosts=hosts, hand_ins=worker)
    made.add_middleware(BehindProxy, proxies=PROXIES, public_url=public)
    return made


async def ask(app: Any, method: str, path: str, host: str = "arena.example", **how: Any) -> httpx.Response:
    transport = httpx.ASGITransport(app, client=("10.0.0.1", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
        return await client.request(method, path, **how)


@pytest.mark.parametrize(
    ("public_url", "is_secure"), [("https://arena.example", True), ("http://arena.example", False), (None, False)]
)
def test_cookies_are_secure_behind_tls(store: Store, public_url: str | None, is_secure: bool) -> None:
    store.accounts.add("ann", "author", token_hash("token"))
    scheme = "https" if is_secure else "http"
    headers = {"origin": f"{scheme}://arena.example"}
    how: Any = {"data": {"token": "token"}, "headers": headers}

    async def sign_in() -> httpx.Response:
        return await ask(site(store, public_url), "POST", "/sign-in", **how)

    answer = trio.run(sign_in)
    assert answer.status_code == 303
    assert ("Secure" in answer.headers["set-cookie"]) is is_secure


def test_a_client_cannot_say_that_it_came_by_tls(store: Store) -> None:
    store.accounts.add("ann", "author", token_hash("token"))
    headers = {"sec-fetch-site": "same-origin", "x-forwarded-proto": "https"}

    async def sign_in() -> httpx.Response:
        return await ask(site(store, None), "POST", "/sign-in", data={"token": "token"}, headers=headers)

    assert "Secure" not in trio.run(sign_in).headers["set-cookie"]


def test_links_of_feeds_lead_to_the_public_address(store: Store) -> None:
    league = leagues.cambio(store)
    feed = trio.run(ask, site(store, "https://arena.example"), "GET", f"/leagues/{league.name}/feed.atom").text
    assert 'href="https://arena.example/leagues/cambio/feed.atom"' in feed
    assert "http://arena.example" not in feed


def test_another_host_name_is_refused(store: Store) -> None:
    assert trio.run(ask, site(store, "https://arena.example"), "GET", "/", "rebound.example").status_code == 403


def test_a_host_or_an_origin_that_is_no_address_is_refused(store: Store) -> None:
    app = site(store, "https://arena.example")
    for method, headers in (
        ("GET", {"host": "["}),
        ("POST", {"origin": "http://["}),
        ("POST", {"host": "[", "origin": "["}),
    ):
        assert trio.run(partial(ask, app, method, "/", headers=headers)).status_code == 403
    assert trio.run(partial(ask, site(store, None), "GET", "/", headers={"host": "["})).status_code == 403


def test_a_limit_of_one_visitor_leaves_others_behind_the_proxy_alone(store: Store) -> None:
    app = site(store, None)

    async def wrong_token(visitor: str) -> int:
        headers = {"x-forwarded-for": visitor, "sec-fetch-site": "same-origin"}
        return (await ask(app, "POST", "/sign-in", data={"token": "no"}, headers=headers)).status_code

    assert [trio.run(wrong_token, "192.0.2.7") for _ in range(11)] == [403] * 10 + [429]
    assert trio.run(wrong_token, "192.0.2.8") == 403


async def test_of_each_visitor_some_requests_are_handled_at_a_time() -> None:
    begun: list[str] = []
    go_on = trio.Event()

    async def slow(scope: Any, _receive: Any, send: Any) -> None:
        begun.append(scope["client"][0])
        await go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    app = BehindProxy(slow, PROXIES, None)
    async with trio.open_nursery() as nursery:
        for visitor in ["192.0.2.7"] * 20 + ["192.0.2.8"]:
            how = {"headers": {"x-forwarded-for": visitor}}
            nursery.start_soon(lambda how=how: ask(app, "GET", "/", **how))  # type: ignore[misc]
        await trio.testing.wait_all_tasks_blocked()
        assert sorted(begun) == ["192.0.2.7"] * 16 + ["192.0.2.8"]
        go_on.set()
    assert len(begun) == 21
    assert app._visitors == {}


async def test_whoever_sends_slowly_holds_up_nobody_at_his_address() -> None:
    whole: list[str] = []
    sends = trio.Event()

    async def upload(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass
        whole.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def slowly() -> AsyncIterator[bytes]:
        yield b"token="
        await sends.wait()
        yield b"x"

    app = BehindProxy(upload, PROXIES, None)
    headers = {"x-forwarded-for": "192.0.2.7"}
    async with trio.open_nursery() as nursery:
        for _ in range(16):
            nursery.start_soon(lambda: ask(app, "POST", "/slow", headers=headers, content=slowly()))
        await trio.testing.wait_all_tasks_blocked()
        assert whole == []
        with trio.fail_after(5):
            await ask(app, "POST", "/quick", headers=headers, content=b"token=x")
        assert whole == ["/quick"]
        sends.set()
    assert whole == ["/quick"] + ["/slow"] * 16
    assert app._visitors == {}


async def test_a_turn_that_ended_with_the_response_is_not_taken_again() -> None:
    asked, begun = trio.Event(), trio.Event()

    async def receive() -> Any:
        asked.set()
        await begun.wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Any) -> None:
        begun.set()

    async def stream(_scope: Any, receive: Any, send: Any) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            await asked.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
        [visitor] = app._visitors.values()
        assert visitor.slots._free == 16

    app = BehindProxy(stream, PROXIES, None)
    scope = {"type": "http", "client": ("10.0.0.1", 5000), "headers": []}
    await app(scope, receive, send)


async def test_the_connections_of_a_proxy_are_those_of_many_visitors() -> None:
    limits = HttpLimits(connections=8, visitor_connections=2, visitor_requests=1, is_proxy=PROXIES.trusts)
    registry = ConnectionRegistry(limits)
    async with trio.open_nursery() as nursery:

        async def connect(address: str) -> None:
            with registry.admit(address):
                await trio.sleep_forever()

        for address in ["10.0.0.1"] * 5 + ["192.0.2.7"] * 3:
            nursery.start_soon(connect, address)
        await trio.testing.wait_all_tasks_blocked()
        assert len(registry) == 5 + 2
        nursery.cancel_scope.cancel()


def test_addresses_of_this_machine_are_known() -> None:
    def has_own(*texts: str) -> bool:
        return TrustedProxies(tuple(map(ip_network, texts))).include_this_machine()

    assert has_own("127.0.0.1")
    assert has_own("127.0.0.5")
    assert has_own("::1")
    assert has_own("0.0.0.0/0")
    assert has_own("192.0.2.7", "127.0.0.0/8")
    assert not has_own("192.0.2.7")
    assert not has_own()
