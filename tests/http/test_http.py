"""The HTTP server, on streams in memory and a mock clock, so that deadlines are exact."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing

from arena.http.client_limits import HttpLimits
from arena.http.connection import HttpConnection
from arena.http.connection_registry import ConnectionRegistry, ServerFull
from arena.http.transport import Transport

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LIMITS = HttpLimits()
GET = b"GET /a%20b?c=d HTTP/1.1\r\nHost: x\r\n\r\n"


async def echo(scope: Message, receive: Receive, send: Send) -> None:
    """Answer with the method, the path, the query and the body."""
    body, more = b"", True
    while more:
        part = await receive()
        body += part["body"]
        more = part["more_body"]
    said = f"{scope['method']} {scope['path']} {scope['query_string'].decode()} ".encode() + body
    await reply(send, said)


async def reply(send: Send, content: bytes) -> None:
    headers = [(b"content-length", b"%d" % len(content))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def deaf(scope: Message, receive: Receive, send: Send) -> None:
    """Answer without a look at the body."""
    await reply(send, b"deaf")


async def endless(scope: Message, receive: Receive, send: Send) -> None:
    """Send events until the client is gone."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    async with trio.open_nursery() as nursery:

        async def listen() -> None:
            assert (await receive())["type"] == "http.request"
            assert (await receive())["type"] == "http.disconnect"
            nursery.cancel_scope.cancel()

        nursery.start_soon(listen)
        while True:
            await send({"type": "http.response.body", "body": b"event\n\n", "more_body": True})
            await trio.sleep(1)


class Served:
    """A connection that is served: what its client holds, and when the server had done with it."""

    def __init__(self, client: Any, registry: ConnectionRegistry) -> None:
        self.client = client
        self.registry = registry
        self.ended: float | None = None

    async def says(self, *parts: bytes, pause: float = 0.0) -> bytes:
        """Send parts with pauses in between; return all that is answered until the server closes."""
        heard = b""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._send, parts, pause)
            with trio.move_on_after(1000):
                async for data in self.client:
                    heard += data
            nursery.cancel_scope.cancel()
        return heard

    async def _send(self, parts: tuple[bytes, ...], pause: float) -> None:
        for part in parts:
            try:
                await self.client.send_all(part)
            except trio.BrokenResourceError:
                return
            await trio.sleep(pause)


@asynccontextmanager
async def serving(
    app: Any,
    limits: HttpLimits = LIMITS,
    registry: ConnectionRegistry | None = None,
    pair: Any = trio.testing.memory_stream_pair,
) -> AsyncIterator[Served]:
    client, ours = pair()
    registry = ConnectionRegistry(limits) if registry is None else registry
    served = Served(client, registry)

    async def serve() -> None:
        async with ours:
            with registry.admit("192.0.2.7") as connected:
                transport = Transport(ours, limits, registry, connected)
                await HttpConnection(app, transport, registry, connected, limits).run()
        served.ended = trio.current_time()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        await trio.testing.wait_all_tasks_blocked()
        yield served
        nursery.cancel_scope.cancel()


def statuses(heard: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)]


