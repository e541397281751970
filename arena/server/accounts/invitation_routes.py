"""Routes to accept an invitation, once."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.packs.errors import BadName
from arena.packs.names import check_account_name
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import PRIVATE, visitor_of
from arena.server.errors import PageNotFound
from arena.server.limits.rate_limit import RateLimit
from arena.server.requests.request_body import form
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.store.people.invitations import InvitationRow


class InvitationRoutes:
    """The handlers. Looking at an invitation does not use it up, as programs that preview links look at them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wrong = RateLimit(10, 300)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [("/invitations/{secret}", self.show, "GET"), ("/invitations/{secret}", self.accept, "POST")]

    def show(self, request: Request) -> Response:
        """Return the page of an invitation."""
        return HTMLResponse(_page(self._find(request)), headers=PRIVATE)

    async def accept(self, request: Request) -> Response:
        """Make the account of an invitation, and show its token."""
        row = await run_sync(self._find, request)
        name = row.name or (await form(request)).get("name", "").strip()
        try:
            check_account_name(name)
        except BadName as error:
            return HTMLResponse(_page(row, str(error)), HTTPStatus.UNPROCESSABLE_ENTITY, PRIVATE)
        token = new_token()
        hashes = token_hash(request.path_params["secret"]), token_hash(token)
        if not await run_sync(self._store.invitations.accept, hashes[0], name, hashes[1]):
            row = await run_sync(self._find, request)  # it may have been accepted meanwhile
            sentence = f"{name} has an account already, or had one that was closed: choose another name"
            if row.name:
                sentence = f"{name} has an account already: sign in with its token; if it was closed, ask for another"
            return HTMLResponse(_page(row, sentence), HTTPStatus.CONFLICT, PRIVATE)
        return HTMLResponse(TEMPLATES.page("accounts/new_account.html", name=name, token=token), headers=PRIVATE)

    def _find(self, request: Request) -> InvitationRow:
        """Return the invitation that a request names. Raises HTTPException."""
        row = self._store.invitations.find(token_hash(request.path_params["secret"]))
        if row is None:
            if not self._wrong.allows(visitor_of(request)):
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong links: try again in five minutes")
            raise PageNotFound("this invitation was accepted or has expired: ask the organiser for another one")
        return row


def _page(row: InvitationRow, error: str = "") -> str:
    return TEMPLATES.page("accounts/invitation.html", invitation=row, error=error)
