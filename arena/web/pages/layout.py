"""The frame of all pages, and helpers for links, tables and numbers."""

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from urllib.parse import quote

from arena.language.languages import ENGLISH, LANGUAGE, LANGUAGES, speaking
from arena.language.messages import catalogue
from arena.language.messages import gettext as _
from arena.store.pseudonyms import is_pseudonym
from arena.viewer.html import Child, Element, document, tag
from arena.viewer.replay_page import theme_button
from arena.web.files import address

PUBLIC_LINKS = (("/", "Tournaments"), ("/matches", "Matches"), ("/bots", "Bots"))
"""The navigation links of every site."""

NAVIGATION: ContextVar[Sequence[tuple[str, str]]] = ContextVar("NAVIGATION", default=PUBLIC_LINKS)
"""The navigation links of the current request, as path and name; set by the middleware."""


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

    here: the path of its navigation link. styles, scripts: files besides those of all pages. first_scripts: likewise,
    run before anything else is loaded. reload: after so many seconds a browser without JavaScript loads it again; None:
    never. language: of a page that is translated, which has a switch between languages; the others are English. kind:
    of a page with a layout of its own.
    """
    spoken = language or ENGLISH
    words = catalogue(spoken)
    with speaking(spoken):
        theme = theme_button()
    links = [
        tag("a", {"href": path, "aria-current": "page" if path == here else None}, words.get(name, name))
        for path, name in NAVIGATION.get()
    ]
    return document(
        (
            tag("title", {}, f"{title} · arena"),
            tag("link", {"rel": "icon", "href": address("icon.svg"), "type": "image/svg+xml"}),
            # Before the page is drawn, so that it does not flash in the other theme, and before the styles, for which
            # scripts after them wait.
            tag("script", {"src": address("theme.js", *first_scripts)}),
            tag("link", {"rel": "stylesheet", "href": address("tokens.css", "base.css", *styles)}),
            tag("script", {"src": address(*scripts), "defer": True}) if scripts else None,
            tag("noscript", {}, tag("meta", {"http-equiv": "refresh", "content": reload})) if reload else None,
        ),
        (
            tag("a", {"class": "skip", "href": "#content"}, words.get("to the content", "to the content")),
            tag(
                "header",
                {"class": "bar"},
                tag(
                    "a",
                    {"class": "brand", "href": "/"},
                    tag("img", {"src": address("icon.svg"), "alt": "", "width": 22, "height": 22}),
                    tag("span", {}, "arena"),
                ),
                tag("nav", {"aria-label": words.get("pages", "pages")}, links),
                _languages(language) if language else None,
                theme,
            ),
            body,
        ),
        spoken,
        kind,
    )


def _languages(language: str) -> Element:
    """Return the switch between languages, on pages that are translated."""
    links = [
        tag("a", {"href": f"?lang={code}", "lang": code, "hreflang": code, "title": name, "aria-label": name,
            "aria-current": "true" if code == language else None}, code.upper())
        for code, name in LANGUAGES.items()
    ]  # fmt: skip
    return tag("nav", {"class": "languages", "aria-label": _("language")}, links)


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

    numbers: the columns that are aligned to the right. spare: those that are hidden on narrow screens.
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
    """Return a container that scrolls if its content is too wide, by keyboard too. label: for screen readers."""
    return tag("div", {"class": "wide", "tabindex": 0, "role": "group", "aria-label": label}, body)


def bot_link(name: str) -> Element | str:
    """Return the name of a bot as a link to its page; those of closed accounts have none."""
    if is_pseudonym(name):
        return name
    return tag("a", {"href": f"/bots/{quote(name)}"}, name)


def tournament_link(number: int, words: str | None = None) -> Element:
    """Return a tournament as a link to its page. words: what it is called; None: by its number."""
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
