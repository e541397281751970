"""Add webhooks, for the command line, the API and the pages."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.store import Store
from arena.store.webhook_rows import KINDS, WebhookRefused, WebhookRow
from arena.webhooks.signature import new_secret


class NewWebhook(NamedTuple):
    """A webhook that was added, and its secret, which is shown once."""

    row: WebhookRow
    secret: str


def add_webhook(store: Store, account: str, url: str, kinds: Sequence[str], token: int | None = None) -> NewWebhook:
    """Store a webhook. url: that was checked. kinds: of events; none: all. token: the one that adds it.

    Raises WebhookRefused, or NoSuchRow if there is no such account.
    """
    wanted = tuple(dict.fromkeys(kinds)) or KINDS
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown:
        raise WebhookRefused(f"there is no event {unknown[0][:40]!r}: choose from {', '.join(KINDS)}")
    secret = new_secret()
    return NewWebhook(store.webhooks.add(account, url, secret, wanted, token), secret)
