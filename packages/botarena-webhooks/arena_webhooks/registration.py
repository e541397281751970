"""Add webhooks, for the command line, the API and the pages."""

from collections.abc import Sequence
from typing import NamedTuple

from arena_webhooks.kinds import KINDS
from arena_webhooks.rows import WebhookRefused, WebhookRow
from arena_webhooks.signature import new_secret
from arena_webhooks.store import Webhooks


class NewWebhook(NamedTuple):
    """A webhook that was added, and its secret, which is shown once."""

    row: WebhookRow
    secret: str


def add_webhook(
    webhooks: Webhooks, account: str, url: str, kinds: Sequence[str], token: int | None = None
) -> NewWebhook:
    """Store a webhook.

    url: one that was checked.
    kinds: those of the events that it wants; none: all.
    token: the one that adds it.

    Raises WebhookRefused, or NoSuchRow if there is no such account.
    """
    wanted = tuple(dict.fromkeys(kinds)) or KINDS
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown:
        raise WebhookRefused(f"there is no event {unknown[0][:40]!r}: choose from {', '.join(KINDS)}")
    secret = new_secret()
    return NewWebhook(webhooks.add(account, url, secret, wanted, token), secret)
