"""The rules beside the table: a drawer with the options of the match and the pages of rules of its game."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.messages import gettext as _
from arena.replay.html import Child, Element, tag
from arena.replay.renderer import rule_pages
from arena.replay.rule_pages import NoPage, article, page
from referee.engine.game import Game
from referee.engine.registry import game as find_game


def rules_button() -> Element:
    """Return the button that opens and closes the drawer."""
    return tag("button", {"type": "button", "id": "show-rules", "aria-expanded": "false", "aria-controls": "rules"},
        _("rules"), " ", tag("kbd", {}, "h"))  # fmt: skip


def rules_drawer(game: Game, options: Any, *, linked: bool = True) -> Element:
    """Return the drawer, closed.

    options: the options of the match.
    linked: whether the pages may have links to other pages of rules, as on the site.
    """
    return tag(
        "aside",
        {"id": "rules", "class": "sheet rules", "aria-label": _("rules of {0}", game.name), "hidden": True},
        tag(
            "div",
            {"class": "title"},
            tag("h2", {}, _("Rules")),
            tag("button", {"type": "button", "id": "hide-rules"}, _("close")),
        ),
        tag(
            "div",
            {"id": "rules-text", "tabindex": 0, "role": "group", "aria-label": _("text of the rules")},
            _options(options),
            list(_articles(game, linked)),
        ),
    )


def _articles(game: Game, linked: bool) -> Iterator[Child]:
    foreign = ENGLISH if LANGUAGE.get() != ENGLISH else None
    for name in rule_pages(game):
        try:
            title, text = article(find_game(name), LANGUAGE.get(), level=4, linked=linked)
        except NoPage:
            yield tag("pre", {"lang": foreign}, game.moves)
        else:
            _text, written_in = page(find_game(name), LANGUAGE.get())
            yield tag("h3", {"lang": foreign if written_in != LANGUAGE.get() else None}, title)
            yield text


def _options(options: Any) -> list[Element]:
    """Return the options in force, in plain words."""
    lines = [tag("li", {}, words) for words in options_in_words(options)]
    return [tag("h3", {}, _("At this table")), tag("ul", {"class": "in-force"}, lines)] if lines else []


def options_in_words(options: Any) -> Iterator[str]:
    """Yield a line for each option in force: switches that are on, and all choices and numbers."""
    for field in dataclasses.fields(options):
        value, choices, meaning = getattr(options, field.name), field.metadata["choices"], field.metadata["help"]
        if isinstance(value, bool):
            if value:
                yield _(meaning)
        else:
            yield f"{_(meaning)}: {_(choices[str(value)]) if choices else value}"
