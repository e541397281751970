"""Webhooks, as the API shows them, and what is sent to them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from arena_webhooks.addresses import LONGEST_URL
from arena_webhooks.rows import (
    ENTRY_OVERTAKEN,
    ENTRY_PLACED,
    ENTRY_SUSPENDED,
    HAND_IN_CHECKED,
    SEASON_OVER,
    TEST,
    DeliveryRow,
    WebhookRow,
)

Kind = Literal["hand_in.checked", "entry.placed", "entry.overtaken", "entry.suspended", "season.over"]


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


class HandInEnd(Struct, frozen=True):
    """The end of the check of a hand-in."""

    hand_in: int
    bot: str
    state: str
    """One of "accepted", "refused" and "failed" (no fault of the bot)."""
    version: int | None
    """The version of the bot; None unless it is accepted."""
    sentence: str
    """The result in words, which follow the name of the bot."""


class EntryChange(Struct, frozen=True):
    """A change of an entry."""

    league: str
    entry: int
    """The number of the entry in the league."""
    name: str
    """The name of the entry, such as `club/owl@3`."""
    reason: str
    """The reason for the change."""


class EntryName(Struct, frozen=True):
    """An entry, by number and name."""

    entry: int
    """The number of the entry in the league."""
    name: str
    """The name of the entry, such as `club/owl@3`."""


class Overtaking(Struct, frozen=True):
    """An entry that others have passed."""

    league: str
    entry: int
    name: str
    by: list[EntryName]
    """The entries that have passed it, whose 95 % intervals now lie above its own."""


class SeasonEnd(Struct, frozen=True):
    """The end of a season."""

    league: str
    season: int
    entries: list[EntryName]
    """Your entries that were active at the end."""


class TestData(Struct, frozen=True):
    """What a test delivery says."""

    webhook: int
    """The number of the webhook."""


class HandInCheckedEvent(Struct, frozen=True):
    """Sent when a hand-in is checked."""

    type: Literal["hand_in.checked"]
    timestamp: str
    data: HandInEnd


class EntryPlacedEvent(Struct, frozen=True):
    """Sent when the placement of an entry is over."""

    type: Literal["entry.placed"]
    timestamp: str
    data: EntryChange


class EntryOvertakenEvent(Struct, frozen=True):
    """Sent when others have passed an entry on the board."""

    type: Literal["entry.overtaken"]
    timestamp: str
    data: Overtaking


class EntrySuspendedEvent(Struct, frozen=True):
    """Sent when an entry is suspended."""

    type: Literal["entry.suspended"]
    timestamp: str
    data: EntryChange


class SeasonOverEvent(Struct, frozen=True):
    """Sent when a season is over, or the whole league."""

    type: Literal["season.over"]
    timestamp: str
    data: SeasonEnd


class TestEvent(Struct, frozen=True):
    """Sent on request."""

    type: Literal["webhook.test"]
    timestamp: str
    data: TestData


EVENTS: dict[str, type[Struct]] = {
    HAND_IN_CHECKED: HandInCheckedEvent,
    ENTRY_PLACED: EntryPlacedEvent,
    ENTRY_OVERTAKEN: EntryOvertakenEvent,
    ENTRY_SUSPENDED: EntrySuspendedEvent,
    SEASON_OVER: SeasonOverEvent,
    TEST: TestEvent,
}
"""What is sent, by the kind of the event."""


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
