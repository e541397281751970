"""How operations of the API are declared: by a decorator on their handlers, whose signatures say the rest.

A handler takes the `Call` and, by name, what it reads of the request: each parameter in its path, `query` and `body`.
Their types are what the request is decoded into, and the type of what it returns is that of the answer. So the route,
the checks of a request and its part of the OpenAPI document are made from this alone, with the sentence of the handler.

Litestar, tried for one such operation, would take over this file and `dispatch`, but not the order of the checks of
media types, tokens, scopes and rates, nor the sentences of errors. It adds 11 packages to Starlette, which the pages
need, takes 1.3 s to import instead of 0.3 s, and answers half as many requests a second.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.server.access import Access
from arena.server.requests.parameters import LARGEST_NUMBER
from arena.store.people.account_tokens import MANAGE, Identity
from arena.store.people.accounts import AccountRow

PREFIX = "/api/v1"
"""Before the path of every operation."""

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
PROBLEM = "application/problem+json"

PAGE = 50
"""Items on a page of a list, unless the request says otherwise."""

LARGEST_PAGE = 200

Number = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Limit = Annotated[int, Meta(ge=1, le=LARGEST_PAGE, description="The most items to return.")]
Text = Annotated[str, Meta(max_length=200)]

Value = TypeVar("Value", bound=Struct)
Handler = TypeVar("Handler", bound=Callable[..., Any])

_PARAMETER = re.compile(r"\{(\w+)(:\w+)?\}")

_OPERATION = "_operation"
"""The attribute of a handler that holds its operation."""


def is_of_api(path: str) -> bool:
    """Return whether a path of the site belongs to the API."""
    return path.startswith(f"{PREFIX}/")


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters."""


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a list. `before` is in the `next` link of the part before."""

    before: Annotated[Number | None, Meta(description="Only what comes after this one in the list: a cursor.")] = None
    limit: Limit = PAGE


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is decided, for the log."""

    reason: Annotated[str, Meta(max_length=500)] = ""


class Call(NamedTuple):
    """Who asks."""

    request: Request
    access: Access
    """What whoever asks may see."""
    identity: Identity | None
    """Whose token the request shows; None without one."""

    @property
    def account(self) -> AccountRow:
        """The account of an operation that needs a scope."""
        assert self.identity is not None
        return self.identity.account

    @property
    def manages(self) -> bool:
        """Whether an organiser asks, with a token that decides on what belongs to others."""
        return self.identity is not None and MANAGE in self.identity.scopes


@dataclass(frozen=True, slots=True)
class Located(Generic[Value]):
    """An answer that names the address of what was made."""

    value: Value
    path: str
    """The path below `PREFIX`, quoted."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API."""

    id: str
    method: Literal["GET", "POST"]
    path: str
    """The path below `PREFIX`, as Starlette writes it."""
    missing: str
    """What is said where the path leads to nothing, with its parameters in braces."""
    status: HTTPStatus
    scopes: tuple[str, ...]
    """The scopes of which a token needs one; empty: anybody may ask."""
    uploads: tuple[str, ...]
    """The media types of a body that the handler reads itself."""
    events: Mapping[str, type[Struct]]
    """The class of the data of each event, by the name of the event."""
    headers: Mapping[str, str]
    """The headers that requests may have, by name with a description."""
    summary: str
    """The first line of the docstring of its handler."""
    parameters: Mapping[str, Any]
    """The type of each parameter in the path, by name."""
    query: type[Struct] | None
    """The class of the parameters in the query; None: there are none."""
    body: type[Struct] | None
    """The class of a JSON body, which may be left out."""
    returns: type[Struct] | None
    """The class of the answer; None for a stream of events."""
    has_location: bool
    """Whether the answer names the address of what was made."""
    answer: Callable[..., Any]
    """The handler; it runs in a thread unless it is asynchronous."""

    @property
    def media_type(self) -> str:
        """What it answers with."""
        return JSON if self.returns is not None else EVENT_STREAM


def operation(
    id: str,
    method: Literal["GET", "POST"],
    path: str,
    missing: str = "there is nothing at this address",
    *,
    status: HTTPStatus = HTTPStatus.OK,
    scopes: tuple[str, ...] = (),
    uploads: tuple[str, ...] = (),
    events: Mapping[str, type[Struct]] = MappingProxyType({}),
    headers: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Handler], Handler]:
    """Return the decorator that declares a method as the handler of an operation.

    path: the path below `PREFIX`, with the parameters of the handler in braces. Those of type `int` are digits, others
        have no slash unless the path says so: `{bot:path}`.

    The other parameters are those of `Operation`. The decorator raises TypeError where a handler takes other parameters
    than its path has.
    """

    def declare(handler: Handler) -> Handler:
        types = get_type_hints(handler, include_extras=True)
        _, _, *names = inspect.signature(handler).parameters
        parameters = {name: types[name] for name in names if name not in ("query", "body")}
        if list(parameters) != [name for name, _ in _PARAMETER.findall(path)]:
            raise TypeError(f"the handler of {id} must take the parameters of {path} after the call")
        returns, has_location = types["return"], get_origin(types["return"]) is Located
        if has_location:
            (returns,) = get_args(returns)
        declared = Operation(
            id,
            method,
            _PARAMETER.sub(lambda found: _converted(found, parameters), path),
            missing,
            status,
            scopes,
            uploads,
            events,
            headers,
            (inspect.getdoc(handler) or "").partition("\n")[0],
            parameters,
            types.get("query"),
            types.get("body"),
            None if returns is Response else returns,
            has_location,
            handler,
        )
        setattr(handler, _OPERATION, declared)
        return handler

    return declare


def _converted(found: re.Match[str], types: Mapping[str, Any]) -> str:
    """Return a parameter of a path with Starlette's convertor of its type."""
    name, convertor = found.groups(default="")
    is_number = msgspec.json.schema(types[name])["type"] == "integer"
    return f"{{{name}{convertor or ':number' * is_number}}}"


def operations_of(handlers: object) -> list[Operation]:
    """Return the operations whose handlers are methods of an object, in the order of the source."""
    return [
        replace(getattr(method, _OPERATION), answer=getattr(handlers, name))
        for name, method in vars(type(handlers)).items()
        if hasattr(method, _OPERATION)
    ]
