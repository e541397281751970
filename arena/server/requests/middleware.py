"""Middleware: security headers, refusal of addresses with NUL and of cross-site requests, authentication, the language.

Pages load, run and contact only files of this site and cannot be framed, but for those that packages name; requests
that change something must come from its own pages.
"""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.language.languages import LANGUAGE, choose
from arena.server.access import PRIVATE, Access, account_access
from arena.server.accounts.proxy_sign_in import ProxyRefused, ProxySignIn
from arena.server.accounts.sessions import COOKIE, Sessions
from arena.server.api.operations import is_of_api
from arena.server.api.problems import problem
from arena.server.live.event_streams import VIEWER, Viewer
from arena.server.pages.navigation import NAVIGATION, PUBLIC_LINKS
from arena.store.people.accounts import AccountRow

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

FRAMED = {name: value for name, value in HEADERS.items() if name != "x-frame-options"} | {
    "content-security-policy": POLICY.replace("form-action 'self'", "form-action 'none'").replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
    "cross-origin-resource-policy": "cross-origin",
}
"""The headers of a page that others may show in a frame."""


LANGUAGE_COOKIE = "language"
"""The cookie that remembers the language that somebody chose."""

YEAR = 365 * 24 * 3600
"""Seconds."""

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


class NoNulCharacters:
    """Refuses addresses with a NUL character: nothing has one in its name, and servers of databases take none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refuse = problem if is_of_api(scope["path"]) else _text
        if "\0" in scope["path"]:
            await refuse(HTTPStatus.NOT_FOUND, "there is nothing at this address")(scope, receive, send)
        elif b"%00" in scope["query_string"] or b"\0" in scope["query_string"]:
            await refuse(HTTPStatus.BAD_REQUEST, "a parameter has a NUL character")(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class SameOriginOnly:
    """Refuses cross-site requests, and host names that are not this site's (DNS rebinding).

    Only POST changes anything: other methods are accepted from anywhere, and so is the API, as it reads no cookies.

    hosts: the accepted host names; empty: any.
    cross_site: the beginnings of paths to which others may post, as those pages read no cookies either.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = (), cross_site: tuple[str, ...] = ()) -> None:
        self._app = app
        self._hosts = hosts
        self._cross_site = cross_site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http" and (wrong := self._wrong(scope)):
            refuse = problem if is_of_api(scope["path"]) else _text
            await refuse(HTTPStatus.FORBIDDEN, wrong)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _wrong(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        try:
            name, sender = urlsplit(f"//{host}").hostname, urlsplit(origin).netloc
        except ValueError:
            return "the Host or the Origin of this request is no address"
        if self._hosts and name not in self._hosts:
            return "this site is not served under that host name: use its public address (--public-url sets it)"
        if scope["method"] != "POST" or is_of_api(scope["path"]) or scope["path"].startswith(self._cross_site):
            return ""
        site = headers.get("sec-fetch-site")
        own = site == "same-origin" if site is not None else sender == host and bool(host)
        return "" if own else "requests from pages of other sites are refused"


def _text(status: HTTPStatus, sentence: str) -> Response:
    return PlainTextResponse(sentence, status)


class SecurityHeaders:
    """Adds the security headers to every response.

    framed: the beginnings of the paths of pages that others may show in frames.
    """

    def __init__(self, app: ASGIApp, framed: tuple[str, ...]) -> None:
        self._app = app
        self._framed = framed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_framed = scope.get("path", "").startswith(self._framed) and message["status"] == HTTPStatus.OK
                for name, value in (FRAMED if is_framed else HEADERS).items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)


class LanguageChoice:
    """Sets the language of each request: the one in the address, which a cookie then remembers, or the browser's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or is_of_api(scope["path"]):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        asked, remembered = request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)
        language = choose(asked, remembered, request.headers.get("accept-language", ""))
        LANGUAGE.set(language)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.add_vary_header("accept-language")
                    headers.add_vary_header("cookie")
                if asked == language != remembered:
                    headers.append(
                        "set-cookie", f"{LANGUAGE_COOKIE}={language}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
                    )
            await send(message)

        await self._app(scope, receive, with_headers)


class Authentication:
    """Sets the access and the navigation of each request, and how its answer may be kept.

    What somebody who is signed in is shown is theirs alone: nobody keeps it, unless the answer says otherwise, as the
    files of the site do. What visitors are shown may be kept for visitors.

    access: what visitors may see who are not signed in.
    sessions: who is signed in; None: nobody can be.
    playable: whether organisers can play here.
    proxy: signs people in; None: no proxy does.
    has_leagues: whether the database has leagues; it is asked in a thread.
    """

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        sessions: Sessions | None,
        playable: bool,
        proxy: ProxySignIn | None = None,
        has_leagues: Callable[[], bool] = lambda: False,
    ) -> None:
        self._app = app
        self._proxy = proxy
        self._access = access
        self._sessions = sessions
        self._playable = playable
        self._has_leagues = has_leagues

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        access = self._access
        links = list(PUBLIC_LINKS)
        is_api = scope["type"] == "http" and is_of_api(scope["path"])  # which reads tokens alone, and has no links
        if scope["type"] == "http" and not is_api and await run_sync(self._has_leagues):
            links[0] = ("/", "Home")
            links.insert(1, ("/leagues", "Leagues"))
        if self._sessions is not None and scope["type"] == "http" and not is_api:
            scope["sign_in"] = partial(self._account, self._sessions, scope)
            try:
                account = await run_sync(scope["sign_in"])
            except ProxyRefused as error:
                await PlainTextResponse(str(error), HTTPStatus.FORBIDDEN)(scope, receive, send)
                return
            if account is not None:
                access = account_access(account, self._access.names)
                scope[VIEWER] = Viewer(account.name, partial(_is_still, scope["sign_in"], account))
                links += [("/submit", "Submit"), ("/sign-in", account.display_name or account.name)]
            else:
                links += [("/join", "Take part"), ("/sign-in", "Sign in")]
        if access.organiser and (self._sessions is not None or ("/leagues", "Leagues") in links):
            links.insert([path for path, _ in links].index("/bots") + 1, ("/status", "Status"))
        if self._playable and access.organiser:
            links.insert([path for path, _ in links].index("/bots") + 1, ("/play", "Play"))
        NAVIGATION.set(links)
        scope["access"] = access
        has_sessions = self._sessions is not None and scope["type"] == "http" and not is_api
        await self._app(scope, receive, _with_caching(send, access) if has_sessions else send)

    def _account(self, sessions: Sessions, scope: Scope) -> AccountRow | None:
        """Return who is signed in now. Raises ProxyRefused."""
        account = self._proxy.account(scope) if self._proxy is not None else None
        secret = HTTPConnection(scope).cookies.get(COOKIE)
        return sessions.account(secret) if account is None and secret else account


def _with_caching(send: Send, access: Access) -> Send:
    """Return what sends an answer with the headers that keep caches from showing it to somebody else."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if "cache-control" not in headers:
                headers.add_vary_header("cookie")
                if access.account is not None:
                    headers.update(PRIVATE)
        await send(message)

    return with_headers


def _is_still(sign_in: Callable[[], AccountRow | None], account: AccountRow) -> bool:
    """Return whether somebody is still signed in with the same rights."""
    try:
        return sign_in() == account
    except ProxyRefused:
        return False
