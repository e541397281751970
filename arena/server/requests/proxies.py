"""A proxy in front of the site: under which address people reach it, and who its clients are."""

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.http import DEFAULT_LIMITS, LifoSemaphore
from arena.values.errors import ArenaError
from arena.values.visitors import visitor_key

PEER = "arena.peer"
"""The key of a scope under which the address stands from which a request came, the proxy's or a client's own."""

_PUBLIC_URL = "arena.public_url"

_HOST_NAME = re.compile(r"[a-z0-9.-]+")


class PublicUrlError(ArenaError):
    """An address under which no site can be reached."""


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The address at which people reach the site."""

    text: str
    """The whole address, without a slash at its end."""
    scheme: str
    host: str
    """The name of the host, in lower case."""

    @classmethod
    def parse(cls, text: str) -> "PublicUrl":
        """Read an address such as https://arena.example.org. Raises PublicUrlError."""
        try:
            parts = urlsplit(text)
            is_good = parts.port != 0 and _is_host(parts.hostname or "") and text.isascii() and text.isprintable()
        except ValueError:
            is_good = False
        if not is_good or parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.query or parts.fragment:
            raise PublicUrlError(f"{text!r} is no address of a site: give one such as https://arena.example.org")
        if parts.path.strip("/"):
            raise PublicUrlError(
                f"{text!r} has a path, and the pages need a host name of their own, such as https://arena.example.org"
            )
        return cls(f"{parts.scheme}://{parts.netloc}", parts.scheme, parts.hostname or "")


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies that say truly who their clients are."""

    networks: Sequence[IPv4Network | IPv6Network] = ()
    """The addresses of the proxies."""

    def trusts(self, address: str) -> bool:
        """Return whether an address is one of theirs."""
        parsed = _parse(address)
        return parsed is not None and any(parsed in network for network in self.networks)

    def include_this_machine(self) -> bool:
        """Return whether programs on this machine send from an address of theirs, and so can pass for a proxy."""
        return any(map(_has_own_address, self.networks))

    def client(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return the address of the client of a request.

        peer: the address that the request came from.
        forwarded: the values of X-Forwarded-For, to which each proxy adds its client at the end: the last address that
            is no proxy's is the client, and what stands before it, anybody may have written.
        """
        if not self.trusts(peer):
            return peer
        client = peer
        for text in reversed(",".join(forwarded).split(",")):
            parsed = _parse(text.strip())
            if parsed is None:
                break
            client = str(parsed)
            if not self.trusts(client):
                break
        return client


def _has_own_address(network: IPv4Network | IPv6Network) -> bool:
    """Return whether this machine has an address in a network, as far as its routes tell; nothing is sent."""
    loopback = IPv4Network("127.0.0.0/8") if isinstance(network, IPv4Network) else IPv6Network("::1")
    if network.overlaps(loopback):
        return True
    family = socket.AF_INET if isinstance(network, IPv4Network) else socket.AF_INET6
    some = network[min(1, network.num_addresses - 1)]
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((str(some), 9))
        except OSError:
            return False
        return ip_address(asking.getsockname()[0].partition("%")[0]) in network


def _is_host(name: str) -> bool:
    return bool(_HOST_NAME.fullmatch(name)) or _parse(name) is not None


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed


@dataclass(eq=False, slots=True)
class _Visitor:
    slots: LifoSemaphore
    requests: int = 0


class BehindProxy:
    """Gives requests the address of their client, and the public address of the site.

    Of each client some requests are handled at a time, as of visitors without a proxy: to the server all those of a
    proxy come from one visitor.
    """

    def __init__(self, app: ASGIApp, proxies: TrustedProxies, public_url: PublicUrl | None) -> None:
        self._app = app
        self._proxies = proxies
        self._public_url = public_url
        self._visitors: dict[str, _Visitor] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        peer = scope["client"][0] if scope.get("client") else ""
        scope[PEER] = peer
        if self._public_url is not None:
            scope["scheme"], scope[_PUBLIC_URL] = self._public_url.scheme, self._public_url.text
        if not self._proxies.trusts(peer):
            await self._app(scope, receive, send)
            return
        client = self._proxies.client(peer, Headers(scope=scope).getlist("x-forwarded-for"))
        scope["client"] = (client, 0)
        await self._in_turn(visitor_key(client), scope, receive, send)

    async def _in_turn(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request once the visitor has few others; its turn ends when the response begins.

        While the body arrives, others have the turn: a visitor who sends slowly holds up nobody at his address.
        """
        visitor = self._visitors.setdefault(name, _Visitor(LifoSemaphore(DEFAULT_LIMITS.visitor_requests)))
        visitor.requests += 1
        has_turn = has_begun = is_body_whole = False

        def end_turn() -> None:
            nonlocal has_turn
            if has_turn:
                has_turn = False
                visitor.slots.release()

        async def next_part() -> Message:
            nonlocal has_turn, is_body_whole
            if not has_turn or is_body_whole:
                return await receive()
            end_turn()
            message = await receive()
            is_body_whole = not message.get("more_body", False)
            if not has_begun:
                await visitor.slots.acquire()
                has_turn = True
            if has_begun:  # the response began while this waited
                end_turn()
            return message

        async def pass_on(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            end_turn()
            await send(message)

        try:
            await visitor.slots.acquire()
            has_turn = True
            await self._app(scope, next_part, pass_on)
        finally:
            end_turn()
            visitor.requests -= 1
            if not visitor.requests:
                self._visitors.pop(name, None)


def site_address(request: Request) -> str:
    """Return where people reach the site, without a slash at its end."""
    return str(request.scope.get(_PUBLIC_URL) or request.base_url).rstrip("/")


def peer_of(scope: Scope) -> str:
    """Return the address from which a request came, which may be a proxy's."""
    return str(scope.get(PEER) or (scope["client"][0] if scope.get("client") else ""))
