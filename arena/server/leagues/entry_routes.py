"""Routes by which owners and organisers retire, readmit and challenge entries of leagues."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from arena.league import control
from arena.league.challenges import challenge
from arena.server.access import signed_in
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.entry import find_row
from arena.server.leagues.league_parts import league_path
from arena.server.requests.request_body import form_lists
from arena.store import Store
from arena.store.people.accounts import ORGANISER, AccountRow


class EntryRoutes:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache) -> None:
        self._store = store
        self._leagues = leagues

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        entry = "/leagues/{league}/entries/{number:number}"
        return [
            (f"{entry}/retire", partial(self._decide, control.retire_entry), "POST"),
            (f"{entry}/readmit", partial(self._decide, control.readmit_entry), "POST"),
            ("/leagues/{league}/challenges", self.challenge, "POST"),
        ]

    def _decide(self, decide: Callable[..., None], request: Request) -> Response:
        """Retire or readmit an entry, and return to its page."""
        account, view = signed_in(request), self._leagues.of(request.path_params["league"]).view()
        entry = find_row(view, request.path_params["number"]).entry
        decide(self._store, view.league, entry.number, account.owner, "", organiser=account.role == ORGANISER)
        return RedirectResponse(f"{league_path(view.league.name)}/entries/{entry.number}", HTTPStatus.SEE_OTHER)

    async def challenge(self, request: Request) -> Response:
        """Have a bot play others, and go to the page of the batch."""
        account = signed_in(request)
        fields = await form_lists(request)
        return await run_sync(self._challenge, request.path_params["league"], account, fields)

    def _challenge(self, league: str, account: AccountRow, fields: dict[str, list[str]]) -> Response:
        board = self._leagues.of(league).view().board
        [bot], against, [deals] = fields.get("bot", [""])[:1], fields.get("against", []), fields.get("deals", [""])[:1]
        if not (deals.isascii() and deals.isdecimal() and len(deals) < 10):
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "say how many deals, as a number such as 100")
        organiser = account.role == ORGANISER
        number = challenge(
            self._store, self._store.where, board, bot, against, int(deals), account.owner, organiser=organiser
        )
        return RedirectResponse(f"{league_path(board.league.name)}/batches/{number}", HTTPStatus.SEE_OTHER)
