"""The check of the server that sends mail, for `arena doctor`."""

import ssl
from collections.abc import Sequence

from arena.cli.doctor_checks import CheckResult
from arena_mail.rows import MailRefused
from arena_mail.settings import PASSWORD_FILE, USER, MailSettings
from arena_mail.smtp import Conversation, Outcome


def check(settings: MailSettings) -> Sequence[CheckResult]:
    """Check that the server can be reached and lets arena in, and the templates. Nothing is sent."""
    return [_server(settings), *_templates(settings)]


def _server(settings: MailSettings) -> CheckResult:
    server = settings.server
    attempt = Conversation(server, ssl.create_default_context()).check()
    if attempt.outcome is not Outcome.SENT:
        remedy = f"correct --mail-server, {USER} or {PASSWORD_FILE}, or ask who runs the server"
        return CheckResult("mail", "less", f"no mail: {attempt.error}", remedy)
    login = f" from {server.user}" if server.user else ""
    secured = "" if server.security != "none" else ", without TLS"
    return CheckResult("mail", "good", f"{server} takes mail{login}{secured}")


def _templates(settings: MailSettings) -> Sequence[CheckResult]:
    from arena_mail.texts import Texts

    if settings.folder is None:
        return []
    try:
        Texts(settings.folder)
    except MailRefused as error:
        return [CheckResult("mail texts", "less", str(error), "correct it: with it no server starts")]
    return [CheckResult("mail texts", "good", f"the templates in {settings.folder} can be used")]
