"""Routes to begin practice leagues, and to remove them."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.league.plan.definition import unplayable
from arena.league.practice.control import (
    MOST_VERSIONS,
    PracticeRequest,
    TooMuchPractice,
    begin_practice,
    can_practise,
    let_enter,
    remove_practice_league,
)
from arena.league.run.practice_turns import MOST_MATCHES, PracticeTerms
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues
from arena.packs.manifest import Manifest
from arena.plan.field import samples
from arena.server.access import Access, access_of, signed_in
from arena.server.errors import PageNotFound
from arena.server.leagues.league_parts import league_path
from arena.server.requests.request_body import form_lists
from arena.server.templates import TEMPLATES
from arena.store import NoSuchRow, Store
from arena.store.people.accounts import AccountRow
from arena.store.people.submissions import SubmissionRow
from arena.values.errors import ArenaError
from arena.values.server_log import log_event
from referee.engine import registry
from referee.engine.errors import EngineError

SHOWN_VERSIONS = 40
"""Versions that can be chosen: the newest of each bot first."""


class _For(NamedTuple):
    """For what somebody practises."""

    value: str
    """As in the form: league:NAME or game:NAME."""
    name: str
    game: str
    is_league: bool


class _Form(NamedTuple):
    """What the form was filled in with."""

    what: str = ""
    bots: Sequence[str] = ()
    samples: Sequence[str] = ()
    error: str = ""
    """Why it was refused; empty before it is sent."""


class PracticeRoutes:
    """The handlers.

    terms: what practice may take of the server.
    """

    def __init__(self, store: Store, terms: PracticeTerms) -> None:
        self._store = store
        self._terms = terms

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/practice", self.show, "GET"),
            ("/practice", self.begin, "POST"),
            ("/practice/enter", self.enter, "POST"),
            ("/practice/{league}/remove", self.remove, "POST"),
        ]

    def show(self, request: Request) -> Response:
        """Return the practice leagues of whoever is signed in, and the form to begin one."""
        signed_in(request)
        return HTMLResponse(self._page(access_of(request), _Form(request.query_params.get("for", ""))))

    async def begin(self, request: Request) -> Response:
        """Begin a practice league, and go to its board."""
        account, fields = signed_in(request), await form_lists(request)
        return await run_sync(self._begin, access_of(request), account, fields)

    def _begin(self, access: Access, account: AccountRow, fields: dict[str, list[str]]) -> Response:
        what, bots, chosen = fields.get("for", [""])[0], fields.get("bot", []), fields.get("sample", [])
        kind, _, name = what.partition(":")
        asked = PracticeRequest(bots, name if kind == "league" else "", name if kind == "game" else "", chosen)
        try:
            league = begin_practice(self._store, account.owner, account.name, asked)
        except TooMuchPractice:
            raise
        except (ArenaError, EngineError) as error:
            page = self._page(access, _Form(what, bots, chosen, _sentence(error)))
            return HTMLResponse(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        return RedirectResponse(league_path(league.name), HTTPStatus.SEE_OTHER)

    async def enter(self, request: Request) -> Response:
        """Let a version enter leagues that was handed in for practice alone, and return to the page."""
        account, fields = signed_in(request), await form_lists(request)
        return await run_sync(self._enter, access_of(request), account, fields.get("bot", [""])[0])

    def _enter(self, access: Access, account: AccountRow, title: str) -> Response:
        try:
            let_enter(self._store, account.owner, title)
        except ArenaError as error:
            page = self._page(access, _Form(error=str(error)))
            return HTMLResponse(page, HTTPStatus.UNPROCESSABLE_ENTITY)
        log_event("version_let_enter", f"{title} may enter leagues", account=account.name)
        return RedirectResponse("/practice", HTTPStatus.SEE_OTHER)

    def remove(self, request: Request) -> Response:
        """Remove a practice league, and return to the page."""
        account, name = signed_in(request), request.path_params["league"]
        try:
            remove_practice_league(self._store, None if access_of(request).organiser else account.owner, name)
        except NoSuchRow:
            raise PageNotFound(f"there is no practice league {name}") from None
        return RedirectResponse("/practice", HTTPStatus.SEE_OTHER)

    def _page(self, access: Access, form: _Form) -> str:
        account = access.account
        assert account is not None
        now = datetime.now(UTC)
        with self._store.snapshot():
            rows = PracticeLeagues(self._store).all(None if access.organiser else account.owner)
            lines = [(row, PracticeLeagues(self._store).bots(row.id)) for row in rows]
            used = PracticeLeagues(self._store).used_ms(now)
            versions = can_practise(self._store, account.owner)
            choices = _choices(Leagues(self._store).all(), versions)
        chosen = next((choice for choice in choices if choice.value == form.what), None)
        if chosen is None and len(choices) == 1:
            [chosen] = choices
        playing = [] if chosen is None else [row for row in versions if _plays(row, chosen.game)]
        return TEMPLATES.page(
            "practice/practice.html",
            translated=True,
            owner=account.owner,
            rows=lines,
            is_off=not self._terms.cpu_per_day,
            is_used_up=sum(used.values()) >= self._terms.cpu_per_day * 1000,
            used_minutes=f"{used.get(account.owner, 0) / 60_000:.1f}".removesuffix(".0"),
            most_minutes=f"{self._terms.cpu_per_day / 60:.1f}".removesuffix(".0"),
            most_versions=MOST_VERSIONS,
            most_matches=MOST_MATCHES,
            has_versions=bool(versions),
            practice_only=[row.title for row in versions if row.practice_only],
            choices=choices,
            chosen=chosen,
            versions=_newest_first(playing)[:SHOWN_VERSIONS],
            samples=[] if chosen is None else list(samples(chosen.game)),
            form=form,
        )


def _choices(leagues: Sequence[LeagueRow], versions: Sequence[SubmissionRow]) -> list[_For]:
    """Return for what somebody can practise with some versions: leagues, the newest first, and games."""
    games = [game for game in registry.names() if any(_plays(row, game) for row in versions)]
    playable = [
        row
        for row in reversed(leagues)
        if row.game in games and row.state != "closed" and not unplayable(row.definition)
    ]
    return [
        *(_For(f"league:{row.name}", row.name, row.game, is_league=True) for row in playable),
        *(_For(f"game:{game}", game, game, is_league=False) for game in games),
    ]


def _plays(row: SubmissionRow, game: str) -> bool:
    return Manifest.from_json(row.manifest).plays(game)


def _newest_first(rows: Sequence[SubmissionRow]) -> list[SubmissionRow]:
    """Return versions with the newest one of each bot first, then the second newest ones."""
    place: dict[tuple[str, int], int] = {}
    for row in rows:
        place[row.name, row.version] = sum(name == row.name for name, _ in place)
    return sorted(rows, key=lambda row: (place[row.name, row.version], row.name))


def _sentence(error: Exception) -> str:
    """Say to a visitor what is wrong: what the database says of itself is for organisers."""
    return "there is no such league: choose another one" if isinstance(error, NoSuchRow) else str(error)
