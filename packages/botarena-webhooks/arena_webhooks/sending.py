"""One request of a webhook: to an address that was checked, without redirects or proxies, within limits.

Requests are made with h11 on a socket to that address: an HTTP library would resolve the name again, where it may lead
elsewhere.

Whoever chose the URL is told the status of the answer and nothing else: neither its content nor what a name leads to.
"""

import errno
import os
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import NamedTuple

import h11
import trio

from arena import __version__
from arena_webhooks.addresses import Address, AddressRules, Destination
from arena_webhooks.rows import WebhookRefused

SECONDS = 10.0
"""For a whole request, from the name to the answer."""

CONNECT_SECONDS = 4.0
"""For one of the addresses of a host."""

MOST_ADDRESSES = 3
"""The addresses of a host that are tried."""

LARGEST_HEAD = 16 * 1024
"""Bytes of the head of an answer, and of what comes before it."""

LARGEST_BODY = 64 * 1024
"""Bytes of the content of an answer that are read, and thrown away, so that its sender may finish."""

DISCARD_SECONDS = 1.0
"""For that content."""

CHUNK = 8192

NO_ADDRESS = "the host name leads to no public address"

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class Answer(NamedTuple):
    """What came of a request."""

    status: int | None
    """The HTTP status of the answer; None without one."""
    error: str
    """Why the request does not count as delivered; empty if it does."""


class _Failed(Exception):
    """There is no answer. Its text is for the owner of the webhook."""


_RESOLVING = trio.CapacityLimiter(32)
"""Threads for names: a slow name server keeps one for half a minute, and must not take those of the pages."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, each once. Raises OSError or UnicodeError."""
    find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await trio.to_thread.run_sync(find, abandon_on_cancel=True, limiter=_RESOLVING)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends requests."""

    rules: AddressRules
    """Which addresses may be reached."""
    tls: ssl.SSLContext
    """Verifies certificates and host names."""
    resolve: Resolve = resolve

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Send a body as a POST request and return what came of it."""
        try:
            destination = self.rules.check(url)
            with trio.move_on_after(SECONDS) as limit:
                return await self._send(destination, headers, body)
        except (WebhookRefused, _Failed) as error:
            return Answer(None, str(error))
        except ssl.SSLCertVerificationError as error:
            return Answer(None, f"the certificate is not valid: {error.verify_message}")
        except (trio.BrokenResourceError, h11.RemoteProtocolError, OSError) as error:
            return Answer(None, _what_broke(error))
        assert limit.cancelled_caught
        return Answer(None, f"no answer within {SECONDS:.0f} s")

    async def _send(self, destination: Destination, headers: Mapping[str, str], body: bytes) -> Answer:
        addresses = await self._addresses(destination)
        stream: trio.abc.Stream = await _connected(addresses, destination.port)
        if destination.is_secure:
            stream = trio.SSLStream(stream, self.tls, server_hostname=destination.host, https_compatible=True)
        try:
            connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)
            await stream.send_all(_request(connection, destination, headers, body))
            status = await _status(connection, stream)
            with trio.move_on_after(DISCARD_SECONDS):
                await _discard(connection, stream)
        finally:
            await trio.aclose_forcefully(stream)
        return Answer(status, _error(status))

    async def _addresses(self, destination: Destination) -> Sequence[Address]:
        """Return the addresses of a host, all of which may be reached."""
        try:
            addresses = [ip_address(text) for text in await self.resolve(destination.host, destination.port)]
        except (OSError, ValueError, UnicodeError):
            addresses = []
        if not addresses or not all(map(self.rules.allows, addresses)):
            raise _Failed(NO_ADDRESS)
        return addresses


async def _connected(addresses: Sequence[Address], port: int) -> trio.SocketStream:
    """Return a connection to the first of some addresses that takes one."""
    error = "no connection"
    for address in addresses[:MOST_ADDRESSES]:
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        with trio.move_on_after(CONNECT_SECONDS) as limit:
            connecting = trio.socket.socket(family, socket.SOCK_STREAM)
            try:
                await connecting.connect((str(address), port))
                return trio.SocketStream(connecting)
            except OSError as failed:
                connecting.close()
                error = f"no connection: {os.strerror(failed.errno or errno.EIO)}"  # trio's text has the address
            except BaseException:
                connecting.close()
                raise
        if limit.cancelled_caught:
            error = f"no connection within {CONNECT_SECONDS:.0f} s"
    raise _Failed(error)


def _request(connection: h11.Connection, destination: Destination, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a whole request as bytes."""
    fields = {
        "host": destination.authority,
        "user-agent": f"arena/{__version__}",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    request = h11.Request(method="POST", target=destination.target, headers=list(fields.items()))
    parts = (connection.send(part) for part in (request, h11.Data(body), h11.EndOfMessage()))
    return b"".join(part or b"" for part in parts)


async def _status(connection: h11.Connection, stream: trio.abc.Stream) -> int:
    """Return the status of the answer; informational ones before it count towards its size."""
    read = 0
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            data = await stream.receive_some(CHUNK)
            read += len(data)
            if read > LARGEST_HEAD:
                raise _Failed("the head of the answer is too large")
            connection.receive_data(bytes(data))
        elif not isinstance(event, h11.InformationalResponse):
            raise _Failed("the answer is not one of HTTP")


async def _discard(connection: h11.Connection, stream: trio.abc.Stream) -> None:
    """Read the content of an answer, as far as it is small; whatever goes wrong, the status has come."""
    read = 0
    try:
        while read <= LARGEST_BODY:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                data = await stream.receive_some(CHUNK)
                read += len(data)
                connection.receive_data(bytes(data))
            elif not isinstance(event, h11.Data):
                return
    except (trio.BrokenResourceError, h11.RemoteProtocolError, OSError):
        return


def _error(status: int) -> str:
    """Return why a status does not count as delivered; empty if it does."""
    if 200 <= status < 300:
        return ""
    return f"the answer is {status}" + (": redirects are not followed" if 300 <= status < 400 else "")


def _what_broke(error: Exception) -> str:
    """Return in words why there is no answer."""
    cause = error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"the certificate is not valid: {cause.verify_message}"
    if isinstance(error, ssl.SSLError) or isinstance(cause, ssl.SSLError):
        return "no TLS connection: is there a server for https at this port?"
    if isinstance(error, h11.RemoteProtocolError):
        return "the answer is not one of HTTP"
    return "the connection broke before the answer"
