"""Routes of the pages on why a bot loses."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.store import Store
from arena.tournament.results.stored_tournament import StoredTournament
from arena.weaknesses.loading import league_contest, tournament_contest
from arena.web.access import MatchWithheld, access_of
from arena.web.errors import PageNotFound
from arena.web.league_cache import LeagueCache
from arena.web.pages import weaknesses
from arena.web.pages.entry import find_row
from arena.web.pages.layout import tournament_link
from arena.web.pages.league_parts import entry_link, trail
from arena.web.ranking_cache import RankingCache
from arena.web.weakness_cache import WeaknessCache


class WeaknessRoutes:
    """The handlers. rankings, leagues: as last read."""

    def __init__(self, store: Store, rankings: RankingCache, leagues: LeagueCache) -> None:
        self._store = store
        self._rankings = rankings
        self._leagues = leagues
        self._reports = WeaknessCache(store)

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/tournaments/{number:number}/why/{place:number}", self.tournament),
            ("/leagues/{league}/entries/{number:number}/why", self.entry),
        ]

    def tournament(self, request: Request) -> Response:
        """Return the report on a bot of a tournament. Raises MatchWithheld where its matches are hidden."""
        number, place = request.path_params["number"], request.path_params["place"]
        row = self._store.tournament(number)
        if not access_of(request).organiser and row.finished is None:
            raise MatchWithheld(f"why bots lose is shown once tournament {number} is over: its deals are still in play")
        if place >= len(row.entrants):
            raise PageNotFound(f"tournament {number} has no bot {place}: see its ranking")
        ranked = self._rankings.of(row)
        elo = {each.bot: each.elo for each in ranked.standings.table.rows}
        parts = self._reports.of(
            ("tournament", row.key, place),
            (ranked.count, ranked.decided),
            lambda: tournament_contest(StoredTournament(self._store, row), elo, place),
        )
        return HTMLResponse(weaknesses.show(row.names[place], tournament_link(number), parts, here="/"))

    def entry(self, request: Request) -> Response:
        """Return the report on an entry of a league."""
        cached, number = self._leagues.of(request.path_params["league"]), request.path_params["number"]
        view = cached.view()
        entry = find_row(view, number).entry
        parts = self._reports.of(
            ("entry", cached.id, number),
            (view.board.results, view.pulse.ratings),
            lambda: league_contest(self._store, view.board, cached.played.newest(number), number),
        )
        above = trail(cached.name, entry_link(cached.name, entry), "why it loses")
        return HTMLResponse(weaknesses.show(entry.name, above, parts, here="/leagues"))
