"""An application on a port: any ASGI callable, with or without a lifespan."""

import socket
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

from arena.http import listening, serve

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

GET = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


async def answer(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def with_lifespan(happened: list[str]) -> App:
    """Return an application that notes what it is told."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        happened.append(scope["type"])
        if scope["type"] == "http":
            return await answer(send)
        for step in ("startup", "shutdown"):
            assert await receive() == {"type": f"lifespan.{step}"}
            happened.append(step)
            await send({"type": f"lifespan.{step}.complete"})

    return app


async def without_lifespan(scope: Message, _receive: Receive, send: Send) -> None:
    """Answer requests; know nothing else."""
    assert scope["type"] == "http"
    await answer(send)


async def ask(app: App) -> bytes:
    """Serve an application for one request; return what is answered."""
    with listening("127.0.0.1", 0) as listener:
        over = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(serve, app, listener, over.wait))
            with trio.fail_after(30):
                async with await trio.open_tcp_stream("127.0.0.1", listener.getsockname()[1]) as client:
                    await client.send_all(GET)
                    answered = b"".join([bytes(part) async for part in client])
            over.set()
    return answered


async def test_an_application_starts_before_its_requests_and_ends_after_them() -> None:
    happened: list[str] = []
    assert (await ask(with_lifespan(happened))).startswith(b"HTTP/1.1 204 ")
    assert happened == ["lifespan", "startup", "http", "shutdown"]


async def test_an_application_that_knows_no_lifespan_is_served() -> None:
    assert (await ask(without_lifespan)).startswith(b"HTTP/1.1 204 ")


@pytest.mark.parametrize("raises", [True, False])
async def test_an_application_that_cannot_start_is_not_served(raises: bool) -> None:
    async def app(_scope: Message, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no database"})
        if raises:
            raise OSError("no database")

    with listening("127.0.0.1", 0) as listener, pytest.raises(OSError if raises else RuntimeError, match="no database"):
        await serve(app, listener, trio.sleep_forever)


async def test_an_application_that_fails_later_ends_the_server() -> None:
    async def app(_scope: Message, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        raise OSError("no database")

    with listening("127.0.0.1", 0) as listener, pytest.RaisesGroup(OSError):
        await serve(app, listener, trio.sleep_forever)


async def test_a_port_is_free_again_after_its_server() -> None:
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        await serve(without_lifespan, listener, trio.lowlevel.checkpoint)
    with socket.create_server(("127.0.0.1", port)):
        pass
