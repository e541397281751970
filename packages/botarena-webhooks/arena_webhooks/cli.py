"""`arena accounts webhooks`: manage the webhooks of accounts."""

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import StoredNumber, db_option, json_option
from arena.cli.output import echo, print_holders
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from arena_webhooks.kinds import KINDS

webhook_argument = click.argument(
    "number", metavar="NUMBER", type=StoredNumber("webhook", "arena accounts webhooks list")
)

WEBHOOKS = (
    Column("webhook"),
    text_column("account"),
    text_column("url"),
    text_column("events"),
    word_column("created", drop=1),
    word_column("failing since", drop=2),
    text_column("switched off"),
)
DELIVERIES = (
    text_column("id"),
    word_column("event"),
    word_column("created", drop=3),
    word_column("state"),
    Column("attempts", drop=2),
    word_column("last attempt", drop=1),
    Column("status", drop=5),
    text_column("error"),
    word_column("next attempt", drop=4),
)


@click.group("webhooks", cls=CommandGroup)
def command() -> None:
    """Tell the owners of bots what happens, by requests to their servers.

    `arena serve` and `arena web --sign-in` send them, signed, until they arrive: at once, and again for three days. The
    owner can do the same by the API.
    """


@command.command("add")
@click.argument("account", metavar="ACCOUNT")
@click.argument("url", metavar="URL")
@click.option(
    "--event",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="An event to send; repeatable  [default: all]",
)
@json_option
@db_option
def add(account: str, url: str, kinds: tuple[str, ...], as_json: bool, db: str) -> None:
    """Add a webhook of an account and print its secret, once.

    URL begins with https:// and must be reached from the internet. The receiver checks with the secret that what it
    gets comes from here.
    """
    from arena.store import open_store
    from arena_webhooks.addresses import parse_url
    from arena_webhooks.registration import add_webhook
    from arena_webhooks.store import Webhooks

    parse_url(url)
    with open_store(db, write=True) as store:
        row, secret = add_webhook(Webhooks(store), account, url, kinds)
    if as_json:
        webhook = {"webhook": row.id, "account": account, "url": url, "events": list(row.kinds), "secret": secret}
        echo(json_text(webhook))
    else:
        echo(secret)
        echo(f"This is the secret of webhook {row.id} of {account}, and is not shown again.", err=True)


@command.command("list")
@click.argument("account", metavar="[ACCOUNT]", required=False)
@json_option
@db_option
def list_(account: str | None, as_json: bool, db: str) -> None:
    """List the webhooks of an account, or of all."""
    from arena_webhooks.store import Webhooks

    rows = read_rows(db, lambda store: Webhooks(store).all(account))
    webhooks = [
        {
            "webhook": str(row.id),
            "account": row.account,
            "url": row.url,
            "events": " ".join(row.kinds),
            "created": row.created,
            "failing_since": row.failing_since or "",
            "switched_off": f"{row.disabled}: {row.reason}" if row.disabled else "",
        }
        for row in rows
    ]
    none = "no webhooks; add one with: arena accounts webhooks add ACCOUNT URL"
    print_holders("webhooks", webhooks, WEBHOOKS, none, as_json)


@command.command("deliveries")
@webhook_argument
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="The most to list.")
@json_option
@db_option
def deliveries(number: int, limit: int, as_json: bool, db: str) -> None:
    """List the last deliveries of a webhook, the newest first."""
    from arena.store import Store
    from arena_webhooks.rows import DeliveryRow
    from arena_webhooks.store import Webhooks

    def read(store: Store) -> list[DeliveryRow]:
        webhooks = Webhooks(store)
        return webhooks.deliveries(webhooks.find(number).id, limit)

    sent = [
        {
            "id": row.message,
            "event": row.kind,
            "created": row.created,
            "state": row.state,
            "attempts": str(row.attempt),
            "tried": row.tried or "",
            "status": "" if row.status is None else str(row.status),
            "error": row.error,
            "due": row.due or "",
        }
        for row in read_rows(db, read)
    ]
    none = f"nothing was sent yet; try it with: arena accounts webhooks test {number}"
    print_holders("deliveries", sent, DELIVERIES, none, as_json)


@command.command("test")
@webhook_argument
@db_option
def test(number: int, db: str) -> None:
    """Send a webhook a test, as soon as a server runs."""
    from arena.store import open_store
    from arena_webhooks.store import Webhooks

    with open_store(db, write=True) as store:
        Webhooks(store).add_test(number)
    echo(f"a test of webhook {number} is sent: arena accounts webhooks deliveries {number}", err=True)


@command.command("enable")
@webhook_argument
@db_option
def enable(number: int, db: str) -> None:
    """Switch a webhook on again that was switched off."""
    from arena.store import open_store
    from arena_webhooks.store import Webhooks

    with open_store(db, write=True) as store:
        Webhooks(store).enable(number)
    echo(f"webhook {number} is on", err=True)


@command.command("remove")
@webhook_argument
@db_option
def remove(number: int, db: str) -> None:
    """Remove a webhook; what waits for it is not sent."""
    from arena.store import open_store
    from arena_webhooks.store import Webhooks

    with open_store(db, write=True) as store:
        Webhooks(store).remove(number)
    echo(f"webhook {number} is removed", err=True)
