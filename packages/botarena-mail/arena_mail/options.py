"""The options of servers and commands: who sends mail, by which server, and how much of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena.language.languages import ENGLISH, LANGUAGES
from arena_mail.rows import MailRefused
from arena_mail.settings import MailSettings, parse_sender, parse_server


def connection_options() -> Sequence[click.Option]:
    """Return the options that say by which server mail is sent, and from whom."""
    return [
        click.Option(
            ["--mail-server"],
            metavar="URL",
            envvar="ARENA_MAIL_SERVER",
            help="Send mail by this server: smtp://HOST[:PORT] (STARTTLS), smtps:// (TLS) or smtp+plain:// (no TLS).",
        ),
        click.Option(
            ["--mail-from"],
            metavar="ADDRESS",
            envvar="ARENA_MAIL_FROM",
            help="Who sends that mail, such as 'Arena <arena@example.org>'.",
        ),
    ]


def server_options() -> Sequence[click.Option]:
    """Return the options of servers."""
    return [
        *connection_options(),
        click.Option(
            ["--mail-language"],
            type=click.Choice(list(LANGUAGES)),
            default=ENGLISH,
            show_default=True,
            help="The language of mail to those who have chosen none.",
        ),
        click.Option(
            ["--mail-per-minute"],
            metavar="NUMBER",
            type=click.IntRange(1, 100_000),
            default=60,
            show_default=True,
            help="The most mails within a minute.",
        ),
        click.Option(
            ["--mail-templates"],
            metavar="FOLDER",
            type=click.Path(path_type=Path),
            help="Templates of your own, such as ko/refused.txt, in the place of those of the package.",
        ),
    ]


def invitation_options() -> Sequence[click.Option]:
    """Return the options of the command that invites people."""
    return [
        click.Option(
            ["--mail", "mail_to"],
            metavar="ADDRESS",
            callback=_parse_address,
            help="Mail the link to this address, as soon as a server runs that sends mail.",
        )
    ]


def settings_of(options: Mapping[str, Any]) -> MailSettings | None:
    """Return how mail is sent; None if it is not. Raises MailRefused.

    options: by name.
    """
    server, sender = options.get("mail_server"), options.get("mail_from")
    if not server:
        if sender:
            raise MailRefused("--mail-from needs --mail-server: the server by which mail is sent")
        return None
    if not sender:
        raise MailRefused("--mail-server needs --mail-from: who sends the mail, such as 'Arena <arena@example.org>'")
    return MailSettings(
        parse_server(server),
        parse_sender(sender),
        options.get("mail_language") or ENGLISH,
        options.get("mail_per_minute") or 60,
        options.get("mail_templates"),
    )


def _parse_address(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    """Return an address. Raises BadParameter."""
    from arena_mail.addresses import parse_address

    try:
        return None if text is None else parse_address(text)
    except MailRefused as error:
        raise click.BadParameter(str(error)) from None
