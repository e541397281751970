"""Errors as problem documents (RFC 9457): a status, and a sentence that says what happened and what to do."""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.bots.hand_in_rows import RequestReused
from arena.server.api.operations import PROBLEM
from arena.server.errors import PageNotFound
from arena.store.engine.errors import SearchTooLong, StoreError, StoreUnavailable, ValueRefused
from arena.values.errors import NotOwner, ResultsHidden, TooOften
from arena.values.server_log import report_bug, report_trouble

UNAVAILABLE = "the database cannot be used at the moment: try again later"
REFUSED = "a value of this request is none that the database can hold: it is too large, or has a NUL character"
FAILED = "the server failed: its log shows the cause to the organiser"
NOWHERE = "there is nothing at this address: /api/v1/openapi.json lists what there is"

RETRY_SECONDS = 10
"""After which a request is worth repeating where nothing tells more."""


class Problem(Struct, frozen=True):
    """What went wrong with a request."""

    title: str
    status: int
    detail: str
    """A sentence that says what happened and what to do."""
    type: str = "about:blank"
    """Always "about:blank", which says that `title` is the name of `status`."""


def problem(status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response for a problem."""
    content = msgspec.json.encode(Problem(status.phrase, status.value, sentence))
    all_headers = {"cache-control": "no-store", **(headers or {})}
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        all_headers.setdefault("retry-after", str(RETRY_SECONDS))
    return Response(content, status, all_headers, PROBLEM)


def client_problem(request: Request, error: Exception) -> Response:
    """Return the response for an error that was raised on purpose."""
    if isinstance(error, HTTPException):
        status, sentence = HTTPStatus(error.status_code), error.detail
        if (status, sentence) == (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND.phrase):
            sentence = NOWHERE
        elif (status, sentence) == (HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.METHOD_NOT_ALLOWED.phrase):
            sentence = method_not_allowed(request, error)
        return problem(status, sentence, error.headers)
    if isinstance(error, SearchTooLong):
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
    if isinstance(error, ValueRefused):
        return problem(HTTPStatus.BAD_REQUEST, REFUSED)
    if isinstance(error, StoreError):  # its message names the database and commands, for the organiser alone
        if isinstance(error, StoreUnavailable):
            report_trouble(error)
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, UNAVAILABLE)
        report_bug(error)
        return problem(HTTPStatus.INTERNAL_SERVER_ERROR, FAILED)
    if isinstance(error, TooOften):
        headers = {"retry-after": str(error.retry_after)} if error.retry_after is not None else None
        return problem(HTTPStatus.TOO_MANY_REQUESTS, str(error), headers)
    if isinstance(error, ResultsHidden):
        return problem(HTTPStatus.FORBIDDEN, str(error))
    statuses: dict[type[Exception], HTTPStatus] = {
        PageNotFound: HTTPStatus.NOT_FOUND,
        NotOwner: HTTPStatus.FORBIDDEN,
        RequestReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    }
    return problem(statuses.get(type(error), HTTPStatus.UNPROCESSABLE_ENTITY), str(error))


def method_not_allowed(request: Request, error: HTTPException) -> str:
    """Return the sentence for a request with a method that its address lacks."""
    return f"{request.method[:20]} is not possible here: use {(error.headers or {}).get('Allow', 'GET')}"


def server_problem(_request: Request, error: Exception) -> Response:
    """Return the response for an internal error; the traceback goes to stderr, for the organiser."""
    report_bug(error)
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, FAILED)
