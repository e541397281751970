"""What may be stored of the person of an account: the limits of each detail."""

import re
import unicodedata
from collections.abc import Callable, Mapping

from arena.values.display_names import check_display_name
from arena.values.errors import ArenaError

LONGEST_EMAIL = 254
"""Characters of an e-mail address, by RFC 5321."""

LONGEST_WORD = 80
"""Characters of an ID number, and of the name of a group."""

_EMAIL = re.compile(r"[^\s@<>()\[\],;:\\\"]+@[^\s@<>()\[\],;:\\\"]+\.[^\s@<>()\[\],;:\\\".]+")


class BadDetail(ArenaError):
    """A detail of an account that cannot be stored."""


def check_details(details: Mapping[str, str]) -> dict[str, str | None]:
    """Return details as they are stored; None for those that are empty.

    details: by the names of the fields of `AccountRow`.

    Raises BadDetail and BadDisplayName.
    """
    return {key: _CHECKS[key](text.strip()) if text.strip() else None for key, text in details.items()}


def _check_email(text: str) -> str:
    if len(text) > LONGEST_EMAIL or not text.isprintable() or not _EMAIL.fullmatch(text):
        raise BadDetail(f'"{text[:LONGEST_EMAIL]}" is no e-mail address, such as ann@example.org')
    return text


def _check_word(what: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        word = unicodedata.normalize("NFC", text)
        if len(word) > LONGEST_WORD or not word.isprintable():
            raise BadDetail(
                f"{what} has at most {LONGEST_WORD} characters, and no control or invisible ones: "
                f'"{word[:LONGEST_WORD]}" cannot be stored'
            )
        return word

    return check


_CHECKS: Mapping[str, Callable[[str], str]] = {
    "display_name": check_display_name,
    "email": _check_email,
    "id_number": _check_word("an ID number"),
    "group": _check_word("a group"),
}
"""How each detail is checked."""
