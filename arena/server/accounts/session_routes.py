"""Routes to sign in and out."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.server.access import PRIVATE, VISITOR, Access, access_of, signed_in, visitor_of
from arena.server.accounts.sessions import COOKIE, Sessions, set_session_cookie
from arena.server.limits.rate_limit import RateLimit
from arena.server.requests.request_body import form
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.store.people.accounts import ORGANISER, AccountRow
from arena.values.display_names import LONGEST, BadDisplayName
from arena.values.server_log import log_event

DISPLAY_NAMES = (10, 3600.0)
"""So many display names of an account within so many seconds."""


class SessionRoutes:
    """The handlers.

    sessions: who is signed in.
    links: of packages, in the page of an account: address and text.
    sign_in_links: of packages, to other ways to sign in.
    """

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        links: Sequence[tuple[str, str]] = (),
        sign_in_links: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._links = links
        self._sign_in_links = sign_in_links
        self._wrong_tokens = RateLimit(10, 300)
        self._renamed = RateLimit(*DISPLAY_NAMES)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/sign-in", self.ask, "GET"),
            ("/sign-in", self.sign_in, "POST"),
            ("/sign-out", self.sign_out, "POST"),
            ("/account/display-name", self.choose_display_name, "POST"),
        ]

    def ask(self, request: Request) -> Response:
        """Return the page to sign in."""
        return HTMLResponse(self._page(access_of(request)))

    async def sign_in(self, request: Request) -> Response:
        """Start a session for the owner of a token."""
        token = (await form(request)).get("token", "")
        session = await run_sync(self._sessions.sign_in, token)
        if session is None:
            # Only wrong tokens are limited, so others behind the same address lock nobody out.
            if not self._wrong_tokens.allows(visitor_of(request)):
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong tokens: try again in five minutes")
            return HTMLResponse(self._page(VISITOR, "the token is unknown or was revoked"), HTTPStatus.FORBIDDEN)
        secret, account = session
        log_event("sign_in", f"{account.name} signed in", account=account.name)
        answer = RedirectResponse("/" if account.role == ORGANISER else "/submit", HTTPStatus.SEE_OTHER)
        set_session_cookie(answer, secret, secure=request.url.scheme == "https")
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session; who was signed in elsewhere is told how to sign out there."""
        goodbye = self._sessions.sign_out(request.cookies.get(COOKIE, ""))
        answer: Response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        if goodbye:
            page = TEMPLATES.page("accounts/signed_out.html", goodbye=goodbye, host=urlsplit(goodbye).hostname)
            answer = HTMLResponse(page, headers=PRIVATE)
        answer.delete_cookie(COOKIE)
        return answer

    async def choose_display_name(self, request: Request) -> Response:
        """Store the display name of whoever is signed in, and return to the page of the account."""
        account = signed_in(request)
        text = (await form(request)).get("display_name", "")
        try:
            check_turn(self._renamed, account)
            await run_sync(self._store.accounts.choose_display_name, account.name, text)
        except BadDisplayName as error:
            page = self._page(access_of(request), str(error), text[:LONGEST])
            return HTMLResponse(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        return RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER)

    def _page(self, access: Access, error: str = "", text: str | None = None) -> str:
        """Return the page to sign in, or of the account.

        text: the display name in the form; None: that of the account.
        """
        account = access.account
        return TEMPLATES.page(
            "accounts/sign_in.html",
            account=account,
            error=error,
            text=((account and account.display_name) or "") if text is None else text,
            audience=access.names,
            links=self._links,
            sign_in_links=self._sign_in_links,
        )


def check_turn(renamed: RateLimit, account: AccountRow) -> None:
    """Raise HTTPException where an account has chosen too many display names."""
    if not renamed.allows(account.name):
        sentence = "too many display names within an hour: try again later"
        raise HTTPException(
            HTTPStatus.TOO_MANY_REQUESTS, sentence, {"retry-after": str(int(renamed.seconds_left(account.name)) + 1)}
        )
