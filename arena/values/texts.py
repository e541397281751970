"""Escape untrusted text for terminals, JSON, TOML and spreadsheets.

Texts of bots are escaped when the referee receives them (`referee.engine.clean_text`). Files and databases may come
from anybody, so their texts are escaped by the same function: those of a database when they are read, all others when
they are printed.
"""

import json
import re
from typing import Any

from referee.engine.clean_text import clean

_UNSAFE = re.compile(r"[^\n\t\x20-\x7e]")
_PATH_BYTE = re.compile("[\udc80-\udcff]")
"""How Python stands for a byte of a path that is not UTF-8."""

_SEPARATORS = re.compile(r"""[\s"',;=@:]+""")
_QUOTED = 40
"""Characters of a word that are quoted, before and after what is wrong with it."""


def printable(text: str, keep: str = "\n\t") -> str:
    """Return a text with control characters and invisible characters as escapes.

    keep: characters to leave as is.
    """
    if text.isprintable() or (keep and text.translate(dict.fromkeys(map(ord, keep))).isprintable()):
        return text
    return clean(text, 10 * len(text), keep=keep)


def not_utf8(error: UnicodeEncodeError) -> str | None:
    """Return in a sentence that a text is not UTF-8, which came from a command line, a variable or the name of a file.

    None where the text could not be encoded for another reason.
    """
    if not _PATH_BYTE.match(error.object, error.start):
        return None
    before, after = error.object[: error.start], error.object[error.start :]
    word = _SEPARATORS.split(before)[-1][-_QUOTED:] + _SEPARATORS.split(after)[0][:_QUOTED]
    return (
        f'the text "{printable(word)}" is not UTF-8, and cannot be stored or sent: give the file, the option or the '
        "variable that it comes from another name or value"
    )


def shell_line(*words: object) -> str:
    """Return a command as a line to paste into a shell, in which words with blanks, quotes and the like are quoted."""
    from shlex import join

    return join(map(str, words))


def json_text(values: Any, **options: Any) -> str:
    """Return values as JSON in which unsafe characters are escaped; parsing it gives the same values.

    Only paths that are not UTF-8 are given as they are printed (b\\xfft), since JSON cannot hold them.
    options: passed to `json.dumps`.
    """
    text = json.dumps(values, ensure_ascii=False, **options)
    return text if text.isprintable() else _UNSAFE.sub(_json_escape, text)


def toml_text(value: Any) -> str:
    """Return a text, a number, a boolean or a list of these as TOML in which unsafe characters are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else _UNSAFE.sub(_toml_escape, text)


def csv_value(value: Any) -> Any:
    """Return a value for a CSV file: a text that spreadsheets would run as a formula has an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _json_escape(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable() or _PATH_BYTE.fullmatch(character):
        return printable(character).replace("\\", r"\\")
    # json.dumps writes characters beyond 16 bits as surrogate pairs.
    return _u_escape(character) if ord(character) < 0x100 else json.dumps(character)[1:-1]


def _toml_escape(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable() or _PATH_BYTE.fullmatch(character):
        return printable(character).replace("\\", r"\\")
    return _u_escape(character) if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _u_escape(character: str) -> str:
    return f"\\u{ord(character):04x}"
