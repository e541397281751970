"""Routes of the list of matches and of their replays."""

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.bots.question_export import recorded_question
from arena.hooks.plugins import plugins
from arena.replay.known_values import known_values
from arena.replay.replay import Replay
from arena.server.access import access_of, visitor_of
from arena.server.limits.search_turns import SearchTurns
from arena.server.matches import match_list, score_sheet
from arena.server.matches import replay as replay_page
from arena.server.matches.compare_routes import CompareRoutes, matches_of_deal
from arena.server.matches.replay_cache import ReplayCache
from arena.server.matches.replay_routes import FAR, ReplayRoutes, number_in_query
from arena.server.pages.previews import preview_of
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store


class MatchRoutes:
    """The handlers. Starlette runs the synchronous ones in threads, because the store blocks.

    store: the open database.
    rankings: the rankings of tournaments.
    replays: recent replays.
    searches: the turns of searches.
    playable: whether organisers can play here.
    """

    def __init__(
        self, store: Store, rankings: RankingCache, replays: ReplayCache, searches: SearchTurns, *, playable: bool
    ) -> None:
        self._store = store
        self._rankings = rankings
        self._replays = replays
        self._searches = searches
        self._playable = playable

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/matches", self.matches),
            ("/matches/{id:number}", self.match),
            ("/matches/{id:number}/question", self.question),
            ("/matches/{id:number}/sheet", self.sheet),
            *ReplayRoutes("/matches/{id:number}", self._replay_of, self._known).routes(),
            *CompareRoutes(self._store).routes(),
        ]

    async def matches(self, request: Request) -> Response:
        """Return the list of matches that pass the filters."""
        show = partial(match_list.show, self._store, self._rankings, dict(request.query_params), access_of(request))
        return HTMLResponse(await self._searches.run(visitor_of(request), show))

    def match(self, request: Request) -> Response:
        """Return the replay player of a match, and load the replay while the browser loads the scripts."""
        access, id = access_of(request), request.path_params["id"]
        match = access.match(self._store, id)
        over = match.tournament_id is None or match.event.finished is not None
        html = replay_page.show(
            match,
            matches_of_deal(self._store, match),
            stage=self._rankings.stages.of(match.tournament_id, match.row.deal),
            playable=self._playable and access.organiser and over,
            parts=plugins().hook.arena_match_page(match=match, access=access, hosted=self._playable),
            preview=preview_of(request, match),
        )
        return HTMLResponse(html, background=BackgroundTask(self._replays.prepare, access, id))

    def sheet(self, request: Request) -> Response:
        """Return the score sheet of a match."""
        replay = self._replay_of(request)
        seat = number_in_query(request, "seat", replay.seats - 1) if "seat" in request.query_params else None
        return HTMLResponse(score_sheet.show(replay, seat))

    def question(self, request: Request) -> Response:
        """Return the file of a recorded question, for `arena ask`. It holds only what its seat saw."""
        match = access_of(request).match(self._store, request.path_params["id"])
        move = number_in_query(request, "move", len(match.row.times) - 1 if match.row.times else FAR)
        headers = {"content-disposition": f'attachment; filename="match-{match.id}-move-{move}.json"'}
        return Response(recorded_question(match, move).to_text(), media_type="application/json", headers=headers)

    def _replay_of(self, request: Request) -> Replay:
        """Return the replay of a match, without what the visitor may not see."""
        return self._replays.of(access_of(request), request.path_params["id"])

    def _known(self, replay: Replay, seat: int | None) -> dict[str, Any]:
        """Return what packages know of a match from a perspective."""
        return known_values(self._store, replay.match, seat)
