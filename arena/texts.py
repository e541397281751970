"""Escape untrusted text for terminals, JSON and TOML.

What bots say is cleaned where it comes in (`referee.wire.clean`). Files and databases may have been made by anybody,
so their texts are cleaned by the same function: those of a database as they are read, all others as they are printed.
"""

import json
import re
from typing import Any

_UNSAFE = re.compile(r"[^\n\t\x20-\x7e]")


def printable(text: str, keep: str = "\n\t") -> str:
    """Return a text with all that a terminal heeds, and all that people do not see, written as escapes.

    keep: characters that stay nevertheless.
    """
    if text.isprintable() or (keep and text.translate(dict.fromkeys(map(ord, keep))).isprintable()):
        return text
    from referee.wire import clean  # which loads protobuf, and is rarely needed

    return clean(text, 10 * len(text), keep=keep)


def json_text(values: Any, **options: Any) -> str:
    """Return values as JSON, with the same escapes as JSON has them: whoever parses it gets the very same values.

    options: as of `json.dumps`.
    """
    text = json.dumps(values, ensure_ascii=False, **options)
    return text if text.isprintable() else _UNSAFE.sub(_json_escape, text)


def toml_text(value: Any) -> str:
    """Return a text, a number, a truth value or a list of them as TOML writes it, with its escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else _UNSAFE.sub(_toml_escape, text)


def _json_escape(found: re.Match[str]) -> str:
    if found[0].isprintable():
        return found[0]
    return _u(found[0]) if ord(found[0]) < 0x100 else json.dumps(found[0])[1:-1]  # beyond 16 bits as two of them


def _toml_escape(found: re.Match[str]) -> str:
    if found[0].isprintable():
        return found[0]
    return _u(found[0]) if ord(found[0]) < 0x10000 else f"\\U{ord(found[0]):08x}"


def _u(character: str) -> str:
    return f"\\u{ord(character):04x}"
