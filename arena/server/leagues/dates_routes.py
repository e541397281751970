"""The page with the dates of a league, on which organisers change them and extend the deadline of an owner."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.language.messages import gettext as _
from arena.league.dates.control import GivenDates, extend, set_dates
from arena.league.store.league_dates import LeagueDates
from arena.league.store.leagues import Leagues
from arena.server.access import PRIVATE, access_of, signed_in
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.dates import WORDS, date_rows
from arena.server.leagues.league_parts import league_path
from arena.server.requests.request_body import form_lists
from arena.server.templates import TEMPLATES
from arena.store import Store
from arena.store.people.accounts import ORGANISER, AccountRow
from arena.values.given_time import LONGEST_ZONE, NONE, clock_time, shown_time

LONGEST_REASON = 200
"""Characters of a reason."""

UTC = "UTC"
"""The time zone of dates for which none was given."""


class DatesRoutes:
    """The handlers.

    leagues: the leagues as they were read last.
    """

    def __init__(self, store: Store, leagues: LeagueCache) -> None:
        self._store = store
        self._leagues = leagues

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        path = "/leagues/{league}/dates"
        return [(path, self.show, "GET"), (path, self.write, "POST")]

    def show(self, request: Request) -> Response:
        """Return the page."""
        league = self._leagues.of(request.path_params["league"]).view().league
        dates, season = Leagues(self._store).dates(league.id), Leagues(self._store).seasons(league.id)[-1]
        access = access_of(request)
        organiser = access.organiser and access.account is not None
        page = TEMPLATES.page(
            "leagues/dates_page.html",
            translated=True,
            league=league.name,
            season=season.number,
            rows=[(_(words), moment, shown) for words, moment, shown in date_rows(dates)],
            organiser=organiser,
            is_open=league.state != "closed" and season.phase == "open",
            inputs=[(name, _(words), clock_time(getattr(dates, name), dates.zone)) for name, words in WORDS.items()],
            zone=dates.zone or UTC,
            longest_zone=LONGEST_ZONE,
            longest_reason=LONGEST_REASON,
            has_deadline=bool(dates.deadline),
            extensions=[(owner, shown_time(until, dates.zone)) for owner, until in sorted(dates.extensions.items())],
        )
        return HTMLResponse(page, headers=PRIVATE if organiser else None)

    async def write(self, request: Request) -> Response:
        """Change the dates or the deadline of an owner, and return to the page."""
        account, fields = signed_in(request), await form_lists(request)
        given = {name: values[0].strip() for name, values in fields.items() if values}
        return await run_sync(partial(self._write, request.path_params["league"], account, given))

    def _write(self, league: str, account: AccountRow, fields: Mapping[str, str]) -> Response:
        if account.role != ORGANISER:
            raise HTTPException(HTTPStatus.FORBIDDEN, "only organisers change the dates of a league")
        name, reason = self._leagues.of(league).name, fields.get("reason", "")
        if len(reason) > LONGEST_REASON:
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, f"a reason has up to {LONGEST_REASON} characters")
        known = Leagues(self._store).dates(Leagues(self._store).named(name).id)
        if "owner" in fields:
            until = fields.get("until") or NONE
            extend(self._store, name, fields["owner"], until, account.name, reason, known.zone or UTC)
        elif not (given := given_dates(fields, known)).is_empty:
            set_dates(self._store, name, given, account.name, reason)
        return RedirectResponse(f"{league_path(name)}/dates", HTTPStatus.SEE_OTHER)


def given_dates(fields: Mapping[str, str], known: LeagueDates) -> GivenDates:
    """Return what a form changes. A field that is empty takes a date back.

    fields: by name the times of clocks in the time zone of the form.
    known: the dates that hold, which the form showed.
    """
    zone = fields.get("timezone") or UTC
    is_same = zone == (known.zone or UTC)
    given = {name: fields.get(name, "") for name in WORDS}
    changed = {
        name: text or NONE
        for name, text in given.items()
        if text != clock_time(getattr(known, name), known.zone) or (text and not is_same)
    }
    return GivenDates(**changed, timezone=zone) if changed else GivenDates()
