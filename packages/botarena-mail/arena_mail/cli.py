"""`arena accounts mail`: choose what mail accounts get, see what was sent, and send a test."""

from typing import Any

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders
from arena.language.languages import ENGLISH, LANGUAGES
from arena.values.errors import ArenaError
from arena.values.text_table import Column, text_column, word_column
from arena_mail.kinds import KINDS
from arena_mail.options import connection_options


class MailNotSent(ArenaError):
    """A mail that was asked for could not be sent."""


ADDRESSES = (
    text_column("account"),
    text_column("address"),
    text_column("mail"),
    word_column("language", drop=1),
    text_column("refused by the server", drop=2),
)
MAILS = (
    Column("mail"),
    text_column("account"),
    word_column("kind"),
    word_column("of", drop=3),
    word_column("state"),
    Column("attempts", drop=2),
    word_column("last attempt", drop=1),
    text_column("error"),
    word_column("next attempt", drop=4),
)


@click.group("mail", cls=CommandGroup)
def command() -> None:
    """Choose what mail accounts get, and see what was sent.

    `arena serve` and `arena web --sign-in` send it, with --mail-server. Owners choose on the page of their account, and
    end it by a link in each mail.
    """


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List what mail accounts get, and where it goes."""
    from arena_mail.store import Mails

    rows = [
        {
            "account": row.account,
            "address": row.address,
            "mail": " ".join(row.kinds),
            "language": row.language,
            "refused": row.refused,
        }
        for row in read_rows(db, lambda store: Mails(store).owners())
    ]
    print_holders("accounts", rows, ADDRESSES, "no accounts; make one with: arena accounts create NAME", as_json)


@command.command("choose")
@click.argument("account", metavar="ACCOUNT")
@click.option(
    "--event", "kinds", type=click.Choice(KINDS), multiple=True, help="What it gets; repeatable  [default: as it is]"
)
@click.option("--none", "nothing", is_flag=True, help="It gets nothing.")
@click.option("--language", type=click.Choice(list(LANGUAGES)), help="The language of its mail  [default: as it is]")
@click.option("--again", is_flag=True, help="Send to its address again, which the mail server has refused.")
@db_option
def choose(account: str, kinds: tuple[str, ...], nothing: bool, language: str | None, again: bool, db: str) -> None:
    """Choose what mail an account gets."""
    if kinds and nothing:
        raise click.UsageError("--none excludes --event")
    if not (kinds or nothing or language or again):
        raise click.UsageError("say what to change: --event, --none, --language or --again")
    from arena.store import open_store
    from arena_mail.store import Mails

    with open_store(db, write=True) as store:
        mails = Mails(store)
        chosen = kinds if kinds or nothing else mails.owner(account).kinds
        row = mails.choose(account, chosen, language)
        if again:
            mails.readmit(account)
    where = row.address or "no address, so nothing is sent"
    echo(f"{account} ({where}) gets: {', '.join(row.kinds) or 'nothing'}", err=True)


@command.command("sent")
@click.argument("account", metavar="[ACCOUNT]", required=False)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="The most to list.")
@json_option
@db_option
def sent(account: str | None, limit: int, as_json: bool, db: str) -> None:
    """List the last mails to an account, or to all, the newest first."""
    from arena_mail.store import Mails

    rows = [
        {
            "mail": str(row.id),
            "account": row.account or "",
            "kind": row.kind,
            "of": row.created,
            "state": row.state,
            "attempts": str(row.attempt),
            "tried": row.tried or "",
            "error": row.error,
            "due": row.due or "",
        }
        for row in read_rows(db, lambda store: Mails(store).newest(account, limit))
    ]
    print_holders("mails", rows, MAILS, "nothing was sent yet", as_json)


def _connection_options(function: Any) -> Any:
    for option in reversed(connection_options()):
        vars(function).setdefault("__click_params__", []).append(option)
    return function


@command.command("test")
@click.argument("address", metavar="ADDRESS")
@_connection_options
@click.option("--language", type=click.Choice(list(LANGUAGES)), default=ENGLISH, show_default=True, help="Of the mail.")
def test(address: str, language: str, **connection: Any) -> None:
    """Send a mail to an address now, to try the mail server.

    The login is that of the environment, as for servers: ARENA_MAIL_USER, and ARENA_MAIL_PASSWORD_FILE or
    ARENA_MAIL_PASSWORD.
    """
    import ssl
    from secrets import token_hex

    from arena.values.rows import utc_now
    from arena_mail.addresses import parse_address
    from arena_mail.kinds import TEST
    from arena_mail.messages import message_for
    from arena_mail.options import settings_of
    from arena_mail.rows import ClaimedMail, MailClaim
    from arena_mail.smtp import Conversation, Outcome
    from arena_mail.texts import Texts

    settings = settings_of(connection)
    if settings is None:
        raise click.UsageError("name the server by --mail-server, or ARENA_MAIL_SERVER")
    address = parse_address(address)
    mail = ClaimedMail(MailClaim(0, 1), None, address, language, "", TEST, token_hex(20), {}, utc_now())
    message = message_for(mail, settings, Texts(), "")
    conversation = Conversation(settings.server, ssl.create_default_context())
    try:
        attempt = conversation.send(message, settings.sender.addr_spec, address)
    finally:
        conversation.close()
    if attempt.outcome is not Outcome.SENT:
        raise MailNotSent(f"the mail was not sent: {attempt.error}")
    echo(f"{settings.server} has taken the mail to {address}", err=True)
