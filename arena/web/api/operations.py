"""What an operation of the API declares. Its route and its part of the OpenAPI document are made from this alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.store.account_tokens import MANAGE, Identity
from arena.store.accounts import AccountRow
from arena.web.access import Access
from arena.web.parameters import LARGEST_NUMBER

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
    """One request, as a handler sees it.

    path: the parameters in its path. query, body: decoded as the operation declares them; body None: without one.
    access: what whoever asks may see. identity: whose token the request shows; None without one.
    """

    request: Request
    path: dict[str, Any]
    query: Any
    body: Any
    access: Access
    identity: Identity | None

    @property
    def account(self) -> AccountRow:
        """The account of an operation that needs a scope."""
        assert self.identity is not None
        return self.identity.account

    @property
    def manages(self) -> bool:
        """Whether an organiser asks, with a token that decides on what belongs to others."""
        return self.identity is not None and MANAGE in self.identity.scopes


Answer = Struct | Response
Handler = Callable[[Call], Answer] | Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API.

    path: as Starlette writes it, below `PREFIX`. answer: runs in a thread unless it is asynchronous. returns: the class
    of the answer; None for a stream of events. scopes: one of these is needed; none: anybody may ask. missing: what is
    said where the path leads to nothing, with its parameters in braces. body: the class of a JSON body, which may be
    left out. uploads: the media types of a body that the handler reads itself. events: by name, the class of the data.
    headers: of requests, by name with a description.
    """

    id: str
    method: Literal["GET", "POST"]
    path: str
    summary: str
    answer: Handler
    returns: type[Struct] | None
    missing: str = "there is nothing at this address"
    query: type[Struct] = NoQuery
    status: HTTPStatus = HTTPStatus.OK
    scopes: tuple[str, ...] = ()
    body: type[Struct] | None = None
    uploads: tuple[str, ...] = ()
    events: dict[str, type[Struct]] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def media_type(self) -> str:
        """What it answers with."""
        return JSON if self.returns is not None else EVENT_STREAM
