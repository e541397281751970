"""The dates of the newest season of a league, as its page shows them."""

from arena.league.store.league_dates import LeagueDates
from arena.replay.html import Element
from arena.server.templates import TEMPLATES
from arena.values.given_time import shown_time

WORDS = {"opens": "opens", "deadline": "last hand-in counts", "hides": "board is hidden", "ends": "season ends"}
"""What each date is called, in the order of time."""


def dates_part(dates: LeagueDates) -> Element:
    """Return the part of the page with the dates; it is hidden where there are none."""
    return TEMPLATES.macro("leagues/dates.html", "dates")(date_rows(dates))


def date_rows(dates: LeagueDates) -> list[tuple[str, str, str]]:
    """Return what each date that is set is called, its moment, and how it is shown."""
    known = [(words, getattr(dates, name)) for name, words in WORDS.items()]
    return [(words, moment, shown_time(moment, dates.zone)) for words, moment in known if moment]


def own_deadline(dates: LeagueDates, owner: str | None) -> tuple[str, str] | None:
    """Return the deadline of an owner, if it was extended: the moment, and how it is shown; None for any other."""
    if owner is None or owner not in dates.extensions or dates.deadline_of(owner) == dates.deadline:
        return None
    return dates.deadline_of(owner), shown_time(dates.deadline_of(owner), dates.zone)
