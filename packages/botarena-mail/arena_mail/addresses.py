"""Which addresses mail may go to: plain ones, so that none can say anything else to a server or in a header."""

import re

from arena_mail.rows import MailRefused

LONGEST_ADDRESS = 254
"""Characters (RFC 5321, section 4.5.3.1.3, without the brackets)."""

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


def parse_address(text: str) -> str:
    """Return an address as it is sent to, its domain in ASCII. Raises MailRefused if it is none."""
    local, _, domain = text.strip().rpartition("@")
    try:
        labels = domain.encode("idna").decode("ascii").split(".")
    except UnicodeError:
        labels = []
    address = f"{local}@{'.'.join(labels)}"
    is_good = _LOCAL.fullmatch(local) and len(local) <= 64 and labels and all(map(_LABEL.fullmatch, labels))
    if not is_good or len(address) > LONGEST_ADDRESS:
        raise MailRefused(f"{text[:80]!r} is no address for mail: give one such as ann@example.org")
    return address
