"""Display names: how people read who an account is, in any script.

They are shown beside names that others chose, so they hold nothing that changes how these are read, and can be compared
by what they look like.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from arena.values.errors import ArenaError

NO_NAMES: Mapping[str, str] = MappingProxyType({})
"""The display names of nobody, by the names of accounts."""

LONGEST = 60
"""Characters of a display name."""

MOST_MARKS = 4
"""Marks on one letter, as accents and vowel signs are: languages use no more, and stacks of them cover other lines."""

_ASCII = frozenset(" -'.,()&")
"""What display names may have besides letters and digits, of ASCII."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
"""Letters and marks that nobody sees."""

_JOINERS = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER and JOINER, which some scripts need, where they change how a letter is written."""

_VIRAMA = 9
"""The combining class of the signs of Indic scripts that a joiner may follow."""

_LOOK_ALIKES = str.maketrans(
    "авгеікмнорстухјѕһӏԁԛԝѵαβγειηκνορτυχω01ıøłđð",
    "abreikmhopctyxjshldqwvabyeinkvoptuxwolioldd",
) | str.maketrans({"æ": "ae", "œ": "oe"})
"""Letters to those of the Latin alphabet that they look like, or are written as."""

_RESERVED = re.compile(r"closed[o0-9l]+|arena|organiser|samples|unknown")
"""What pseudonyms of closed accounts, and names that no account has, look like."""


class BadDisplayName(ArenaError):
    """A display name that nobody may have, or not this account."""


def check_display_name(text: str) -> str:
    """Return a display name as it is stored, with single spaces. Raises BadDisplayName."""
    name = unicodedata.normalize("NFC", " ".join(text.split(" "))).strip()
    name = re.sub(" +", " ", name)
    if len(name) > LONGEST:
        raise BadDisplayName(f"a display name has at most {LONGEST} characters, and this one has {len(name)}")
    if wrong := _refused_character(name):
        code = f"U+{ord(wrong):04X}"
        shown = f'"{wrong}" ({code})' if wrong.isprintable() and not _INVISIBLE.match(wrong) else code
        raise BadDisplayName(
            f"a display name may not have {shown} here: use letters of any script, digits, spaces and - ' . , ( ) &"
        )
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        raise BadDisplayName("a display name has at least one letter")
    if _RESERVED.fullmatch(look_alike_key(name)):
        raise BadDisplayName(f'"{name}" reads like a name that arena itself uses: choose another display name')
    return name


def look_alike_key(name: str) -> str:
    """Return what is equal for names that look alike: of accounts, and display names."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold()).translate(_LOOK_ALIKES)
    return "".join(
        character
        for character in plain
        if unicodedata.category(character)[0] in "LMN" and not "\u0300" <= character <= "\u036f"
    )


def _refused_character(name: str) -> str:
    """Return the first character that a display name may not have where it stands; empty if there is none."""
    marks = 0
    for place, character in enumerate(name):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > MOST_MARKS or (marks and place == 0) or _INVISIBLE.match(character):
            return character
        if character in _JOINERS:
            if not _joins(name[:place], name[place + 1 :]):
                return character
        elif kind[0] not in "LMN" and not _is_punctuation(character, kind):
            return character
    return ""


def _is_punctuation(character: str, kind: str) -> bool:
    """Tell whether a character is a sign that names have, and no form of one that they have not, as a wide slash is."""
    if kind[0] != "P" and character != " ":
        return False
    return all(plain in _ASCII or not plain.isascii() for plain in unicodedata.normalize("NFKC", character))


def _joins(before: str, after: str) -> bool:
    """Tell whether a joiner between two texts changes how a letter is written: as in host names (RFC 5892)."""
    if before and unicodedata.combining(before[-1]) == _VIRAMA:
        return True
    return bool(before and after) and all(unicodedata.bidirectional(side) == "AL" for side in (before[-1], after[0]))
