"""Errors as pages, or as JSON for scripts: sentences for visitors, tracebacks for the log of the organiser."""

from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from arena.server.api.operations import is_of_api
from arena.server.api.problems import REFUSED, RETRY_SECONDS, client_problem, method_not_allowed, server_problem
from arena.server.errors import PageNotFound
from arena.server.pages.navigation import NAVIGATION
from arena.server.requests.middleware import HEADERS
from arena.server.templates import TEMPLATES
from arena.store.engine.errors import NoSuchRow, StoreError, StoreUnavailable, ValueRefused
from arena.values.errors import ArenaError, NotOwner, ResultsHidden, TooOften
from arena.values.server_log import report_bug, report_trouble

UNAVAILABLE = "the database cannot be read at the moment: try again later"
FAILED = "this page failed: the server's log shows the cause to the organiser"


def client_error(request: Request, error: Exception) -> Response:
    """Return a page that says why a request cannot be answered."""
    status, sentence = HTTPStatus.UNPROCESSABLE_ENTITY, str(error)
    headers: Mapping[str, str] | None = None
    if isinstance(error, HTTPException):
        status, sentence, headers = HTTPStatus(error.status_code), error.detail, error.headers
        if (status, sentence) == (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND.phrase):
            sentence = "there is no page at this address"
        elif (status, sentence) == (HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.METHOD_NOT_ALLOWED.phrase):
            sentence = method_not_allowed(request, error)
    elif isinstance(error, PageNotFound):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, NoSuchRow):
        status, sentence = HTTPStatus.NOT_FOUND, _missing(request)
    elif isinstance(error, ValueRefused):
        status, sentence = HTTPStatus.BAD_REQUEST, REFUSED
    elif isinstance(error, StoreError):  # its message names the database and commands, for the organiser alone
        if isinstance(error, StoreUnavailable):
            report_trouble(error)
            status, sentence = HTTPStatus.SERVICE_UNAVAILABLE, UNAVAILABLE
            headers = {"retry-after": str(RETRY_SECONDS)}
        else:
            report_bug(error)
            status, sentence = HTTPStatus.INTERNAL_SERVER_ERROR, FAILED
    elif isinstance(error, ResultsHidden | NotOwner):
        status = HTTPStatus.FORBIDDEN
    elif isinstance(error, TooOften):
        status = HTTPStatus.TOO_MANY_REQUESTS
        headers = {"retry-after": str(error.retry_after)} if error.retry_after is not None else None
    return _error_page(request, status, sentence, headers)


def _missing(request: Request) -> str:
    """Say what a request named that is not in the database."""
    if "league" in request.path_params:
        return f"there is no league {request.path_params['league']}: see the list of leagues"
    if "id" in request.path_params:
        return f"there is no match {request.path_params['id']}"
    tournament = request.path_params.get("number", request.query_params.get("tournament"))
    return "there is nothing at this address" if tournament is None else f"there is no tournament {tournament}"


def server_error(request: Request, error: Exception) -> Response:
    """Return a page for an internal error; the traceback goes to stderr, for the organiser.

    Also errors of the middleware come here, such as a database that cannot say who is signed in.
    """
    if is_of_api(request.url.path):
        response = client_problem(request, error) if isinstance(error, ArenaError) else server_problem(request, error)
    elif isinstance(error, StoreError):
        response = client_error(request, error)
    else:
        report_bug(error)
        response = _error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR, FAILED)
    response.headers.update(HEADERS)  # this response does not pass the middleware
    return response


def _ways(request: Request, status: HTTPStatus) -> list[tuple[str, str]]:
    """Return where to go on from an error: addresses and what is there, nearest first."""
    ways = []
    path, league = request.url.path, request.path_params.get("league")
    if status == HTTPStatus.FORBIDDEN and any(address == "/sign-in" for address, _ in NAVIGATION.get()):
        ways += [("/sign-in", "sign in"), ("/join", "how to take part")]
    if league is not None and path != f"/leagues/{league}" and status != HTTPStatus.NOT_FOUND:
        ways.append((f"/leagues/{quote(league, safe='')}", f"the board of {league}"))
    lists = {
        "/leagues": "all leagues", "/tournaments": "all tournaments", "/matches": "all matches", "/bots": "all bots",
        "/failures": "all process failures", "/rules": "how to take part", "/play": "the games",
        "/hand-ins": "hand-ins",
    }  # fmt: skip
    for beginning, words in lists.items():
        if path.startswith(beginning):
            address = {"/tournaments": "/", "/rules": "/join", "/hand-ins": "/submit"}.get(beginning, beginning)
            if path != address:
                ways.append((address, words))
    if not ways:
        ways = [("/matches", "all matches"), ("/bots", "all bots"), ("/join", "how to take part")]
    return [*ways, ("/", "home")]


def _error_page(
    request: Request, status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a sentence as a page, or as JSON for a script."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": sentence}, status, headers)
    html = TEMPLATES.page(
        "error.html", title=status.phrase, sentence=sentence, status=int(status), ways=_ways(request, status)
    )
    return HTMLResponse(html, status, headers)
