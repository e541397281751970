"""Messages in the language of the current request, from catalogues in gettext's text format."""

import json
import re
from functools import cache
from importlib.resources import files
from itertools import count

from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.message import Message, arguments, id_of

CONTEXT = "\x04"
"""Between the context of a message and its text."""

_STRINGS = r'((?:".*"\n?)+)'
_ENTRY = re.compile(rf"(?:^msgctxt {_STRINGS})?^msgid {_STRINGS}^msgstr {_STRINGS}", re.MULTILINE)
"""A message of a catalogue: each part is one or more strings, a line each, escaped as those of JSON are."""


def gettext(text: str, *values: object) -> str:
    """Return a message in the language of the current request; the text itself where it has no translation.

    values: what stands for {0}, {1} ... in it.
    """
    words = catalogue(LANGUAGE.get()).get(text, text)
    return words.format(*values) if values else words


def translate(message: str) -> str:
    """Return a `Message` with its arguments, or a text without any, in the language of the current request."""
    return gettext(
        id_of(message), *(translate(value) if isinstance(value, Message) else value for value in arguments(message))
    )


def in_context(context: str, text: str) -> str:
    """Return a word that means something else elsewhere, in the language of the current request.

    context: what it is a word of, as in the catalogues.
    """
    return catalogue(LANGUAGE.get()).get(f"{context}{CONTEXT}{text}", text)


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the translations into a language, by English text, with a context before it where there is one.

    There are none into English.
    """
    if language == ENGLISH:
        return {}
    file = files(__package__) / "locale" / language / "LC_MESSAGES" / "arena.po"
    found = {}
    for context, text, words in _ENTRY.findall(file.read_text("utf-8")):
        found[f"{_joined(context)}{CONTEXT if context else ''}{_joined(text)}"] = _joined(words)
    return {text: words for text, words in found.items() if text and words}


def _joined(strings: str) -> str:
    return "".join(map(json.loads, strings.splitlines()))


@cache
def numbered(text: str) -> str:
    """Return the text of a line of a log as a message: translations may have its values in another order."""
    numbers = count()
    return re.sub(r"\{\}", lambda _: f"{{{next(numbers)}}}", text)
