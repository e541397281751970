"""What the package adds to arena."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import CommandPart, SitePart, hookimpl

if TYPE_CHECKING:
    from arena.cli.doctor_checks import CheckResult
    from arena.store import Store


@hookimpl
def arena_command(command: str) -> CommandPart | None:
    """Let servers, and what checks and invites, say by which server mail is sent."""
    from arena_mail.options import connection_options, invitation_options, server_options

    if command in ("serve", "web"):
        return CommandPart(server_options())
    if command == "doctor":
        return CommandPart(connection_options(), "With --mail-server, checks that it takes mail, too; none is sent.")
    return CommandPart(invitation_options()) if command == "accounts invite" else None


@hookimpl
def arena_site(
    store: "Store", options: Mapping[str, Any], say: Callable[[str], None], public_url: str | None
) -> SitePart | None:
    """Return the pages of mail, and the worker that sends it; None where no server is named that takes it."""
    from arena_mail.messages import SETTINGS, UNSUBSCRIBE
    from arena_mail.options import settings_of
    from arena_mail.routes import MailRoutes
    from arena_mail.rows import MailRefused
    from arena_mail.store import Mails
    from arena_mail.texts import Texts
    from arena_mail.worker import MailWorker

    settings = settings_of(options)
    if settings is None:
        return None
    if public_url is None:
        raise MailRefused("--mail-server needs --public-url: the links in mail lead there")
    mails = Mails(store)
    worker = MailWorker(mails, settings, Texts(settings.folder), public_url, say)
    return SitePart(
        "mail",
        lambda _: MailRoutes(mails).routes(),
        worker.run,
        worker.is_alive,
        needs_accounts=True,
        links=[(SETTINGS, "mail")],
        cross_site=[UNSUBSCRIBE],
    )


@hookimpl
def arena_doctor(options: Mapping[str, Any]) -> "Sequence[CheckResult]":
    """Check the server that is named to take mail."""
    from arena.cli.doctor_checks import CheckResult
    from arena_mail.doctor import check
    from arena_mail.options import settings_of
    from arena_mail.rows import MailRefused

    try:
        settings = settings_of(options)
    except MailRefused as error:
        return [CheckResult("mail", "less", f"no mail: {error}", "correct the options or variables of mail")]
    return [] if settings is None else check(settings)


@hookimpl
def arena_invitation(options: Mapping[str, Any], store: "Store", invitation: Mapping[str, str]) -> None:
    """Store the mail with an invitation, if an address is given."""
    from arena_mail.store import Mails

    address = options.get("mail_to")
    if address is not None:
        expires = invitation["expires"][:16].replace("T", " ")
        Mails(store).invite(address, {**invitation, "expires": expires})
