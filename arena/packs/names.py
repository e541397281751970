"""Names of submissions: `owl`, `club/owl`, and `club/owl@3` for one version."""

import re
import unicodedata
from pathlib import Path

from arena.packs.errors import BadName
from arena.packs.manifest import FILE

LONGEST = 32
"""Characters of each part of a name."""

RESERVED = ("arena", "organiser", "samples", "unknown")
"""Names that no account has: who decides in logs where nobody with an account does, and the owner of sample bots."""

_PART = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_NAME = re.compile(rf"(?:{_PART}/)?{_PART}")
_RULES = "a name has lower-case letters, digits and single hyphens, begins with a letter"
_VERSIONED = re.compile(rf"({_NAME.pattern})(?:@([1-9][0-9]{{0,8}}))?")


def check_name(text: str) -> str:
    """Return `text` if it is a name without a version. Raises BadName."""
    if _is_name(text):
        return text
    raise BadName(
        f'a submission cannot be named "{text}": {_RULES}, may have an owner before one slash (club/owl), and each '
        f"part has at most {LONGEST} characters{_hint(text)}"
    )


def _is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) and all(len(part) <= LONGEST for part in text.split("/"))


def _hint(text: str) -> str:
    """Return the name that was meant, as the end of a sentence; empty if there is none."""
    suggestion = re.sub(r"[^a-z0-9/]+", "-", text.lower()).strip("-/")
    return f', such as "{suggestion}"' if _NAME.fullmatch(suggestion) and len(suggestion) <= LONGEST else ""


def check_account_name(text: str) -> str:
    """Return `text` if an account can have that name: the owner in the names of its bots. Raises BadName."""
    if not _is_name(text):
        hint = _hint(text.partition("/")[0])
        raise BadName(f'an account cannot be named "{text}": {_RULES}, and has at most {LONGEST} characters{hint}')
    if "/" in text:
        raise BadName(f"{text} is no account name, as it has a slash: use {text.partition('/')[0]}")
    if text in RESERVED:
        raise BadName(f"{text} is no account name, as logs and sample bots have it: choose another name")
    if re.fullmatch(r"closed-\d+", text):
        raise BadName(f"{text} is no account name, as closed accounts are shown by such names: choose another name")
    return text


def name_for(path: Path) -> str:
    """Return the default name of the bot at a path. Raises BadName if the path yields none."""
    path = path.absolute()
    stem = path.parent.name if path.name == FILE else path.stem if path.is_file() else path.name
    return check_name(re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-"))


def word_from(text: str) -> str:
    """Return a part of a name made of any text: "Müller, Jörg" becomes muller-jorg.

    Accents are dropped and what is too long is cut off. Empty if the text has no letter of the Latin alphabet.
    """
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    ascii_text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-").lstrip("-0123456789")
    return words[:LONGEST].rstrip("-")


_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "'": "", "\u2019": ""}
)
"""Latin letters that Unicode does not decompose, and what stands within words."""


def split_version(text: str) -> tuple[str, int | None] | None:
    """Return name and version of `club/owl@3`, the version None if it has none; None if the text is not a name."""
    match = _VERSIONED.fullmatch(text)
    if match is None:
        return None
    return match[1], int(match[2]) if match[2] else None
