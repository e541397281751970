"""What an operation of the API declares. Its route and its part of the OpenAPI document are made from this alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple

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
    """One request, as a handler sees it."""

    request: Request
    path: dict[str, Any]
    """The parameters in the path of the request."""
    query: Any
    """The parameters in its query, decoded as the operation declares them."""
    body: Any
    """Its body, decoded as the operation declares it; None without one."""
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


Answer = Struct | Response
Handler = Callable[[Call], Answer] | Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API."""

    id: str
    method: Literal["GET", "POST"]
    path: str
    """The path below `PREFIX`, as Starlette writes it."""
    summary: str
    answer: Handler
    """What answers a call; it runs in a thread unless it is asynchronous."""
    returns: type[Struct] | None
    """The class of the answer; None for a stream of events."""
    missing: str = "there is nothing at this address"
    """What is said where the path leads to nothing, with its parameters in braces."""
    query: type[Struct] = NoQuery
    status: HTTPStatus = HTTPStatus.OK
    scopes: tuple[str, ...] = ()
    """The scopes of which a token needs one; empty: anybody may ask."""
    body: type[Struct] | None = None
    """The class of a JSON body, which may be left out."""
    uploads: tuple[str, ...] = ()
    """The media types of a body that the handler reads itself."""
    events: dict[str, type[Struct]] = field(default_factory=dict)
    """The class of the data of each event, by the name of the event."""
    headers: dict[str, str] = field(default_factory=dict)
    """The headers that requests may have, by name with a description."""

    @property
    def media_type(self) -> str:
        """What it answers with."""
        return JSON if self.returns is not None else EVENT_STREAM
