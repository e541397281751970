"""The way to the provider and back."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.server.access import PRIVATE, visitor_of
from arena.server.accounts.sessions import Sessions, set_session_cookie
from arena.server.limits.rate_limit import RateLimit
from arena.store import Store
from arena.store.people.accounts import ORGANISER, AccountRow
from arena.values.server_log import Notice, log_event
from arena.values.texts import printable
from arena_openid.flows import Flow, FlowCookie
from arena_openid.people import account_for, needed_claims
from arena_openid.provider import Provider
from arena_openid.settings import OpenIdError, OpenIdSettings, ProviderAway
from arena_openid.templates import TEMPLATES

BEGIN = "/sign-in/openid"
"""The page from which people are sent to the provider."""

CALLBACK = "/sign-in/openid/callback"
"""The page to which the provider sends them back."""

MOST_SECONDS = 30.0
"""For all that the provider is asked at once."""

SIGN_INS = (300, 300.0)
"""So many sign-ins from an address within so many seconds: a whole class may have the same."""

LONGEST_CODE = 4096
"""Characters of what the provider sends people back with."""

Value = TypeVar("Value")


class OpenIdRoutes:
    """The handlers.

    site: where people reach the pages.
    sessions: of who is signed in.
    say: called with what the organiser should know.
    """

    def __init__(
        self,
        store: Store,
        settings: OpenIdSettings,
        provider: Provider,
        site: str,
        sessions: Sessions,
        say: Callable[[str], None],
    ) -> None:
        self._store = store
        self._settings = settings
        self._provider = provider
        self._site = site
        self._sessions = sessions
        self._say = say
        self._said = RateLimit(1, 60)
        self._is_secure = site.startswith("https://")
        self._cookie = FlowCookie(is_secure=self._is_secure)
        self._begun, self._returned = RateLimit(*SIGN_INS), RateLimit(*SIGN_INS)
        self._threads = trio.CapacityLimiter(16)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [(BEGIN, self.begin, "GET"), (CALLBACK, self.come_back, "GET")]

    async def begin(self, request: Request) -> Response:
        """Send somebody to the provider. Pages of other sites begin no sign-in."""
        if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER, PRIVATE)
        self._limit(self._begun, request)
        flow = Flow.begin()
        url = await self._asked(self._provider.authorization_url, flow, self._site + CALLBACK)
        answer = RedirectResponse(url, HTTPStatus.SEE_OTHER, PRIVATE)
        self._cookie.set(answer, flow)
        return answer

    async def come_back(self, request: Request) -> Response:
        """Sign in whom the provider sends back, and lead them on: by a page of ours, as the cookie is a strict one."""
        flow, query = self._cookie.read(request), request.query_params
        if flow is None or not flow.began_with(query.get("state", "")):
            sentence = "this sign-in was not begun in this browser, or it took too long: begin again at /sign-in"
            raise HTTPException(HTTPStatus.FORBIDDEN, sentence)
        self._limit(self._returned, request)
        try:
            account, goodbye = await self._asked(self._signed_in, flow, dict(query))
        except HTTPException as error:
            self._cookie.delete(forgetting := Response())
            error.headers = {**(error.headers or {}), "set-cookie": forgetting.headers["set-cookie"]}
            raise
        secret = self._sessions.start(account, goodbye)
        log_event("sign_in", f"{account.name} signed in by {self._settings.host}", account=account.name)
        path = "/" if account.role == ORGANISER else "/submit"
        page = TEMPLATES.page("signed_in.html", account=account, path=path)
        answer = HTMLResponse(page, headers={**PRIVATE, "refresh": f"0; url={path}"})
        self._cookie.delete(answer)
        set_session_cookie(answer, secret, secure=self._is_secure)
        return answer

    def _signed_in(self, flow: Flow, query: dict[str, str]) -> tuple[AccountRow, str]:
        """Return the account of whom the provider sends back, and where they sign out there. Raises OpenIdError."""
        self._provider.check_sender(query.get("iss"))
        if "error" in query:
            raise OpenIdError(f"{self._settings.host} did not sign you in ({printable(query['error'][:80], '')})")
        code = query.get("code", "")
        if not 0 < len(code) <= LONGEST_CODE:
            raise OpenIdError(f"{self._settings.host} has sent no code")
        person = self._provider.redeem(code, flow, self._site + CALLBACK, *needed_claims(self._settings))
        account = account_for(self._store, self._settings, person.claims)
        return account, self._provider.sign_out_url(person.id_token, f"{self._site}/")

    async def _asked(self, function: Callable[..., Value], *arguments: object) -> Value:
        """Call what asks the provider, in a thread. Raises HTTPException with a sentence if that fails."""
        sentence, status = f"{self._settings.host} did not answer within {MOST_SECONDS:.0f} s", HTTPStatus.BAD_GATEWAY
        try:
            with trio.move_on_after(MOST_SECONDS):
                return await trio.to_thread.run_sync(
                    function, *arguments, abandon_on_cancel=True, limiter=self._threads
                )
        except OpenIdError as error:
            sentence = str(error)
            if not isinstance(error, ProviderAway):
                status = HTTPStatus.FORBIDDEN
        if self._said.allows(sentence[:200]):
            self._say(Notice(f"nobody was signed in: {sentence}", "sign_in_failed"))
        raise HTTPException(status, f"you are not signed in: {sentence}")

    def _limit(self, limit: RateLimit, request: Request) -> None:
        if not limit.allows(visitor_of(request)):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many sign-ins: try again in five minutes")
