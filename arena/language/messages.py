"""Messages in the language of the current request, from catalogues in gettext's format."""

import gettext as gnu
import re
from functools import cache
from importlib.resources import files
from itertools import count

from arena.language.languages import ENGLISH, LANGUAGE

CONTEXT = "\x04"
"""Between the context of a message and its text, in compiled catalogues."""


def gettext(text: str, *values: object) -> str:
    """Return a message in the language of the current request; the text itself where it has no translation.

    values: what stands for {0}, {1} ... in it.
    """
    words = catalogue(LANGUAGE.get()).get(text, text)
    return words.format(*values) if values else words


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the translations into a language, by English text, with a context before it where there is one.

    There are none into English.
    """
    if language == ENGLISH:
        return {}
    file = files(__package__) / "locale" / language / "LC_MESSAGES" / "arena.mo"
    with file.open("rb") as compiled:
        translations: dict[str, str] = gnu.GNUTranslations(compiled)._catalog  # type: ignore[attr-defined]
    return {text: words for text, words in translations.items() if text and words}


def numbered(text: str) -> str:
    """Return the text of a line of a log as a message: translations may have its values in another order."""
    numbers = count()
    return re.sub(r"\{\}", lambda _: f"{{{next(numbers)}}}", text)
