"""What is true of every request and answer.

Nothing but our own files is loaded, run or sent to; nobody puts us in a frame; what changes something comes from
our pages.
"""

from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.pages.layout import NAVIGATION

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


class OwnPagesOnly:
    """Refuses what other sites have a browser send here, and names that are not this machine's (DNS rebinding).

    Only GET and HEAD, which change nothing, come from anywhere.
    hosts: the names under which the site is asked; empty: any.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and (wrong := self._wrong(scope)):
            await PlainTextResponse(wrong, HTTPStatus.FORBIDDEN)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _wrong(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts and urlsplit(f"//{host}").hostname not in self._hosts:
            return "this site is not asked under that name"
        if scope["method"] in ("GET", "HEAD"):
            return ""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin", "")
        own = site == "same-origin" if site is not None else urlsplit(origin).netloc == host and bool(host)
        return "" if own else "this was sent by another site's page, and is not done"


class SafeHeaders:
    """Adds the headers to whatever the application answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)


class Navigation:
    """Tells the pages what is to be found on this site. links: addresses with names."""

    def __init__(self, app: ASGIApp, links: Sequence[tuple[str, str]]) -> None:
        self._app = app
        self._links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        NAVIGATION.set(self._links)
        await self._app(scope, receive, send)
