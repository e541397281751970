"""One conversation with the mail server, and what its answers mean.

It is held in a thread, by `smtplib`; who waits for it no longer breaks it off from another one.
"""

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from enum import Enum

from arena_mail.settings import MailServer

TIMEOUT = 20.0
"""Seconds for one answer of the server."""

MOST_CHARACTERS = 300
"""Of an answer of the server that are kept."""


class Outcome(Enum):
    """What came of an attempt."""

    SENT = "sent"
    LATER = "later"
    """This message is tried again later."""
    FAILED = "failed"
    """The server does not take this message, now or later."""
    REFUSED = "refused"
    """The server does not take any message for this address."""
    TROUBLE = "trouble"
    """The server takes no messages: it cannot be reached, or does not let arena in."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attempt went."""

    outcome: Outcome
    error: str = ""
    """What was wrong, in a sentence without a full stop."""


class Conversation:
    """Sends messages to a server over one connection, which is opened for the first of them."""

    def __init__(self, server: MailServer, context: ssl.SSLContext) -> None:
        """Prepare it.

        context: verifies certificates and host names.
        """
        self._server = server
        self._context = context
        self._smtp: smtplib.SMTP | None = None
        self._is_broken_off = False

    def send(self, message: EmailMessage, sender: str, address: str) -> Attempt:
        """Send a message, and tell how that went.

        sender, address: those of the envelope.
        """
        try:
            smtp = self._connected()
            smtp.sendmail(sender, [address], message.as_bytes(policy=message.policy.clone(linesep="\r\n")))
        except (smtplib.SMTPException, OSError, ValueError) as error:
            attempt = judge(error, self._server)
            if attempt.outcome is Outcome.TROUBLE:
                self.close()
            else:
                self._reset()
            return attempt
        return Attempt(Outcome.SENT)

    def check(self) -> Attempt:
        """Open the connection, and close it again: tell whether the server can be reached and lets arena in."""
        try:
            self._connected()
        except (smtplib.SMTPException, OSError, ValueError) as error:
            return judge(error, self._server)
        finally:
            self.close()
        return Attempt(Outcome.SENT)

    def close(self) -> None:
        """End the conversation."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            with suppress(smtplib.SMTPException, OSError, ValueError):
                smtp.quit()
            smtp.close()

    def break_off(self) -> None:
        """Have whatever waits for the server fail, in another thread."""
        self._is_broken_off = True
        smtp = self._smtp
        connection = None if smtp is None else smtp.sock
        if connection is not None:
            with suppress(OSError, ValueError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def _connected(self) -> smtplib.SMTP:
        """Return the open connection. Raises SMTPException or OSError."""
        if self._smtp is not None:
            with suppress(smtplib.SMTPException, OSError):
                if self._smtp.noop()[0] == 250:
                    return self._smtp
            self.close()
        server = self._server
        if server.security == "tls":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(timeout=TIMEOUT, context=self._context)
        else:
            smtp = smtplib.SMTP(timeout=TIMEOUT)
        smtp._host = server.host  # type: ignore[attr-defined]  # smtplib verifies this name, which it knows else of its constructor alone
        self._smtp = smtp
        code, answer = smtp.connect(server.host, server.port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, answer)
        if self._is_broken_off:
            raise smtplib.SMTPServerDisconnected("broken off")
        if server.security == "starttls":
            smtp.starttls(context=self._context)
        if server.user:
            smtp.login(server.user, server.password)
        return smtp

    def _reset(self) -> None:
        """Forget a message that the server did not take; where that fails, the next one opens another connection."""
        if self._smtp is not None:
            try:
                self._smtp.rset()
            except (smtplib.SMTPException, OSError):
                self.close()


def judge(error: Exception, server: MailServer) -> Attempt:
    """Return what an error of a conversation means."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
        said = _words(code, answer)
        if not 500 <= code < 600:
            return Attempt(Outcome.LATER, said)
        return Attempt(Outcome.REFUSED if _is_about_address(code, said) else Outcome.FAILED, said)
    if isinstance(error, smtplib.SMTPDataError):
        is_final = 500 <= error.smtp_code < 600
        return Attempt(Outcome.FAILED if is_final else Outcome.LATER, _words(error.smtp_code, error.smtp_error))
    if isinstance(error, smtplib.SMTPAuthenticationError):
        said = _words(error.smtp_code, error.smtp_error)
        return Attempt(Outcome.TROUBLE, f"{server} does not accept the login: {said}")
    if isinstance(error, smtplib.SMTPResponseException):
        return Attempt(Outcome.TROUBLE, f"{server} takes no mail: {_words(error.smtp_code, error.smtp_error)}")
    return Attempt(Outcome.TROUBLE, _trouble(error, server))


def _trouble(error: Exception, server: MailServer) -> str:
    """Return in words why there is no conversation with a server."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {server} is not valid: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS connection to {server}: smtps:// needs TLS from the beginning, smtp:// STARTTLS"
    if isinstance(error, smtplib.SMTPNotSupportedError):
        if server.security == "starttls" and "STARTTLS" in str(error):
            return f"{server} has no STARTTLS: use smtps:// if it speaks TLS from the beginning"
        return f"{server} has no login" if server.user else f"{server} cannot take such a message"
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return f"{server} did not answer within {TIMEOUT:.0f} s"
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return f"{server} ended the connection"
    if isinstance(error, socket.gaierror):
        return f"there is no host {server.host} ({error.strerror})"
    why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return f"{server} cannot be reached ({why})"


_STATUS = re.compile(r"\b([45]\.\d{1,3}\.\d{1,3})\b")
"""An enhanced status code (RFC 3463)."""


def _is_about_address(code: int, said: str) -> bool:
    """Return whether a refusal is about the address alone, not about who sends, or what."""
    status = _STATUS.search(said)
    if status is not None:
        return status[1].startswith("5.1.") or status[1] == "5.2.1"
    return code in (550, 551, 553)


def _words(code: int, answer: bytes | str) -> str:
    """Return an answer of the server as people read it, on one line."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    text = "".join(character if character.isprintable() else " " for character in text)
    return f"{code} {' '.join(text.split())}"[:MOST_CHARACTERS].rstrip()
