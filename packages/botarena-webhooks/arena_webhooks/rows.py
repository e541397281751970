"""Webhooks as values: where an owner wants events delivered, and each delivery of one."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.values.errors import ArenaError

DeliveryState = Literal["waiting", "delivered", "failed"]


class WebhookRefused(ArenaError):
    """A webhook cannot be added, tested or switched on."""


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, without its secret."""

    id: int
    account: str
    url: str
    kinds: tuple[str, ...]
    """The kinds of the events that it wants."""
    created: str
    """When it was added, UTC, ISO 8601."""
    failing_since: str | None
    """The time of the first failure after the last delivery that arrived, UTC, ISO 8601; None if there is none."""
    disabled: str | None
    """When it was switched off, UTC, ISO 8601; None while it is on."""
    reason: str
    """Why it was switched off."""


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery of an event to a webhook."""

    id: int
    webhook: int
    message: str
    """The id by which a receiver recognises an event that comes twice."""
    kind: str
    """The kind of the event."""
    created: str
    """When the event happened, UTC, ISO 8601."""
    state: DeliveryState
    attempt: int
    """The number of the last attempt, from 1; 0 before the first."""
    tried: str | None
    """The end of the last attempt, UTC, ISO 8601; None where none has ended."""
    status: int | None
    """The HTTP status of the last answer; None without one."""
    error: str
    """Why the last attempt failed."""
    due: str | None
    """The time of the next attempt, UTC, ISO 8601; None where none follows."""


class DeliveryClaim(NamedTuple):
    """The right of one attempt to note how a delivery went; what an older attempt says is ignored."""

    delivery: int
    attempt: int


class ClaimedDelivery(NamedTuple):
    """A delivery that a worker makes."""

    claim: DeliveryClaim
    url: str
    secret: str
    """The secret of the webhook."""
    kind: str
    """The kind of the event."""
    message: str
    """The id by which a receiver recognises an event that comes twice."""
    body: str
    """The event in JSON, as it is sent."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """Who is ahead of an entry, as its owner knows."""

    entry: int
    ahead: frozenset[int]
    """The entries that are ahead of it."""
    passed: tuple[int, ...] = ()
    """Those of `ahead` that have newly passed it; each of these is an event."""
