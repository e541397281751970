"""Middleware: security headers, refusal of cross-site requests, authentication.

Pages load, run and contact only files of this site and cannot be framed; requests that change something must come
from its own pages.
"""

from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.access import Access, account_access
from arena.web.pages.layout import NAVIGATION, PUBLIC_LINKS
from arena.web.sessions import COOKIE, Sessions

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


class SameOriginOnly:
    """Refuses cross-site requests, and host names that are not this site's (DNS rebinding).

    GET and HEAD, which change nothing, are accepted from anywhere.
    hosts: the accepted host names; empty: any.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http" and (wrong := self._wrong(scope)):
            await PlainTextResponse(wrong, HTTPStatus.FORBIDDEN)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _wrong(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts and urlsplit(f"//{host}").hostname not in self._hosts:
            return "this site is not served under that host name"
        if scope["method"] in ("GET", "HEAD"):
            return ""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin", "")
        own = site == "same-origin" if site is not None else urlsplit(origin).netloc == host and bool(host)
        return "" if own else "requests from pages of other sites are refused"


class SecurityHeaders:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)


class Authentication:
    """Sets the access and the navigation of each request.

    access: for visitors who are not signed in. sessions: who is signed in; None: nobody can be. playable: whether
    organisers can play here.
    """

    def __init__(self, app: ASGIApp, access: Access, sessions: Sessions | None, playable: bool) -> None:
        self._app = app
        self._access = access
        self._sessions = sessions
        self._playable = playable

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        access = self._access
        links = list(PUBLIC_LINKS)
        if self._sessions is not None and scope["type"] == "http":
            secret = HTTPConnection(scope).cookies.get(COOKIE)
            account = await run_sync(self._sessions.account, secret) if secret else None
            if account is not None:
                access = account_access(account)
                links += [("/submit", "Submit"), ("/sign-in", account.name)]
            else:
                links.append(("/sign-in", "Sign in"))
        if self._playable and access.organiser:
            links.insert(len(PUBLIC_LINKS), ("/play", "Play"))
        NAVIGATION.set(links)
        scope["access"] = access
        await self._app(scope, receive, send)
