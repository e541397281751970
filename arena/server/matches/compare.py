"""Matches of one deal side by side: the same cards in the hands of others. The scripts load what is shown."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.replay.html import Child, Element, tag
from arena.replay.keys import COMPARED
from arena.replay.replay_page import key_help, transport
from arena.replay.static import COMPARING
from arena.server.files import art_address
from arena.server.matches.deal import result
from arena.server.matches.replay import event_link
from arena.server.pages.layout import page
from arena.values.rows import ListedMatch, StoredMatch

MOST = 4
"""The largest number of matches that stand side by side."""


class Side(NamedTuple):
    """One of the replays that stand side by side."""

    base: str
    """The path of the page of the replay."""
    name: str
    """What the replay is called on the page."""


def show(match: StoredMatch, sides: Sequence[ListedMatch], others: Sequence[ListedMatch]) -> str:
    """Return the page.

    sides: the matches that are shown, `match` first.
    others: the matches that it can be compared with.
    """
    shown = {side.id for side in sides}
    return compared(
        match,
        [Side(f"/matches/{side.id}", _("match {0}", side.id)) for side in sides],
        tag("button", {"type": "button", "id": "more", "popovertarget": "menu"}, _("matches")),
        _choice(match.id, others, shown),
    )


def compared(match: StoredMatch, sides: Sequence[Side], *tools: Child) -> str:
    """Return the page of some replays of the deal of a match.

    tools: what stands at the end of its heading.
    """
    row, game = match.row, match.event.game
    seats = [tag("option", {"value": seat}, _("seat {0}", seat)) for seat in range(len(row.seats))]
    known = [
        tag("option", {"value": value}, words) for value, words in (("all", _("everything")), ("own", _("its view")))
    ]
    return page(
        _("Deal {0} side by side: {1}", row.deal, game),
        tag(
            "main",
            {"id": "content"},
            tag(
                "div",
                {"id": "compare", "data-game": game, "data-art": art_address(game), "data-sides": len(sides)},
                tag(
                    "div",
                    {"class": "head"},
                    tag("h1", {}, _("Side by side: {0}", game)),
                    tag("span", {"class": "soft"}, event_link(match), _("deal number {0}", row.deal)),
                    tag("label", {}, tag("span", {}, _("cards of")), tag("select", {"id": "seat"}, seats)),
                    tag("label", {}, tag("span", {}, _("show")), tag("select", {"id": "known"}, known)),
                    tools,
                ),
                tag("p", {"id": "trouble", "class": "fault", "role": "alert", "hidden": True}),
                tag("div", {"class": "beside"}, map(_side, sides)),
                tag(
                    "div", {"id": "gains", "class": "wide", "tabindex": 0, "role": "group", "aria-label": _("by round")}
                ),
                tag(
                    "div",
                    {"class": "controls", "role": "group", "aria-label": _("controls")},
                    transport(
                        tag("span", {"class": "at", "id": "round"}),
                        tag("button", {"type": "button", "id": "link"}, _("copy link")),
                        tag("button", {"type": "button", "id": "keys"}, _("keys")),
                        tag("span", {"id": "told", "role": "status"}),
                        events=False,
                    ),
                ),
                tag("p", {"id": "spoken", "class": "visually-hidden", "aria-live": "polite"}),
                key_help(COMPARED),
            ),
        ),
        here="/matches",
        kind="compare",
        language=LANGUAGE.get(),
        styles=("player.css", "items.css", "compare.css"),
        scripts=("words.js", *script_name(LANGUAGE.get()), *COMPARING, "compare.js"),
    )


def _choice(match: int, others: Sequence[ListedMatch], shown: set[int]) -> Element:
    """Return the form that chooses what stands beside a match."""
    boxes = [
        tag(
            "li",
            {},
            tag(
                "label",
                {},
                tag("input", {"type": "checkbox", "name": "with", "value": other.id, "checked": other.id in shown}),
                f" {_('match {0}', other.id)}",
            ),
            result(other),
        )
        for other in others
    ]
    return tag(
        "div",
        {"id": "menu", "popover": "", "role": "group", "aria-label": _("matches")},
        tag(
            "form",
            {"class": "deal", "method": "get", "action": f"/matches/{match}/compare"},
            tag("p", {}, _("beside match {0}, up to {1} of this deal:", match, MOST - 1)),
            tag("ul", {"tabindex": 0, "aria-label": _("matches of this deal")}, boxes),
            tag("button", {"class": "main"}, _("show")),
        ),
    )


def _side(side: Side) -> Element:
    return tag(
        "section",
        {"data-base": side.base, "data-name": side.name, "aria-label": side.name},
        tag(
            "h2",
            {},
            tag("a", {"href": side.base}, side.name),
            tag("span", {"class": "holder"}),
            tag("span", {"class": "score number"}),
        ),
        tag("div", {"class": "table", "role": "group", "aria-label": _("the table of {0}", side.name)}),
        tag("ol", {"class": "entry", "tabindex": 0, "aria-label": _("what happens in {0}", side.name)}),
    )
