"""The JSON from which the scripts of a page draw a replay: of a stored match, or of a what-if."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.language.message import parts
from arena.record.match_verification import check_match
from arena.record.scenario_export import scenario_text
from arena.replay.json_values import FRAMES_PER_PART, opening_values, replay_values, round_values, table_values
from arena.replay.replay import Replay

FAR = 10**9 - 1
"""The largest frame number in a URL; numbers beyond the last frame mean the last frame."""


class ReplayRoutes:
    """The handlers.

    prefix: what the paths of the routes begin with.
    replay_of: returns the replay of a request as its visitor may see it.
    known_of: returns what packages know of a replay from a perspective.
    """

    def __init__(
        self,
        prefix: str,
        replay_of: Callable[[Request], Replay],
        known_of: Callable[[Replay, int | None], dict[str, Any]] = lambda replay, seat: {},
    ) -> None:
        self._prefix = prefix
        self._replay_of = replay_of
        self._known_of = known_of

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        handlers = (self.story, self.tables, self.moment, self.rounds, self.output, self.verdict, self.scenario)
        return [(f"{self._prefix}/{handler.__name__}", handler) for handler in handlers]

    def story(self, request: Request) -> Response:
        """Return the frames of a match, all or one seat's; with `move` only those around it, with their tables."""
        replay, seat = self._replay_and_seat(request)
        known = self._known_of(replay, seat)
        if "move" in request.query_params:
            return JSONResponse(opening_values(replay, seat, number_in_query(request, "move", FAR), parts, known))
        # The numbers of answers, an eighth of all bytes, are asked for with the frames around one.
        return JSONResponse(replay_values(replay, seat, write=parts, known=known, has_numbers=False))

    def tables(self, request: Request) -> Response:
        """Return one part of the tables of a match."""
        replay, seat = self._replay_and_seat(request)
        first = number_in_query(request, "first", replay.count(seat) - 1)
        return JSONResponse(table_values(replay, seat, first - first % FRAMES_PER_PART, write=parts))

    def moment(self, request: Request) -> Response:
        """Return the frame of another perspective that is nearest to a frame."""
        replay, seat = self._replay_and_seat(request)
        other = _seat(request, "other", replay)
        frame = number_in_query(request, "frame", replay.count(seat) - 1)
        return JSONResponse({"frame": replay.nearest_frame(frame, seat, other)})

    def rounds(self, request: Request) -> Response:
        """Return the rounds of a match, as one seat knew them or all."""
        return JSONResponse(round_values(*self._replay_and_seat(request), parts))

    def output(self, request: Request) -> Response:
        """Return the output of a bot."""
        replay, seat = self._replay_and_seat(request)
        output = replay.match.outputs.get(seat) if seat is not None else None
        return JSONResponse({"text": output.text if output else "", "truncated": bool(output and output.truncated)})

    def verdict(self, request: Request) -> Response:
        """Verify the record of a match and return the result."""
        result = check_match(self._replay_of(request).match)
        return JSONResponse({"wrong": result.wrong, "remarks": result.remarks})

    def scenario(self, request: Request) -> Response:
        """Return the match up to a frame of all frames as a scenario file."""
        replay = self._replay_of(request)
        frame = number_in_query(request, "move", replay.count() - 1)
        text = scenario_text(replay.match, replay.answers_before(frame))
        headers = {"content-disposition": f'attachment; filename="match-{replay.match.id}-move-{frame}.toml"'}
        return Response(text, media_type="application/toml", headers=headers)

    def _replay_and_seat(self, request: Request) -> tuple[Replay, int | None]:
        replay = self._replay_of(request)
        return replay, _seat(request, "seat", replay)


def _seat(request: Request, name: str, replay: Replay) -> int | None:
    return number_in_query(request, name, replay.seats - 1) if name in request.query_params else None


def number_in_query(request: Request, name: str, most: int) -> int:
    """Return a number of the query of a URL. Raises HTTPException unless it is from 0 to `most`."""
    text = request.query_params.get(name, "")
    if not text.isdecimal() or len(text) > 9 or int(text) > most:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name} must be a number from 0 to {most}")
    return int(text)
