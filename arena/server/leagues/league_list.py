"""The list of leagues, and the part of the home page that is about them."""

from collections.abc import Sequence

from arena.replay.html import Element
from arena.server.leagues.board import facts_text, newest_entries, played_now, upsets_of
from arena.server.leagues.cache import LeagueView
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES

LEADERS = 5
"""Entries of each league on the home page."""

SHOWN = 4
"""Batches, upsets and new entries of each league on the home page."""


def list_all(views: Sequence[LeagueView]) -> str:
    """Return the list of leagues."""
    return TEMPLATES.page("leagues/list.html", translated=True, views=views)


def home_parts(views: Sequence[LeagueView]) -> PageParts:
    """Return the parts of the home page: leaders of each league, what is played, upsets and new entries."""
    return PageParts({f"league-{view.league.id}": _league(view) for view in views})


def _league(view: LeagueView) -> Element:
    return TEMPLATES.macro("leagues/home_parts.html", "league")(
        view.league,
        facts_text(view),
        [row for row in view.active if row.rank is not None][:LEADERS],
        played_now(view)[:SHOWN],
        upsets_of(view, SHOWN),
        newest_entries(view, SHOWN),
    )
