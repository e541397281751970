"""Texts from bots, files and databases, made safe to print."""

import unicodedata
from functools import cache


def clean(text: str, limit: int, *, keep: str = "") -> str:
    """Return text from a bot so that it is safe to print, in at most `limit` characters.

    Control, format and bidirectional characters, line separators and lone surrogates become escapes, except those in
    `keep`. An ellipsis marks a cut. Markup is left alone: writers of HTML escape it.
    """
    if len(text) <= limit and text.isprintable():
        return text
    out = text[: limit + 1].translate(_escapes(keep))
    return out if len(out) <= limit else out[: limit - 1] + "…"


CACHED_ESCAPES = 4096
"""How many characters are remembered: a bot may print nothing else but some few of them."""


class _Escapes(dict[int, str]):
    """What each character becomes, by its code, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character.isprintable() or unicodedata.category(character) == "Zs":
            word = character
        else:
            # Python stands for a byte of a path that is not UTF-8 by one of these surrogates.
            shown = code - 0xDC00 if 0xDC80 <= code < 0xDD00 else code
            word = f"\\x{shown:02x}" if shown < 0x100 else f"\\u{shown:04x}" if shown < 0x10000 else f"\\U{shown:08x}"
        if len(self) < CACHED_ESCAPES:
            self[code] = word
        return word


@cache
def _escapes(keep: str) -> _Escapes:
    """Return what characters become, but those of `keep`."""
    return _Escapes({ord(character): character for character in keep})


def clean_bytes(raw: bytes, limit: int) -> str:
    """Return what a bot printed, as harmless text of several lines."""
    return clean(raw.decode("utf-8", "backslashreplace"), limit, keep="\n\t")