async def test_requests_on_one_connection_are_answered_in_turn(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        post = b"POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        heard = await served.says(GET + post + b"HEAD /h HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert statuses(heard) == [200, 200, 200]
    assert b"GET /a b c=d " in heard
    assert b"POST /x  abc" in heard
    assert heard.endswith(b"\r\n\r\n"), "the answer to HEAD has no body"


async def test_an_idle_connection_is_closed_silently(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        assert await served.says() == b""
        assert trio.current_time() == LIMITS.header_seconds
    async with serving(echo) as served:
        began = trio.current_time()
        assert statuses(await served.says(GET)) == [200]
        assert trio.current_time() == began + LIMITS.idle_seconds


@pytest.mark.parametrize(
    "parts",
    [
        (b"GET / HTTP/1.1\r\nHost:",),
        tuple(bytes([byte]) for byte in b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 100),
    ],
)
async def test_a_header_must_arrive_in_time(parts: tuple[bytes, ...], autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        heard = await served.says(*parts, pause=1.0)
        assert statuses(heard) == [408]
        assert trio.current_time() <= LIMITS.header_seconds + LIMITS.linger_seconds


POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"


@pytest.mark.parametrize("bodies", [(), (b"a",) * 100, (b"a" * 1000,) * 100])
async def test_a_body_must_arrive_in_time(bodies: tuple[bytes, ...], autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        heard = await served.says(POST, *bodies, pause=1.0)
        assert statuses(heard) == [408]
        assert trio.current_time() <= 2 * LIMITS.stall_seconds + LIMITS.linger_seconds


async def test_a_slow_but_steady_body_is_accepted(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        heard = await served.says(POST, *(b"a" * 4000,) * 25, pause=1.0)
    assert statuses(heard) == [200]


async def test_a_response_that_is_not_read_is_abandoned(autojump_clock: trio.testing.MockClock) -> None:
    async def large(scope: Message, receive: Receive, send: Send) -> None:
        await reply(send, bytes(1 << 20))

    async with serving(large, pair=trio.testing.lockstep_stream_pair) as served:
        await served.client.send_all(GET)
        await trio.sleep(LIMITS.stall_seconds + 1)
        assert served.ended == LIMITS.stall_seconds
    async with serving(large, pair=trio.testing.lockstep_stream_pair) as served:
        began = trio.current_time()
        await served.client.send_all(GET)
        while served.ended is None:
            await served.client.receive_some(1)  # a byte a second
            await trio.sleep(1)
        assert served.ended == began + LIMITS.stall_seconds


async def test_events_end_when_the_client_is_gone(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(endless) as served:
        await served.client.send_all(GET)
        await trio.sleep(3600)
        assert served.ended is None
        await served.client.aclose()
        await trio.sleep(1)
        assert served.ended is not None


async def test_a_client_that_sends_too_much_can_read_the_error(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(deaf) as served:
        heard = await served.says(POST, bytes(50_000), bytes(50_000))
        assert statuses(heard) == [200]
        assert b"connection: close" in heard.lower()
    async with serving(deaf) as served:
        heard = await served.says(POST.replace(b"Host", b"Expect: 100-continue\r\nHost"))
        assert statuses(heard) == [200], "a body that nobody wants is not asked for"
    async with serving(echo) as served:
        short = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
        assert statuses(await served.says(short, b"a", pause=1.0)) == [100, 200]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 20_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a:b\r\n" * 200 + b"\r\n", 431),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    ],
)
async def test_an_invalid_request_is_refused_and_the_connection_closed(
    request_: bytes, status: int, autojump_clock: trio.testing.MockClock
) -> None:
    async with serving(echo) as served:
        assert statuses(await served.says(request_ + GET)) == [status]


async def test_upgrades_are_ignored(autojump_clock: trio.testing.MockClock) -> None:
    upgrade = GET.replace(
        b"Host", b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\nHost"
    )
    async with serving(echo) as served:
        assert statuses(await served.says(upgrade + GET)) == [200, 200]


async def test_a_malformed_body_is_refused(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert statuses(await served.says(chunked + b"zz\r\n")) == [400]


async def test_the_requests_of_a_connection_are_limited(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo, replace(LIMITS, requests=3)) as served:
        heard = await served.says(GET * 5)
    assert statuses(heard) == [200] * 3
    assert heard.lower().count(b"connection: close") == 1


async def test_an_application_that_fails_is_an_error_of_the_server(autojump_clock: trio.testing.MockClock) -> None:
    async def failing(scope: Message, receive: Receive, send: Send) -> None:
        raise RuntimeError

    async with serving(failing) as served:
        assert statuses(await served.says(GET)) == [500]


async def test_the_connection_that_waits_longest_is_closed_for_a_new_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    registry = ConnectionRegistry(replace(LIMITS, connections=4, visitor_connections=3))
    gone: list[str] = []

    async def stay(address: str, who: str, busy: bool = False) -> None:
        with registry.admit(address) as connected:
            if busy:
                connected.waits_since = None
            await trio.sleep(100)
        if connected.scope.cancelled_caught:
            gone.append(who)

    async with trio.open_nursery() as nursery:
        for number in range(3):
            nursery.start_soon(stay, "192.0.2.7", f"a{number}", number == 0)
            await trio.sleep(1)
        nursery.start_soon(stay, "192.0.2.7", "a3")  # this visitor has three already, one of them busy
        await trio.sleep(1)
        assert gone == ["a1"]
        nursery.start_soon(stay, "192.0.2.8", "b0")
        await trio.sleep(1)
        nursery.start_soon(stay, "192.0.2.8", "b1")  # there are four: who has most gives one up
        await trio.sleep(1)
        assert gone == ["a1", "a2"]
        assert len(registry) == 4
        for number in range(3):
            nursery.start_soon(stay, "192.0.2.9", f"c{number}", True)
            await trio.sleep(1)
        with pytest.raises(ServerFull), registry.admit("192.0.2.9"):  # all three are busy
            pass
    assert gone == ["a1", "a2", "a3", "b0", "b1"]
    assert len(registry) == 0


async def test_unsent_bytes_of_slow_readers_are_limited(autojump_clock: trio.testing.MockClock) -> None:
    async def large(scope: Message, receive: Receive, send: Send) -> None:
        await reply(send, bytes(1 << 20))

    limits = replace(LIMITS, unsent_bytes=3 << 20)
    registry, ended = ConnectionRegistry(limits), []
    async with trio.open_nursery() as nursery:

        async def read_nothing(number: int) -> None:
            async with serving(large, limits, registry, trio.testing.lockstep_stream_pair) as served:
                await served.client.send_all(GET)
                await trio.sleep(LIMITS.stall_seconds - 4)
                if served.ended is not None:
                    ended.append(number)

        for number in range(4):
            nursery.start_soon(read_nothing, number)
            await trio.sleep(1)
    assert ended == [0, 1], "each answer is a megabyte and a header"


async def test_concurrent_requests_of_one_visitor_are_limited(autojump_clock: trio.testing.MockClock) -> None:
    at_once = most = 0

    async def slow(scope: Message, receive: Receive, send: Send) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await trio.sleep(1)
        at_once -= 1
        await reply(send, b"slow")
        await trio.sleep(100)  # whatever an answer takes to be sent, the next one may begin

    registry = ConnectionRegistry(limits := replace(LIMITS, visitor_requests=2))
    async with trio.open_nursery() as nursery:

        async def send_half() -> None:
            async with serving(echo, limits, registry) as served:
                assert statuses(await served.says(POST)) == [408]

        async def ask() -> None:
            async with serving(slow, limits, registry) as served:
                await served.client.send_all(GET)
                assert statuses(await served.client.receive_some(1000)) == [200]

        for _ in range(6):
            nursery.start_soon(send_half)
            nursery.start_soon(ask)
        await trio.sleep(3.5)
        assert (most, at_once) == (2, 0)


async def test_bytes_that_came_fast_buy_no_silence(autojump_clock: trio.testing.MockClock) -> None:
    async with serving(echo) as served:
        heard = await served.says(POST, b"a" * 99_999)
        assert statuses(heard) == [408]
        assert trio.current_time() <= LIMITS.stall_seconds + LIMITS.linger_seconds


async def streaming(scope: Message, receive: Receive, send: Send) -> None:
    """Send events until the client is gone, as Starlette does, which reads the body meanwhile."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    await send({"type": "http.response.body", "body": b"event\n\n", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


@pytest.mark.parametrize(
    ("header", "late"), [(b"Content-Length: 1", b"x"), (b"Transfer-Encoding: chunked", b"1\r\nx\r\n0\r\n\r\n")]
)
async def test_a_body_that_comes_during_a_response_takes_no_slot(
    header: bytes, late: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    registry = ConnectionRegistry(limits := replace(LIMITS, visitor_requests=1))
    async with serving(streaming, limits, registry) as streamed, serving(echo, limits, registry) as asked:
        await streamed.client.send_all(b"GET /events HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n\r\n")
        assert statuses(await streamed.client.receive_some(1000)) == [200]
        await streamed.client.send_all(late)
        await trio.testing.wait_all_tasks_blocked()
        await asked.client.send_all(GET)
        with trio.fail_after(1):
            assert statuses(await asked.client.receive_some(1000)) == [200]
