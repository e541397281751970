"""The list of leagues, and the part of the home page that is about them."""

from collections.abc import Sequence

from arena.ratings.elo_text import elo_text
from arena.replay.html import Child, Element, tag
from arena.server.leagues.board import facts, newest_list, upset_item
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import (
    batch_link,
    entry_link,
    entry_links,
    league_link,
    league_path,
    listing,
    part,
)
from arena.server.live.page_parts import PageParts
from arena.server.pages.layout import content, count, page, sheet

LEADERS = 5
"""Entries of each league on the home page."""

SHOWN = 4
"""Batches, upsets and new entries of each league on the home page."""


def list_all(views: Sequence[LeagueView]) -> str:
    """Return the list of leagues."""
    lines = [
        (
            league_link(view.league.name),
            view.definition.game,
            str(view.definition.seats),
            count(len(view.active)),
            count(view.board.matches),
            view.league.created[:10],
            view.league.state,
        )
        for view in views
    ]
    headers = ("league", "game", "seats", "entries", "matches", "since", "state")
    listed = listing(headers, lines, "There are no leagues yet.", numbers=(2, 3, 4), spare=(2, 5))
    return page("Leagues", content("Leagues", sheet(listed)), here="/leagues", styles=("site.css",))


def home_parts(views: Sequence[LeagueView]) -> PageParts:
    """Return the parts of the home page: leaders of each league, what is played, upsets and new entries."""
    return PageParts({f"league-{view.league.id}": _league(view) for view in views})


def home(parts: PageParts) -> Element:
    """Return the part of the home page that is about leagues."""
    return tag("div", {"class": "home"}, list(parts.elements.values()))


def _league(view: LeagueView) -> Element:
    name = view.league.name
    leaders = [row for row in view.active if row.rank is not None][:LEADERS]
    leased = [row for row in view.queue if row.state == "leased"][:SHOWN]
    items = [
        tag(
            "li",
            {},
            tag("span", {"class": "number soft"}, str(row.rank)),
            entry_link(name, row.entry, state=True),
            tag("span", {"class": "number"}, elo_text(row.elo, row.bound)),
        )
        for row in leaders
    ]
    batches: list[Child] = [
        tag("li", {}, entry_links(name, [view.rows[number].entry for number in row.entries]),
            tag("span", {"class": "soft"}, "batch ", batch_link(name, row.number)))
        for row in leased
    ]  # fmt: skip
    upsets = [upset_item(view, upset) for upset in view.upsets[:SHOWN]]
    return part(
        f"league-{view.league.id}",
        ("League ", league_link(name)),
        facts(view, None),
        tag(
            "div",
            {"class": "columns"},
            _column(
                "Leaders",
                tag("ol", {"class": "leaders"}, items) if items else _soft("Nothing is rated yet."),
                tag("p", {}, tag("a", {"href": league_path(name)}, "the board")),
            ),
            _column("Now playing", _events(batches, "Nothing at the moment.")),
            _column("Latest upsets", _events(upsets, "None in the latest batches.")),
            _column("Newest entries", newest_list(view, SHOWN)),
        ),
    )


def _column(title: str, *body: Child) -> Element:
    return tag("div", {}, tag("h3", {}, title), body)


def _events(items: Sequence[Child], empty: str) -> Element:
    return tag("ul", {"class": "events"}, items) if items else _soft(empty)


def _soft(words: str) -> Element:
    return tag("p", {"class": "soft"}, words)
