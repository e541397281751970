"""The list of leagues, and the part of the home page that is about them."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.replay.html import Element
from arena.server.leagues.board import facts_text, newest_entries, upsets_of
from arena.server.leagues.cache import LeagueView
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES
from arena.server.watch.shown_tables import ShownTable
from arena.server.watch.watched_league import WatchedLeague

LEADERS = 5
"""Entries of each league on the home page."""

SHOWN = 4
"""Upsets and new entries of each league on the home page."""


class HomeTable(NamedTuple):
    """The table that the home page shows."""

    league: str
    """The name of its league."""
    watched: WatchedLeague
    organiser: bool
    """Whether matches are shown whose deals are played again."""

    @property
    def name(self) -> str:
        """What tells it from what others see of the same league."""
        return f"{self.league}, everything" if self.organiser else self.league


class LeagueHome(NamedTuple):
    """What the home page has of leagues."""

    parts: PageParts
    """Those that change."""
    watched: LeagueView | None
    """The league whose table is among them; None: none is."""
    shown: Sequence[ShownTable] = ()
    """What its table shows."""


def list_all(views: Sequence[LeagueView]) -> str:
    """Return the list of leagues."""
    return TEMPLATES.page("leagues/list.html", translated=True, views=views)


def playing(views: Sequence[LeagueView]) -> LeagueView | None:
    """Return the league that played last, an open one before others; None where nothing has been played."""
    return max((view for view in views if view.board.results), key=_played, default=None)


def _played(view: LeagueView) -> tuple[bool, str]:
    """Return what is greater for a league that plays, and of these for the one that played last."""
    last = max((row.played.ended for row in view.board.rows if row.played is not None), default="")
    return view.league.state == "open" and not view.unplayable and view.board.results > 0, last


def home_parts(views: Sequence[LeagueView], table: HomeTable | None = None) -> PageParts:
    """Return the parts of the home page: leaders, upsets and new entries of leagues, the one that played last first.

    table: the table that it shows.
    """
    parts = {f"league-{view.league.id}": _league(view) for view in sorted(views, key=_played, reverse=True)}
    shown = {} if table is None else table.watched.parts(1, organiser=table.organiser).elements
    return PageParts({**shown, **parts})


def _league(view: LeagueView) -> Element:
    leased = sum(row.state == "leased" for row in view.queue)
    leaders = [row for row in view.active if row.rank is not None][:LEADERS]
    return TEMPLATES.macro("leagues/home_parts.html", "league")(
        view.league,
        facts_text(view),
        leaders,
        leased,
        upsets_of(view, SHOWN),
        newest_entries(view, SHOWN),
    )
