"""The templates of the pages, in Jinja2: a folder for each room, `page.html`, the frame of all, and `macros.html`.

A view gives values, a template has the markup. All values are escaped, but for elements (`arena.replay.html`) and what
macros return. As in JSX, line breaks with the spaces around them are left out beside tags, expressions and statements,
and are a space within text: where a space is meant there, `{{ " " }}` says so.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from arena.language.languages import ENGLISH, LANGUAGE, LANGUAGES, speaking
from arena.language.messages import gettext, in_context, translate
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element, rendered
from arena.replay.replay_page import theme_button
from arena.server.files import address
from arena.server.pages.axes import across, signed, ticks
from arena.server.pages.faces import face
from arena.server.pages.items import move_parts, picture
from arena.server.pages.navigation import NAVIGATION
from arena.values.pseudonyms import is_pseudonym

_BREAK = re.compile(r"\s*\n\s*")


class _Lines(Extension):
    """Leaves out line breaks and indentation."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """Yield the tokens of a template with the markup on one line."""
        for token in stream:
            if token.type == "data":
                token = Token(token.lineno, "data", _BREAK.sub(_joint, token.value))
            yield token


def _joint(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    return " " if before and after and before[-1] != ">" and after[0] != "<" else ""


class Templates:
    """The templates of some folders; a name stands for that of the first folder which has it.

    A package with pages has its own folder before that of the site, whose frame and macros it uses.
    """

    def __init__(self, *folders: Path) -> None:
        self._environment = Environment(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            cache_size=-1,
            extensions=[_Lines],
        )
        self._environment.globals = {
            "_": gettext,
            "across": across,
            "address": address,
            "attribute": attribute,
            "face_of": face,
            "filled": filled,
            "in_context": in_context,
            "item_picture": picture,
            "move_parts": move_parts,
            "language": LANGUAGE.get,
            "languages": LANGUAGES,
            "navigation": NAVIGATION.get,
            "path_part": lambda text: quote(text, safe=""),
            "theme_button": theme_button,
            "ticks": ticks,
            "translate": translate,
        }
        self._environment.filters |= {
            "elo": elo_text,
            "fixed": fixed,
            "short_time": short_time,
            "translated": translate,
            "signed": signed,
            "thousands": lambda number: f"{number:,}",
        }
        self._environment.tests["pseudonym"] = is_pseudonym

    def page(self, name: str, /, *, translated: bool = False, **values: Any) -> str:
        """Return a page.

        translated: whether it is in the language of the request, and has a switch between languages; others are in
            English.
        values: what the template shows.
        """
        with speaking(LANGUAGE.get() if translated else ENGLISH):
            return self._environment.get_template(name).render(translated=translated, **values)

    def macro(self, name: str, macro: str, *, english: bool = False) -> Callable[..., Element]:
        """Return a macro of a template as a function: what it returns is a part of pages.

        english: whether these pages are in English, and not in the language of the request.
        """

        def call(*values: Any, **named: Any) -> Element:
            with speaking(ENGLISH if english else LANGUAGE.get()):
                return rendered(getattr(self._environment.get_template(name).module, macro)(*values, **named))

        return call

    def names(self) -> Iterator[str]:
        """Yield the names of all templates."""
        yield from self._environment.list_templates(["html"])

    def compile(self) -> None:
        """Compile all templates, so that nobody waits for it."""
        for name in self.names():
            self._environment.get_template(name)


def attribute(name: str, value: str | float | bool | None) -> str:
    """Return an attribute with a space before it: without a value if that is True, nothing if it is False or None."""
    if value is None or value is False:
        return ""
    return Markup(f" {name}") if value is True else Markup(f' {name}="{escape(value)}"')


def filled(text: str, *values: Any) -> Markup:
    """Return a message with markup as its values.

    text: the message, in the language of the page.
    values: what stands for {0}, {1} ... in it; what is no markup is escaped.
    """
    return escape(text).format(*values)


def fixed(number: float | None, decimals: int = 0) -> str:
    """Format a number with so many decimals; None is a dash."""
    return "-" if number is None else f"{number:.{decimals}f}"


def short_time(when: str) -> str:
    """Format a time in UTC to the minute, as day and hour, in the language of the page."""
    at = datetime.fromisoformat(when)
    return f"{at:%b} {at.day}, {at:%H:%M}" if LANGUAGE.get() == ENGLISH else f"{at.month}/{at.day} {at:%H:%M}"


FOLDER = Path(__file__).parent
TEMPLATES = Templates(FOLDER)
"""Those of the site."""
