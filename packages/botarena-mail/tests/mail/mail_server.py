"""A real SMTP server on this machine, which answers as a test says."""

import email
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from queue import Queue
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from arena_mail.settings import MailServer, Security

PATIENCE = 60.0
"""Seconds for what must come: the machine may be busy."""

USER, PASSWORD = "arena", "s3cret: 1"


@dataclass
class Received:
    """The server, and what has arrived."""

    mails: "Queue[EmailMessage]" = field(default_factory=Queue)
    on_recipient: Callable[[str], str] = lambda address: "250 OK"
    """Returns the answer to RCPT."""
    on_data: Callable[[EmailMessage], str] = lambda message: "250 OK"
    """Returns the answer to a whole message; it arrives if that is 250."""
    logins: list[str] = field(default_factory=list)
    server: MailServer = field(default_factory=lambda: MailServer("", 0, "none"))

    def next(self) -> EmailMessage:
        return self.mails.get(timeout=PATIENCE)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        answer = self.on_recipient(address)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        message.envelope = (envelope.mail_from, envelope.rcpt_tos)  # type: ignore[attr-defined]
        message.bytes = envelope.content  # type: ignore[attr-defined]
        answer = self.on_data(message)
        if answer.startswith("250"):
            self.mails.put(message)
        return answer

    def authenticate(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append(data.login.decode())
        is_good = (data.login.decode(), data.password.decode()) == (USER, PASSWORD)
        return AuthResult(success=is_good, handled=False)


class _AnyPort(Controller):
    """Listens on a port that the system chooses."""

    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def receiving(
    security: Security = "none", context: ssl.SSLContext | None = None, *, needs_login: bool = False
) -> Iterator[Received]:
    """Run a server."""
    received = Received()
    how: dict[str, Any] = {"authenticator": received.authenticate}
    if security == "starttls":
        how |= {"tls_context": context, "require_starttls": True, "auth_required": needs_login}
    else:
        how |= {"auth_require_tls": False}  # its TLS is another one
    controller = _AnyPort(
        received,
        hostname="127.0.0.1",
        port=0,
        ssl_context=context if security == "tls" else None,
        **how,
    )
    controller.start()
    try:
        port = controller.port
        login = (USER, PASSWORD) if needs_login else ()
        received.server = MailServer("127.0.0.1", port, security, *login)
        yield received
    finally:
        controller.stop()
