"""From a request to the handler of its operation: method, media types, token, scope, rate, parameters, body."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from anyio.to_thread import run_sync
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.server.access import visitor_of
from arena.server.api.authentication import TokenAuthentication, too_many
from arena.server.api.negotiation import accepts, encoded, sent_type
from arena.server.api.operations import JSON, PREFIX, Call, Located, NoQuery, Operation
from arena.server.limits.rate_limit import RateLimit
from arena.server.live.event_streams import VIEWER, Viewer
from arena.server.requests.request_body import json_body
from arena.store import NoSuchRow
from arena.values.struct_types import ready

REQUESTS = (1200, 60.0)
"""So many requests of an account, or of an address without a token, within so many seconds."""

LARGEST_BODY = 16 * 1024
"""Bytes of a JSON body."""

Endpoint = Callable[[Request], Awaitable[Response]]


class Dispatcher:
    """Makes the endpoint of each path."""

    def __init__(self, tokens: TokenAuthentication) -> None:
        self._tokens = tokens
        self._requests = RateLimit(*REQUESTS)

    def endpoint(self, operations: Sequence[Operation]) -> Endpoint:
        """Return the endpoint of the operations of one path."""
        by_method: dict[str, Operation] = {operation.method: operation for operation in operations}

        async def answer(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            return await self._answer(request, by_method[method])

        return answer

    async def _answer(self, request: Request, operation: Operation) -> Response:
        if not accepts(request, operation.media_type):
            raise HTTPException(
                HTTPStatus.NOT_ACCEPTABLE, f"this is answered with {operation.media_type} only: accept that"
            )
        identity = await run_sync(self._tokens.identify, request)
        self._check_rate(request, None if identity is None else identity.account.name)
        self._tokens.check_scope(identity, operation.scopes)
        if identity is not None:
            is_valid = partial(self._tokens.is_valid, request, identity)
            request.scope[VIEWER] = Viewer(identity.account.name, is_valid)
        read = dict(request.path_params)
        query = _query(request, operation.query or NoQuery)
        if operation.query is not None:
            read["query"] = query
        content = await _body(request, operation)
        if operation.body is not None:
            read["body"] = content
            if identity is not None:
                await run_sync(self._tokens.check_is_valid, request, identity)
        call = Call(request, self._tokens.access(identity), identity)
        try:
            value = await _called(partial(operation.answer, call, **read))
        except NoSuchRow:
            raise HTTPException(HTTPStatus.NOT_FOUND, _missing(operation, request.path_params)) from None
        return value if isinstance(value, Response) else await run_sync(_response, request, value, operation.status)

    def _check_rate(self, request: Request, account: str | None) -> None:
        """Raise HTTPException if an account or an address asks too often."""
        key = f"account {account}" if account else visitor_of(request)
        if not self._requests.allows(key):
            raise too_many("too many requests: try again later", self._requests.seconds_left(key))


async def _called(handler: Callable[[], Any]) -> Any:
    return await handler() if inspect.iscoroutinefunction(handler) else await run_sync(handler)


def _response(request: Request, value: Struct | Located[Struct], status: HTTPStatus) -> Response:
    """Return the response with the answer of a handler."""
    if not isinstance(value, Located):
        return encoded(request, value, status)
    response = encoded(request, value.value, status)
    response.headers["location"] = PREFIX + value.path
    return response


def _missing(operation: Operation, path: dict[str, Any]) -> str:
    return operation.missing.format(**{name: str(value)[:80] for name, value in path.items()})


def _query(request: Request, kind: type[Struct]) -> Any:
    """Return the parameters of a request as a value. Raises HTTPException."""
    text = request.scope["query_string"].decode("latin-1")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=32)
    except ValueError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the parameters cannot be read: {error}") from None
    names = [name for name, _ in pairs]
    known = [field.encode_name for field in msgspec.structs.fields(kind)]
    for name in names:
        if name not in known:
            listed = f"those known are {', '.join(known)}" if known else "there are none here"
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"there is no parameter {name[:40]!r}: {listed}")
        if names.count(name) > 1:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"the parameter {name} is given twice: give it once")
    values = {name: value for name, value in pairs if value}
    try:
        return msgspec.convert(values, ready(kind), strict=False)
    except msgspec.ValidationError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, _sentence(error, "the parameter", kind)) from None


async def _body(request: Request, operation: Operation) -> Any:
    """Return the JSON body of a request as a value, or its default. Raises HTTPException."""
    allowed = (JSON,) if operation.body is not None else operation.uploads
    has_body = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    if allowed and (has_body or operation.uploads) and sent_type(request) not in allowed:
        raise HTTPException(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"the body must have the Content-Type {' or '.join(allowed)}",
            {"accept-post": ", ".join(allowed)},
        )
    if operation.body is None:
        return None
    content = await json_body(request, LARGEST_BODY)
    try:
        return msgspec.json.decode(content or b"{}", type=ready(operation.body))
    except msgspec.ValidationError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, _sentence(error, "the field", operation.body)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the body is not JSON: send an object, or nothing") from None


def _sentence(error: msgspec.ValidationError, what: str, kind: type[Struct]) -> str:
    """Return what is wrong with a value, and what it may be.

    what: what the value is, as in "the parameter".
    kind: the class of the whole that the value is a part of.
    """
    sentence, _, place = str(error).replace("`", "").partition(" - at $.")
    if not place:
        return sentence
    known = next(
        (field for field in msgspec.structs.fields(kind) if field.encode_name == place.partition("[")[0]), None
    )
    values = _permitted(msgspec.inspect.type_info(known.type)) if known is not None else ()
    listed = f"; it may be {', '.join(map(str, values))}" if values else ""
    return f"{what} {place}: {sentence[:1].lower()}{sentence[1:]}{listed}"


def _permitted(kind: msgspec.inspect.Type) -> tuple[Any, ...]:
    """Return the values that a field of a few fixed ones, or each item of it, may have."""
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return values
        case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.Metadata(type=item):
            return _permitted(item)
        case msgspec.inspect.UnionType(types=types):
            return next(filter(None, map(_permitted, types)), ())
    return ()
