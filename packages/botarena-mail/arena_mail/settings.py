"""Which server sends mail, for whom, and how it signs in there."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from arena.values.secrets import read_secret
from arena_mail.addresses import parse_address
from arena_mail.rows import MailRefused

Security = Literal["starttls", "tls", "none"]

SCHEMES: Mapping[str, tuple[Security, int]] = {
    "smtp": ("starttls", 587),
    "smtps": ("tls", 465),
    "smtp+plain": ("none", 25),
}
"""By the scheme of the URL of a server: how its connections are secured, and its usual port."""

USER, PASSWORD, PASSWORD_FILE = "ARENA_MAIL_USER", "ARENA_MAIL_PASSWORD", "ARENA_MAIL_PASSWORD_FILE"
"""The environment variables with the login at the server."""

_HOST = re.compile(r"[A-Za-z0-9._:-]+")

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server that takes mail by SMTP, to send it on."""

    host: str
    port: int
    security: Security
    """starttls: TLS after a command, without which nothing is sent; tls: from the beginning; none: no TLS."""
    user: str = ""
    """The login; empty: none is needed."""
    password: str = ""

    def __str__(self) -> str:
        """Return the server as people read it, without its login."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class MailSettings:
    """How mail is sent."""

    server: MailServer
    sender: Address
    """From whom it is."""
    language: str = "en"
    """That of owners who have chosen none."""
    per_minute: int = 60
    """The most messages within a minute."""
    folder: Path | None = None
    """The folder with templates in the place of those of the package; None: there is none."""


def parse_server(text: str, environment: Mapping[str, str] = os.environ) -> MailServer:
    """Return the server of a URL such as smtp://mail.example.org:587, with the login of the environment.

    Raises MailRefused.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
        is_good = _HOST.fullmatch(host) is not None and port != 0
    except ValueError:
        is_good, host, port, parts = False, "", None, urlsplit("")
    if not is_good or parts.scheme not in SCHEMES or parts.path.strip("/") or parts.query or parts.fragment:
        raise MailRefused(
            "give the mail server as smtp://HOST (STARTTLS), smtps://HOST (TLS) or smtp+plain://HOST (no TLS), "
            "each with :PORT if that is not 587, 465 or 25"
        )
    if "@" in parts.netloc:
        raise MailRefused(f"leave the login out of the URL of the mail server: {USER} and {PASSWORD_FILE} name it")
    security, usual = SCHEMES[parts.scheme]
    user = environment.get(USER, "")
    password = _password(environment) if user else ""
    if not (user + password).isascii():
        raise MailRefused(f"the login of {USER} has letters that are not ASCII, which SMTP cannot be sure to send")
    if user and security == "none" and host not in LOOPBACK:
        raise MailRefused(f"the password of {USER} would be sent in the clear: use smtp:// or smtps://")
    return MailServer(host, usual if port is None else port, security, user, password)


def _password(environment: Mapping[str, str]) -> str:
    """Return the password of the login. Raises MailRefused if there is none."""
    password = read_secret(environment, PASSWORD, PASSWORD_FILE, MailRefused)
    if not password:
        raise MailRefused(f"{USER} has no password: set {PASSWORD_FILE} to a file with it, or {PASSWORD}")
    return password


def parse_sender(text: str) -> Address:
    """Return who sends mail, as in "Arena <arena@example.org>". Raises MailRefused."""
    name, address = parseaddr(text)
    try:
        if not text.isprintable():
            raise MailRefused("a sender is one line")
        return Address(name, addr_spec=parse_address(address))
    except (MailRefused, MessageError, ValueError):
        raise MailRefused(f"{text[:80]!r} is no sender: give one such as 'Arena <arena@example.org>'") from None
