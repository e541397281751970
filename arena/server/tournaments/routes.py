"""Routes of the home page and of the pages of tournaments."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.language.languages import LANGUAGE
from arena.server.access import Access, access_of
from arena.server.leagues.league_list import LeagueHome
from arena.server.live.event_streams import EventStream, StreamCounter
from arena.server.pages.previews import preview_of
from arena.server.tournaments import home, tournament
from arena.server.tournaments.downloads import Downloads
from arena.server.tournaments.live import LiveTournaments
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.server.tournaments.telling_matches import TellingMatches
from arena.store import Store


class TournamentRoutes:
    """The handlers. Starlette runs the synchronous ones in threads, because the store blocks.

    store: the open database.
    rankings: the rankings of tournaments.
    leagues: returns what the home page shows somebody of leagues.
    streams: the counter of open event streams.
    """

    def __init__(
        self, store: Store, rankings: RankingCache, leagues: Callable[[Access], LeagueHome], streams: StreamCounter
    ) -> None:
        self._store = store
        self._rankings = rankings
        self._leagues = leagues
        self._streams = streams
        self._live = LiveTournaments(store)
        self._telling = TellingMatches(store)
        self._downloads = Downloads(store, rankings)
        self._computed: dict[tuple[int, str], tuple[CachedRanking, str | None, str]] = {}

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/", self.home),
            ("/tournaments/{number:number}", self.tournament),
            ("/tournaments/{number:number}/ranking", self.ranking),
            ("/tournaments/{number:number}/telling", self.telling),
            ("/tournaments/{number:number}/ranking.tex", self._downloads.latex),
            ("/tournaments/{number:number}/matches.csv", self._downloads.csv),
            ("/tournaments/{number:number}/matches.parquet", self._downloads.parquet),
            ("/tournaments/{number:number}/events", self.live),
        ]

    def home(self, request: Request) -> Response:
        """Return what goes on in leagues, if there are any, and the list of tournaments."""
        access = access_of(request)
        return HTMLResponse(home.show(self._store, self._rankings, access, self._leagues(access)))

    def tournament(self, request: Request) -> Response:
        """Return the page of a tournament."""
        row = self._store.tournament(request.path_params["number"])
        ranked = self._rankings.of(row)
        telling = self._telling.known(row, ranked)
        preview = preview_of(request, row, ranked)
        html = tournament.show(self._store, row, self._rankings, access_of(request), preview, telling)
        find = BackgroundTask(self._telling.find, row, ranked) if telling is None else None
        return HTMLResponse(html, background=find)

    def telling(self, request: Request) -> Response:
        """Return the most telling matches, for an open page; nothing with the status 202 while they are looked for."""
        row = self._store.tournament(request.path_params["number"])
        ranked = self._rankings.of(row)
        if (telling := self._telling.known(row, ranked)) is None:
            find = BackgroundTask(self._telling.find, row, ranked)
            return Response(status_code=HTTPStatus.ACCEPTED, background=find)
        return HTMLResponse(str(tournament.telling_part(telling) or ""))

    def ranking(self, request: Request) -> Response:
        """Return only what is computed from the matches of a tournament, to update open pages."""
        row = self._store.tournament(request.path_params["number"])
        cached, key = self._rankings.of(row), (row.id, LANGUAGE.get())
        known, finished, parts = self._computed.get(key, (None, None, ""))
        if known is not cached or finished != row.finished:  # many may have the page open: it is written once
            parts = "".join(map(str, tournament.computed(row, cached)))
            self._computed[key] = cached, row.finished, parts
        return HTMLResponse(parts)

    async def live(self, request: Request) -> Response:
        """Return the progress of a running tournament as server-sent events."""
        number = request.path_params["number"]
        await self._live.progress(number)  # raises NoSuchRow before the stream begins
        return EventStream(self._live.events(number), self._streams)
