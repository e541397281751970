"""The announcements of a league: the newest above its board, and a page with all, on which organisers write."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.league.announcements.announcement import Announcement, parts_of
from arena.league.announcements.control import LONGEST, announce, announcements, retract
from arena.replay.html import Element
from arena.server.access import PRIVATE, access_of, signed_in
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.league_parts import league_path
from arena.server.requests.request_body import form_lists
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.store.people.accounts import ORGANISER, AccountRow


def newest_part(league: str, known: Sequence[Announcement]) -> Element:
    """Return the part of the board with the newest announcement that holds; it is hidden where there is none."""
    newest = next((row for row in known if row.retracted is None), None)
    parts = [] if newest is None else list(parts_of(newest.text))
    return TEMPLATES.macro("leagues/announcements_parts.html", "newest")(league, newest, parts, len(known))


class AnnouncementRoutes:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache) -> None:
        self._store = store
        self._leagues = leagues

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        path = "/leagues/{league}/announcements"
        return [(path, self.show, "GET"), (path, self.write, "POST")]

    def show(self, request: Request) -> Response:
        """Return the page with all announcements."""
        view = self._leagues.of(request.path_params["league"]).view()
        rows = [
            (row, list(parts_of(row.text)), [(when, list(parts_of(text))) for when, text in reversed(row.texts[:-1])])
            for row in announcements(self._store, view.league)
        ]
        access = access_of(request)
        organiser = access.organiser and access.account is not None
        page = TEMPLATES.page(
            "leagues/announcements.html",
            translated=True,
            league=view.league.name,
            rows=rows,
            organiser=organiser,
            longest=LONGEST,
        )
        return HTMLResponse(page, headers=PRIVATE if organiser else None)

    async def write(self, request: Request) -> Response:
        """Write, change or retract an announcement, and return to the page."""
        account, fields = signed_in(request), await form_lists(request)
        return await run_sync(partial(self._write, request.path_params["league"], account, fields))

    def _write(self, league: str, account: AccountRow, fields: dict[str, list[str]]) -> Response:
        if account.role != ORGANISER:
            raise HTTPException(HTTPStatus.FORBIDDEN, "only organisers announce something")
        name = self._leagues.of(league).name
        [text], [number], [decision] = (fields.get(field, [""])[:1] for field in ("text", "number", "decision"))
        if number and not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "the number of an announcement is a number")
        if decision == "retract" and number:
            retract(self._store, name, int(number), account.name)
        else:
            announce(self._store, name, text, account.name, int(number) if number else None)
        return RedirectResponse(f"{league_path(name)}/announcements", HTTPStatus.SEE_OTHER)
