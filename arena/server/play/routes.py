"""Routes to play by hand: start a match, show it from a seat, answer, continue a stored match."""

from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

import trio
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from arena.run.people.hosted_match import HostedMatch
from arena.server.access import PRIVATE, access_of
from arena.server.live.event_streams import EventStream, StreamCounter, event
from arena.server.matches.replay import UNSEEN
from arena.server.play import play
from arena.server.play.hosted_matches import PlaySession, PlaySessions
from arena.server.requests.parameters import parse_number
from arena.server.requests.proxies import site_address
from arena.server.requests.request_body import form, values
from referee.engine import registry

PATIENCE = 15.0
"""Seconds after which the state is sent again although nothing has changed."""

REMEMBERED = 24 * 60 * 60
"""Seconds for which a browser remembers the keys of the matches that it started."""


NOBODY = ""
"""The choice for an empty seat."""


class PlayRoutes:
    """The handlers.

    play_sessions: the hosted matches.
    streams: the counter of open event streams.
    """

    def __init__(self, play_sessions: PlaySessions, streams: StreamCounter) -> None:
        self._sessions = play_sessions
        self._streams = streams

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/play", self.games, "GET"),
            ("/play/matches/{number:number}/end", self.end, "POST"),
            ("/play/{game}", self.table, "GET"),
            ("/play/{game}", self.begin, "POST"),
            ("/sittings/{key}", self.match, "GET"),
            ("/sittings/{key}/events", self.events, "GET"),
            ("/sittings/{key}/leave", self.leave, "POST"),
            ("/sittings/{key}/seats/{seat:number}", self.seat, "GET"),
            ("/sittings/{key}/seats/{seat:number}", self.answer, "POST"),
            ("/matches/{id:number}/continue", self.continue_match, "POST"),
        ]

    def games(self, request: Request) -> Response:
        """Return the list of games."""
        _check_organiser(request)
        matches, keys = self._sessions.open(), request.cookies.values()
        own = {session.number: key for key, session in matches.items() if key in keys}
        return HTMLResponse(play.games(registry.installed()[0], list(matches.values()), own), headers=PRIVATE)

    def table(self, request: Request) -> Response:
        """Return the form with the seats and options of a match."""
        _check_organiser(request)
        game = registry.game(request.path_params["game"])
        return HTMLResponse(play.table(game, self._sessions.bots(game.name)))

    async def begin(self, request: Request) -> Response:
        """Start a match."""
        _check_organiser(request)
        fields = await form(request)
        seats = [fields[name] for name in sorted((n for n in fields if n.startswith("seat-")), key=_last)]
        chosen = [name for name in seats if name != NOBODY]
        options = {name.removeprefix("option-"): text for name, text in fields.items() if name.startswith("option-")}
        key = await run_sync(self._sessions.start, request.path_params["game"], chosen, options)
        return self._opened(request, key)

    async def continue_match(self, request: Request) -> Response:
        """Continue a stored match from one of its frames."""
        _check_organiser(request)
        fields = await form(request)
        frame, seat, unseen = (
            parse_number(fields.get("frame", "")),
            fields.get("seat", ""),
            fields.get("unseen", "same"),
        )
        perspective = parse_number(seat)
        if frame is None or (seat and perspective is None):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "the move and the seat must be numbers")
        if unseen not in UNSEEN:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"unseen must be {' or '.join(UNSEEN)}")
        start = partial(self._sessions.continue_match, request.path_params["id"], frame, perspective, unseen == "anew")
        key = await run_sync(start)
        return self._opened(request, key)

    def _opened(self, request: Request, key: str) -> Response:
        """Lead to a match, and have the browser that started it remember its key.

        The list of matches has no keys, and the page of a match must know a friend's link that its sender opens, be it
        from another site, such as that of a mailbox.
        """
        response = RedirectResponse(f"/sittings/{key}", HTTPStatus.SEE_OTHER)
        number, secure = self._sessions.find(key).number, request.url.scheme == "https"
        name = _cookie(number)
        remember = partial(response.set_cookie, name, key, max_age=REMEMBERED, httponly=True, secure=secure)
        remember(path="/play", samesite="strict")
        remember(path="/sittings", samesite="lax")
        return response

    async def end(self, request: Request) -> Response:
        """End an open match."""
        _check_organiser(request)
        await run_sync(self._sessions.end, request.path_params["number"])
        return RedirectResponse("/play", HTTPStatus.SEE_OTHER)

    def match(self, request: Request) -> Response:
        """Return the page of a hosted match; whoever started it must say that they want the seat of a friend."""
        key, session, site = request.path_params["key"], self._session(request), site_address(request)
        own = request.cookies.get(_cookie(session.number), "")
        if session.is_guest and self._sessions.started(own, session.number) and "here" not in request.query_params:
            return HTMLResponse(play.friend_link(key, session, own, site), headers=PRIVATE)
        page = play.match(key, session, site, organiser=access_of(request).organiser)
        return HTMLResponse(page, headers=PRIVATE)

    async def events(self, request: Request) -> Response:
        """Return the state of a match, after each change, as server-sent events."""
        return EventStream(self._follow(self._session(request)), self._streams)

    async def _follow(self, session: PlaySession) -> AsyncGenerator[str, None]:
        version, last = -1, None
        while True:
            before, version = version, await _changed(session.match, version)
            state = session.state()
            if state != last or before == version:  # or nothing has happened for a while
                yield event("state", state)
            last = state
            if state["over"]:
                return

    def seat(self, request: Request) -> Response:
        """Return what the person at a seat sees."""
        state = self._sessions.seat_state(request.path_params["key"], request.path_params["seat"])
        return JSONResponse(state, headers=PRIVATE)

    async def answer(self, request: Request) -> Response:
        """Accept the answer of a person."""
        session = self._session(request)
        fields = await values(request)
        person = session.person(request.path_params["seat"])
        asked, move, words = fields.get("number"), fields.get("move"), fields.get("say", "")
        if not isinstance(asked, int) or not isinstance(move, str) or not isinstance(words, str):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "an answer needs a number and a move")
        person.answer(asked, move, words)
        return JSONResponse({})

    async def leave(self, request: Request) -> Response:
        """End a match that is not finished."""
        await run_sync(self._sessions.leave, request.path_params["key"])
        return RedirectResponse("/play", HTTPStatus.SEE_OTHER)

    def _session(self, request: Request) -> PlaySession:
        return self._sessions.find(request.path_params["key"])


async def _changed(match: HostedMatch, version: int) -> int:
    """Wait without a thread for another version of a match, or for `PATIENCE`; return the version."""
    token, changed = trio.lowlevel.current_trio_token(), trio.Event()

    def wake() -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(changed.set)

    with match.notifying(wake), trio.move_on_after(PATIENCE):
        if match.version == version:
            await changed.wait()
    return match.version


def _cookie(number: int) -> str:
    """Return the name of the cookie with the key of a match."""
    return f"sitting-{number}"


def _check_organiser(request: Request) -> None:
    """Raise HTTPException for anybody but organisers: matches run bots on this machine."""
    if not access_of(request).organiser:
        raise HTTPException(HTTPStatus.FORBIDDEN, "only organisers can play here")


def _last(name: str) -> int:
    """Return the number at the end of a field's name."""
    return parse_number(name.rpartition("-")[2]) or 0
