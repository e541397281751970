"""Webhooks as values: where an owner wants to hear of events, and each delivery of one."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.errors import ArenaError

HAND_IN_CHECKED = "hand_in.checked"
ENTRY_PLACED = "entry.placed"
ENTRY_OVERTAKEN = "entry.overtaken"
ENTRY_SUSPENDED = "entry.suspended"
SEASON_OVER = "season.over"

KINDS = (HAND_IN_CHECKED, ENTRY_PLACED, ENTRY_OVERTAKEN, ENTRY_SUSPENDED, SEASON_OVER)
"""The kinds of events."""

TEST = "webhook.test"
"""The kind of a delivery that was asked for."""

DeliveryState = Literal["waiting", "delivered", "failed"]


class WebhookRefused(ArenaError):
    """A webhook cannot be added, tested or switched on."""


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, without its secret.

    kinds: of the events that it wants. created: UTC, ISO 8601. failing_since: the first failure after the last delivery
    that arrived; None if there is none. disabled: when it was switched off; None while it is on. reason: why.
    """

    id: int
    account: str
    url: str
    kinds: tuple[str, ...]
    created: str
    failing_since: str | None
    disabled: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery of an event to a webhook.

    message: the id by which a receiver recognises an event that comes twice. kind: of the event. created, tried: UTC,
    ISO 8601; tried is the end of the last attempt. attempt: its number, from 1; 0 before the first. status: of the last
    answer, in HTTP; None without one. error: why the last attempt failed. due: of the next attempt, UTC, ISO 8601; None
    where none follows.
    """

    id: int
    webhook: int
    message: str
    kind: str
    created: str
    state: DeliveryState
    attempt: int
    tried: str | None
    status: int | None
    error: str
    due: str | None


class DeliveryClaim(NamedTuple):
    """The right of one attempt to note how a delivery went; what an older attempt says is ignored."""

    delivery: int
    attempt: int


class ClaimedDelivery(NamedTuple):
    """A delivery that a worker makes. secret: of the webhook. message, body: of the event, as in `DeliveryRow`."""

    claim: DeliveryClaim
    url: str
    secret: str
    kind: str
    message: str
    body: str


@dataclass(frozen=True, slots=True)
class Rivals:
    """Who is ahead of an entry, as its owner knows.

    ahead: their entries. passed: those of them that have passed it since; each of these is an event.
    """

    entry: int
    ahead: frozenset[int]
    passed: tuple[int, ...] = ()
