"""The frame of all pages, and helpers for links, tables and numbers."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.messages import gettext as _
from arena.replay.html import Child, Element, fragment, tag
from arena.server.templates import TEMPLATES
from arena.values.pseudonyms import is_pseudonym


def page(
    title: str,
    *body: Child,
    here: str = "",
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    first_scripts: Sequence[str] = (),
    reload: int | None = None,
    language: str | None = None,
    kind: str | None = None,
) -> str:
    """Return a page.

    here: the path of its navigation link.
    styles, scripts: files besides those of all pages.
    first_scripts: likewise, run before anything else is loaded.
    reload: after so many seconds a browser without JavaScript loads it again; None: never.
    language: that of a page that is translated, which has a switch between languages; the others are English.
    kind: the word by which style sheets know a page with a layout of its own; None: it has that of all pages.
    """
    return TEMPLATES.page(
        "elements.html",
        translated=language is not None,
        title=title,
        body=fragment(body),
        here=here,
        styles=styles,
        scripts=scripts,
        first_scripts=first_scripts,
        reload=reload,
        kind=kind,
    )


def content(title: Child, *body: Child) -> Element:
    """Return the main part of a page, with its heading."""
    return tag("main", {"id": "content"}, tag("h1", {}, title), body)


def sheet(*body: Child, **attributes: str) -> Element:
    """Return a section of a page, in a box."""
    return tag("section", {"class": "sheet", **attributes}, body)


def table(
    headers: Sequence[Child],
    rows: Iterable[Iterable[Child]],
    numbers: Sequence[int] = (),
    spare: Sequence[int] = (),
    *,
    sortable: bool = False,
) -> Element:
    """Return a table, which scrolls if it is too wide.

    numbers: the columns that are aligned to the right.
    spare: the columns that are hidden on narrow screens.
    sortable: whether a browser may sort it by its columns (sort.js).
    """

    def cells(name: str, row: Iterable[Child], scope: str | None = None) -> list[Element]:
        kinds = (("number", numbers), ("spare", spare))
        classes = [" ".join(kind for kind, columns in kinds if n in columns) for n in range(len(headers))]
        return [
            tag(name, {"class": kind or None, "scope": scope}, cell) for kind, cell in zip(classes, row, strict=True)
        ]

    head = tag("thead", {}, tag("tr", {}, cells("th", headers, "col")))
    body = tag("tbody", {}, [tag("tr", {}, cells("td", row)) for row in rows])
    columns = ", ".join(header for header in headers if isinstance(header, str) and header)
    return wide(f"table: {columns}", tag("table", {"data-sortable": sortable}, head, body))


def wide(label: str, *body: Child) -> Element:
    """Return a container that scrolls if its content is too wide, by keyboard too.

    label: what screen readers call it.
    """
    return tag("div", {"class": "wide", "tabindex": 0, "role": "group", "aria-label": label}, body)


def bot_link(name: str) -> Element | str:
    """Return the name of a bot as a link to its page; those of closed accounts have none."""
    if is_pseudonym(name):
        return name
    return tag("a", {"href": f"/bots/{quote(name)}"}, name)


def tournament_link(number: int, words: str | None = None) -> Element:
    """Return a tournament as a link to its page.

    words: what it is called; None: it is called by its number.
    """
    return tag("a", {"href": f"/tournaments/{number}"}, f"tournament {number}" if words is None else words)


def ordinal(number: int) -> str:
    """Format an ordinal number: 1st, 2nd, 3rd, 11th."""
    endings = {1: "st", 2: "nd", 3: "rd"} if number % 100 not in (11, 12, 13) else {}
    return f"{number}{endings.get(number % 10, 'th')}"


def count(number: float) -> str:
    """Format a number with thousands separators."""
    return f"{number:,}"


def rank_words(rank: int) -> str:
    """Format a rank in the language of the request: 1st."""
    return ordinal(rank) if LANGUAGE.get() == ENGLISH else _("{0}th", rank)
