"""A whole message: headers and text."""

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any
from urllib.parse import quote, urlsplit

from arena_mail.kinds import (
    ACCEPTED,
    ANNOUNCEMENT,
    CONFIRMATION,
    DATES,
    DIVISION,
    INVITATION,
    KINDS,
    PLACED,
    RECHECK,
    REFUSED,
    REJUDGED,
    SEASON,
    SUSPENDED,
)
from arena_mail.rows import ClaimedMail
from arena_mail.settings import MailSettings
from arena_mail.texts import Texts

POLICY = SMTP.clone(cte_type="7bit")
"""Every server takes it."""

SETTINGS = "/mail"
"""The page on which owners choose what they get."""

UNSUBSCRIBE = "/mail/unsubscribe/"
"""The address before the secret by which an owner ends all mail."""

CONFIRM = "/mail/confirm/"
"""The address before the secret by which an owner confirms an address."""


def message_for(mail: ClaimedMail, settings: MailSettings, texts: Texts, site: str) -> EmailMessage:
    """Return a message as it is sent. Raises TemplateError or MailRefused if a template cannot be used.

    site: where people reach the pages; empty: nowhere, and the message has no links.
    """
    unsubscribe = f"{site}{UNSUBSCRIBE}{mail.secret}" if mail.kind in KINDS and mail.secret else ""
    values = mail.data | {
        "site": site,
        "host": urlsplit(site).hostname or settings.sender.domain,
        "account": mail.account or "",
        "link": f"{site}{_path(mail.kind, mail.data)}",
        "settings": f"{site}{SETTINGS}",
        "unsubscribe": unsubscribe,
    }
    text = texts.text(mail.kind, mail.language or settings.language, values)
    message = EmailMessage(POLICY)
    message["From"] = settings.sender
    message["To"] = Address(addr_spec=mail.address)
    message["Subject"] = text.subject
    message["Date"] = datetime.fromisoformat(mail.created)
    message["Message-ID"] = f"<{mail.message}@{settings.sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    if unsubscribe:
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text.body)
    return message


def _path(kind: str, data: Mapping[str, Any]) -> str:
    """Return the address of the page to which a message leads."""
    if kind in (ACCEPTED, REFUSED, REJUDGED, RECHECK):
        return f"/hand-ins/{data['hand_in']}"
    if kind in (SUSPENDED, PLACED):
        return f"/leagues/{quote(data['league'], safe='')}/entries/{data['entry']}"
    if kind == ANNOUNCEMENT:
        return f"/leagues/{quote(data['league'], safe='')}/announcements"
    if kind in (DATES, DIVISION):
        return f"/leagues/{quote(data['league'], safe='')}" + ("/divisions" if kind == DIVISION else "")
    if kind == SEASON:
        return f"/leagues/{quote(data['league'], safe='')}/seasons/{data['season']}"
    if kind == INVITATION:
        return f"/invitations/{data['secret']}"
    return f"{CONFIRM}{data['secret']}" if kind == CONFIRMATION else "/"
