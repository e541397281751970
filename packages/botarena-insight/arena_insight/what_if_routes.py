"""Routes to try a move that was not played, and to see what comes of it."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.replay.replay import Replay
from arena.server.access import PRIVATE, access_of
from arena.server.matches.replay_routes import ReplayRoutes
from arena.server.requests.parameters import parse_number
from arena.server.requests.request_body import form
from arena_insight import what_if_pages as what_if
from arena_insight.match_branch import answer_at
from arena_insight.what_if_matches import Change, PlayedWhatIf, WhatIfMatches, may_play

PATH = "/matches/{id:number}/what-if"
ONE = PATH + "/{answer:number}/{choice:number}"


class WhatIfRoutes:
    """The handlers.

    matches: the what-ifs that were played here.
    """

    def __init__(self, matches: WhatIfMatches) -> None:
        self._matches = matches

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        reads = ReplayRoutes(ONE, self._replay).routes()
        return [
            (PATH, self.play, "POST"),
            (ONE, self.page, "GET"),
            (f"{ONE}/compare", self.compare, "GET"),
            *((path, handler, "GET") for path, handler in reads),
        ]

    async def play(self, request: Request) -> Response:
        """Have a match played on from another move, and lead to its replay."""
        fields = await form(request)
        answer, choice = parse_number(fields.get("answer", "")), parse_number(fields.get("choice", ""))
        if answer is None or choice is None:
            raise HTTPException(HTTPStatus.BAD_REQUEST, "the answer and the choice must be numbers")
        change = Change(request.path_params["id"], answer, choice)
        played = await run_sync(partial(self._matches.play, access_of(request), change))
        return RedirectResponse(f"{what_if.address(change)}#move={_frame(played)}", HTTPStatus.SEE_OTHER)

    def page(self, request: Request) -> Response:
        """Return the replay of a what-if, or the offer to have it played."""
        access, change = access_of(request), _change(request)
        played = self._matches.find(access, change)
        if played is not None:
            return HTMLResponse(what_if.show(change, played.what_if, _frame(played)), headers=PRIVATE)
        match = self._matches.match(access, change.match)
        step = answer_at(match, change.answer)
        if change.choice >= len(step.legal):
            raise HTTPException(HTTPStatus.NOT_FOUND, f"answer {change.answer} has {len(step.legal)} legal moves")
        return HTMLResponse(what_if.offer(change, match, step, may_play=may_play(access)), headers=PRIVATE)

    def compare(self, request: Request) -> Response:
        """Return a what-if beside the match from which it branches."""
        played, change = self._played(request), _change(request)
        match = self._matches.match(access_of(request), change.match)
        return HTMLResponse(what_if.compare(change, match, played.what_if), headers=PRIVATE)

    def _replay(self, request: Request) -> Replay:
        return self._played(request).replay

    def _played(self, request: Request) -> PlayedWhatIf:
        played = self._matches.find(access_of(request), _change(request))
        if played is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "this what-if is no longer kept: have it played again")
        return played


def _change(request: Request) -> Change:
    return Change(*(request.path_params[name] for name in ("id", "answer", "choice")))


def _frame(played: PlayedWhatIf) -> int:
    """Return the frame of the other move; several seats may answer in one."""
    ply = played.what_if.branch.ply
    positions = enumerate(played.replay.positions)
    return next(number for number, position in positions if any(step.ply == ply for step in position.steps))
