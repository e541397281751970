"""The pages of webhooks: the list with a form, a new one with its secret, one with its deliveries."""

from collections.abc import Collection, Sequence

from arena_webhooks.addresses import LONGEST_URL
from arena_webhooks.kinds import KINDS, WORDS
from arena_webhooks.rows import DeliveryRow, WebhookRow
from arena_webhooks.templates import TEMPLATES


def list_all(rows: Sequence[WebhookRow], url: str = "", kinds: Collection[str] = KINDS, error: str = "") -> str:
    """Return the list of an account's webhooks, and the form to add one.

    url, kinds: what the form is filled in with.
    error: what is wrong with the form that was sent; empty for none.
    """
    return TEMPLATES.page(
        "list.html",
        rows=[(row, _state(row)) for row in rows],
        url=url,
        chosen=kinds,
        kinds={kind: WORDS[kind] for kind in KINDS},
        error=error,
        longest=LONGEST_URL,
    )


def added(row: WebhookRow, secret: str) -> str:
    """Return the page with the secret of a new webhook."""
    return TEMPLATES.page("added.html", row=row, secret=secret)


def show(row: WebhookRow, deliveries: Sequence[DeliveryRow]) -> str:
    """Return the page of a webhook.

    deliveries: the newest first.
    """
    return TEMPLATES.page(
        "webhook.html",
        row=row,
        told="; ".join(WORDS[kind] for kind in row.kinds),
        disabled=_time(row.disabled),
        failing_since=_time(row.failing_since),
        deliveries=[
            (delivery, _time(delivery.created), _time(delivery.tried), _time(delivery.due)) for delivery in deliveries
        ],
    )


def _state(row: WebhookRow) -> str:
    if row.disabled:
        return f"switched off: {row.reason}"
    return f"fails since {_time(row.failing_since)}" if row.failing_since else "on"


def _time(moment: str | None) -> str:
    return "" if moment is None else moment[:19].replace("T", " ")
