"""Routes to sign in and out."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.server_log import log_event
from arena.store.accounts import ORGANISER
from arena.web.access import access_of, visitor_of
from arena.web.pages import sign_in
from arena.web.rate_limit import RateLimit
from arena.web.request_body import form
from arena.web.sessions import COOKIE, Sessions, set_session_cookie


class SessionRoutes:
    """The handlers. sessions: who is signed in."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._wrong_tokens = RateLimit(10, 300)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/sign-in", self.ask, "GET"),
            ("/sign-in", self.sign_in, "POST"),
            ("/sign-out", self.sign_out, "POST"),
        ]

    def ask(self, request: Request) -> Response:
        """Return the page to sign in."""
        return HTMLResponse(sign_in.show(access_of(request).account))

    async def sign_in(self, request: Request) -> Response:
        """Start a session for the owner of a token."""
        token = (await form(request)).get("token", "")
        session = await run_sync(self._sessions.sign_in, token)
        if session is None:
            # Only wrong tokens are limited, so others behind the same address lock nobody out.
            if not self._wrong_tokens.allows(visitor_of(request)):
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong tokens: try again in five minutes")
            return HTMLResponse(sign_in.show(None, "the token is unknown or was revoked"), HTTPStatus.FORBIDDEN)
        secret, account = session
        log_event("sign_in", f"{account.name} signed in", account=account.name)
        answer = RedirectResponse("/" if account.role == ORGANISER else "/submit", HTTPStatus.SEE_OTHER)
        set_session_cookie(answer, secret, secure=request.url.scheme == "https")
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        self._sessions.sign_out(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        answer.delete_cookie(COOKIE)
        return answer
