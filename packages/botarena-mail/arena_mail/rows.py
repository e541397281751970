"""Mail as values: what an owner wants, and each message."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from arena.values.errors import ArenaError

MailState = Literal["waiting", "sent", "failed"]


class MailRefused(ArenaError):
    """Mail cannot be sent as it is asked for."""


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """What mail an account gets."""

    account: str
    address: str
    """Its address; empty if it has none."""
    kinds: tuple[str, ...]
    """The kinds of mail that it wants."""
    language: str
    """The language of its mail; empty: that of the server."""
    refused: str
    """Why nothing is sent to this address any more, in the words of the mail server; empty if mail is sent."""


@dataclass(frozen=True, slots=True)
class MailRow:
    """A message to somebody."""

    id: int
    account: str | None
    """The account that it tells; None for whoever has an address."""
    kind: str
    created: str
    """When that happened of which it tells, UTC, ISO 8601."""
    state: MailState
    attempt: int
    """The number of the last attempt, from 1; 0 before the first."""
    tried: str | None
    """The end of the last attempt, UTC, ISO 8601; None where none has ended."""
    error: str
    """Why the last attempt failed."""
    due: str | None
    """The time of the next attempt, UTC, ISO 8601; None where none follows."""


class MailClaim(NamedTuple):
    """The right of one attempt to note how it went; what an older attempt says is ignored."""

    mail: int
    attempt: int


class ClaimedMail(NamedTuple):
    """A message that a worker sends."""

    claim: MailClaim
    account: str | None
    address: str
    language: str
    """The language of the message; empty: that of the server."""
    secret: str
    """The secret in the link that ends the mail of the account; empty where there is none."""
    kind: str
    message: str
    """The first part of the Message-ID."""
    data: dict[str, Any]
    """What the template shows."""
    created: str
    """When that happened of which it tells, UTC, ISO 8601."""
