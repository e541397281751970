"""Webhooks, as the API shows them, and what is sent to them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from arena.store.webhook_rows import (
    ENTRY_OVERTAKEN,
    ENTRY_PLACED,
    ENTRY_SUSPENDED,
    HAND_IN_CHECKED,
    SEASON_OVER,
    TEST,
    DeliveryRow,
    WebhookRow,
)
from arena.webhooks.addresses import LONGEST_URL

Kind = Literal["hand_in.checked", "entry.placed", "entry.overtaken", "entry.suspended", "season.over"]


class NewWebhookBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook to add. url: begins with https://. events: those that it wants; none: all."""

    url: Annotated[str, Meta(max_length=LONGEST_URL)]
    events: Annotated[list[Kind], Meta(max_length=20)] = []


class WebhookValue(Struct, frozen=True):
    """A webhook.

    failing_since: the first failure after the last delivery that arrived. disabled: when it was switched off; None
    while it is on. reason: why.
    """

    webhook: int
    url: str
    events: list[str]
    created: str
    failing_since: str | None
    disabled: str | None
    reason: str


class AddedWebhook(Struct, frozen=True):
    """A webhook that was added. secret: with which what it is sent is signed; it is not shown again."""

    webhook: WebhookValue
    secret: str


class WebhookList(Struct, frozen=True):
    """Your webhooks."""

    items: list[WebhookValue]


class WebhookRemoved(Struct, frozen=True):
    """A webhook that is removed."""

    webhook: int


class DeliveryValue(Struct, frozen=True):
    """A delivery of an event.

    id: the header webhook-id: the same at all attempts. state: waiting, delivered or failed. attempt: how many were
    made. tried: the end of the last one. status: of its answer; None without one. error: why it failed. due: the next
    attempt; None where none follows.
    """

    delivery: int
    id: str
    event: str
    created: str
    state: str
    attempt: int
    tried: str | None
    status: int | None
    error: str
    due: str | None


class DeliveryList(Struct, frozen=True):
    """Deliveries of a webhook, the newest first. next: the address of the following part; None for the last."""

    items: list[DeliveryValue]
    next: str | None


class HandInEnd(Struct, frozen=True):
    """state: accepted, refused or failed (no fault of the bot). version: of the bot; None unless it is accepted.

    sentence: the result, to follow the name.
    """

    hand_in: int
    bot: str
    state: str
    version: int | None
    sentence: str


class EntryChange(Struct, frozen=True):
    """entry: the number in the league. name: such as club/owl@3. reason: for the change."""

    league: str
    entry: int
    name: str
    reason: str


class EntryName(Struct, frozen=True):
    """entry: the number in the league. name: such as club/owl@3."""

    entry: int
    name: str


class Overtaking(Struct, frozen=True):
    """by: the entries that have passed it, whose 95 % intervals now lie above its own."""

    league: str
    entry: int
    name: str
    by: list[EntryName]


class SeasonEnd(Struct, frozen=True):
    """entries: yours that were active at the end."""

    league: str
    season: int
    entries: list[EntryName]


class TestData(Struct, frozen=True):
    """webhook: its number."""

    webhook: int


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
