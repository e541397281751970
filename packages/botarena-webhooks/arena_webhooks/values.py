"""Webhooks and deliveries, as the API shows them."""

from typing import Annotated

from msgspec import Meta, Struct

from arena_webhooks.addresses import LONGEST_URL
from arena_webhooks.kinds import Kind
from arena_webhooks.rows import DeliveryRow, WebhookRow


class NewWebhookBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook to add."""

    url: Annotated[str, Meta(max_length=LONGEST_URL)]
    """The URL, which begins with https://."""
    events: Annotated[list[Kind], Meta(max_length=20)] = []
    """The kinds of the events that it wants; none: all."""


class WebhookValue(Struct, frozen=True):
    """A webhook."""

    webhook: int
    url: str
    events: list[str]
    created: str
    failing_since: str | None
    """The time of the first failure after the last delivery that arrived; None if there is none."""
    disabled: str | None
    """When it was switched off; None while it is on."""
    reason: str
    """Why it was switched off."""


class AddedWebhook(Struct, frozen=True):
    """A webhook that was added."""

    webhook: WebhookValue
    secret: str
    """The secret with which what is sent to it is signed; it is not shown again."""


class WebhookList(Struct, frozen=True):
    """Your webhooks."""

    items: list[WebhookValue]


class WebhookRemoved(Struct, frozen=True):
    """A webhook that is removed."""

    webhook: int


class DeliveryValue(Struct, frozen=True):
    """A delivery of an event."""

    delivery: int
    id: str
    """The header `webhook-id`, which is the same at all attempts."""
    event: str
    created: str
    state: str
    """One of "waiting", "delivered" and "failed"."""
    attempt: int
    """How many attempts were made."""
    tried: str | None
    """The end of the last attempt; None where none has ended."""
    status: int | None
    """The HTTP status of the last answer; None without one."""
    error: str
    """Why the last attempt failed."""
    due: str | None
    """The time of the next attempt; None where none follows."""


class DeliveryList(Struct, frozen=True):
    """Deliveries of a webhook, the newest first."""

    items: list[DeliveryValue]
    next: str | None
    """The address of the following part; None for the last."""


def webhook_value(row: WebhookRow) -> WebhookValue:
    """Return a webhook."""
    return WebhookValue(row.id, row.url, list(row.kinds), row.created, row.failing_since, row.disabled, row.reason)


def delivery_value(row: DeliveryRow) -> DeliveryValue:
    """Return a delivery."""
    return DeliveryValue(
        row.id,
        row.message,
        row.kind,
        row.created,
        row.state,
        row.attempt,
        row.tried,
        row.status,
        row.error,
        row.due,
    )
