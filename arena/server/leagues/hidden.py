"""What the pages of a league say while its new results are hidden from visitors."""

from arena.replay.html import Element
from arena.server.leagues.cache import LeagueView
from arena.server.templates import TEMPLATES
from arena.values.given_time import shown_time

_note = TEMPLATES.macro("leagues/hidden.html", "note")


def hidden_note(view: LeagueView) -> Element:
    """Return the sentence that says so, in the language of the page; without text where nothing is hidden."""
    since = view.board.hidden
    return _note(None if since is None else shown_time(since, view.dates.zone), view.sees_all)
