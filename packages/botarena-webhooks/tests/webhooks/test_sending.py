"""One request: to receivers that are hostile, slow, elsewhere, or not who they say they are."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from arena_webhooks import sending
from arena_webhooks.addresses import AddressRules
from arena_webhooks.sending import LARGEST_HEAD, NO_ADDRESS, Answer, Sender

from arena.run.remote.certificate import make_certificate

LOCAL = AddressRules(local=True)

Behaviour = Callable[[trio.abc.Stream], Awaitable[None]]


@asynccontextmanager
async def serving(behaviour: Behaviour, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Answer connections, one after another, with a behaviour; yield the port."""

    async def answer(stream: trio.abc.Stream) -> None:
        if tls is not None:
            stream = trio.SSLStream(stream, tls, server_side=True)
        try:
            await stream.receive_some(65536)
            await behaviour(stream)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, answer, 0, host="127.0.0.1"))
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


def says(*parts: bytes) -> Behaviour:
    async def behave(stream: trio.abc.Stream) -> None:
        for part in parts:
            await stream.send_all(part)

    return behave


def says_for_ever(first: bytes, part: bytes) -> Behaviour:
    async def behave(stream: trio.abc.Stream) -> None:
        await stream.send_all(first)
        while True:
            await stream.send_all(part)

    return behave


async def is_silent(stream: trio.abc.Stream) -> None:
    await trio.sleep_forever()


def sender(rules: AddressRules = LOCAL, *addresses: str, tls: ssl.SSLContext | None = None) -> Sender:
    """Return a sender.

    addresses: those to which every name leads; none: ask the system.
    """

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return Sender(rules, tls or ssl.create_default_context(), *([resolve] if addresses else []))


async def sent(port: int, rules: AddressRules = LOCAL) -> Answer:
    return await sender(rules).send(f"http://127.0.0.1:{port}/", {"webhook-id": "msg_1"}, b"{}")


@pytest.mark.parametrize(
    ("behaviour", "answer"),
    [
        (says(b"HTTP/1.1 204 No Content\r\n\r\n"), Answer(204, "")),
        (says(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nyes"), Answer(200, "")),
        (says(b"HTTP/1.1 500 Oh\r\ncontent-length: 6\r\n\r\nsecret"), Answer(500, "the answer is 500")),
        (
            says(b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n"),
            Answer(302, "the answer is 302: redirects are not followed"),
        ),
        (says_for_ever(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536), Answer(200, "")),
        (says_for_ever(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"), Answer(200, "")),
        (says_for_ever(b"", b"HTTP/1.1 103 Early\r\n\r\n"), Answer(None, "the head of the answer is too large")),
        (says_for_ever(b"HTTP/1.1 200 OK\r\n", b"x: " + b"y" * 4000 + b"\r\n"), None),
        (says(b"220 mail.example ESMTP\r\n"), Answer(None, "the answer is not one of HTTP")),
        (says(b""), Answer(None, "the answer is not one of HTTP")),
        (says(b"\0" * LARGEST_HEAD * 2), Answer(None, "the answer is not one of HTTP")),
        (is_silent, Answer(None, "no answer within 1 s")),
    ],
)
async def test_every_receiver_has_an_answer_in_time(
    behaviour: Behaviour, answer: Answer | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SECONDS", 1.0 if behaviour is is_silent else 30.0)
    async with serving(behaviour) as port:
        got = await sent(port)
    if answer is None:
        assert got.status is None
        assert got.error in ("the answer is not one of HTTP", "the head of the answer is too large")
    else:
        assert got == answer


async def test_a_port_at_which_nobody_listens() -> None:
    async with serving(is_silent) as port:
        pass
    assert await sent(port) == Answer(None, "no connection: Connection refused")


async def test_nothing_is_sent_to_what_is_not_public(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(says(b"HTTP/1.1 200 OK\r\n\r\n")) as port:
        refused = await sent(port, AddressRules())
        assert refused.status is None
        assert "https://" in refused.error
        url = f"https://receiver.example:{port}/"
        for addresses in (["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:127.0.0.1"], ["nonsense"]):
            rules = AddressRules()
            assert await sender(rules, *addresses).send(url, {}, b"") == Answer(None, NO_ADDRESS)
    for name in ("localhost", "127.1", "2130706433", "0x7f000001", "localhost."):
        assert await sender(AddressRules()).send(f"https://{name}/", {}, b"") == Answer(None, NO_ADDRESS)


async def test_a_name_is_resolved_once_and_what_it_leads_to_later_does_not_matter() -> None:
    answers = [["127.0.0.1"], ["169.254.169.254"]]
    asked = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return answers.pop(0)

    rebinding = Sender(LOCAL, ssl.create_default_context(), resolve)
    async with serving(says(b"HTTP/1.1 200 OK\r\n\r\n")) as port:
        assert await rebinding.send(f"http://localhost:{port}/", {}, b"") == Answer(200, "")
    assert asked == ["localhost"]
    assert await rebinding.send(f"http://localhost:{port}/", {}, b"") == Answer(None, NO_ADDRESS)


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with serving(says(b"HTTP/1.1 200 OK\r\n\r\n")) as port:
        assert await sent(port) == Answer(200, "")


async def test_tls_verifies_the_host_name_at_the_checked_address(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    made = make_certificate(tmp_path, "receiver.example")
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(tmp_path / "arena-cert.pem", tmp_path / "arena-key.pem")
    trusting = ssl.create_default_context(cafile=str(made.path))
    async with serving(says(b"HTTP/1.1 200 OK\r\n\r\n"), server) as port:
        url = f"https://receiver.example:{port}/"
        known = sender(LOCAL, "127.0.0.1", tls=trusting)
        assert await known.send(url, {}, b"{}") == Answer(200, "")
        other = await known.send(f"https://other.example:{port}/", {}, b"{}")
        assert other.status is None
        assert "certificate is not valid: Hostname mismatch" in other.error
        unknown = await sender(LOCAL, "127.0.0.1").send(url, {}, b"{}")
        assert unknown.error.startswith("the certificate is not valid")
    async with serving(says(b"HTTP/1.1 200 OK\r\n\r\n")) as port:
        plain = await sender(LOCAL, "127.0.0.1").send(f"https://receiver.example:{port}/", {}, b"{}")
        assert plain.error == "no TLS connection: is there a server for https at this port?"
