"""What the outbox says of entries and seasons.

Each function is called in the transaction of what happened.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from arena.store.engine.outbox import add_event
from arena.store.engine.schema import entries, leagues
from arena.store.matches.hidden_results import is_hiding

ENTRY_PLACED = "entry.placed"
ENTRY_SUSPENDED = "entry.suspended"
"""An entry of a league has its place, or is suspended. data: league, entry, name, reason."""

SEASON_OVER = "season.over"
"""A season is over; one event for each owner. data: league, season, entries."""

ENTRY_PROMOTED = "entry.promoted"
ENTRY_RELEGATED = "entry.relegated"
"""An entry is in a higher, or a lower division of a league. data: league, entry, name, division."""

LEAGUE_DATES = "league.dates"
"""The dates of a season are set; one event for each owner with an entry. data: league, season, opens, deadline, ends,
zone."""

ANNOUNCEMENT = "league.announcement"
"""Something is announced, or an announcement has another text; one event for each owner with an entry. data: league,
announcement, text, new."""

DEADLINE_EXTENDED = "deadline.extended"
"""The deadline of an owner in a season is extended, or no more. data: league, season, until."""

_KIND_OF_STATE = {"standing": ENTRY_PLACED, "suspended": ENTRY_SUSPENDED}


def add_entry_change(connection: Connection, league: int, number: int, state: str, reason: str) -> None:
    """Tell its owner that an entry is placed or suspended; of other states nothing is told.

    Those of practice leagues are nobody's. Nor is it told that an entry is placed, which follows from its rating, while
    the results of the league are hidden.
    """
    if state in _KIND_OF_STATE and not (state == "standing" and is_hiding(connection, league)):
        is_entry = (entries.c.league_id == league) & (entries.c.number == number)
        row = connection.execute(select(entries.c.owner, entries.c.name).where(is_entry)).one()
        if not row.owner:
            return
        data = {"league": _name(connection, league), "entry": number, "name": row.name, "reason": reason}
        add_event(connection, _KIND_OF_STATE[state], row.owner, data)


def add_division_change(connection: Connection, league: int, number: int, division: int, *, is_up: bool) -> None:
    """Tell that an entry is in another division now, unless the results of the league are hidden.

    division: its number, from 1.
    is_up: whether it is a higher one.
    """
    if is_hiding(connection, league):
        return
    is_entry = (entries.c.league_id == league) & (entries.c.number == number)
    row = connection.execute(select(entries.c.owner, entries.c.name).where(is_entry)).one()
    data = {"league": _name(connection, league), "entry": number, "name": row.name, "division": division}
    add_event(connection, ENTRY_PROMOTED if is_up else ENTRY_RELEGATED, row.owner, data)


def add_season_over(connection: Connection, league: int, season: int) -> None:
    """Tell all owners with an active entry in a league that a season is over."""
    is_active = (entries.c.league_id == league) & entries.c.state.in_(("placing", "standing")) & (entries.c.owner != "")
    query = select(entries.c.owner, entries.c.number, entries.c.name).where(is_active).order_by(entries.c.number)
    of_owner: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(query):
        of_owner.setdefault(row.owner, []).append({"entry": row.number, "name": row.name})
    data = {"league": _name(connection, league), "season": season}
    for owner, active in of_owner.items():
        add_event(connection, SEASON_OVER, owner, data | {"entries": active})


def add_dates(connection: Connection, league: int, details: Mapping[str, Any]) -> None:
    """Tell all owners with an entry in a league the dates of a season.

    details: of the decision.
    """
    _tell_owners(connection, league, LEAGUE_DATES, details)


def add_announcement(connection: Connection, league: int, number: int, text: str, *, is_new: bool) -> None:
    """Tell all owners with an entry in a league what is announced.

    is_new: whether it is a new announcement, and no other text of one.
    """
    _tell_owners(connection, league, ANNOUNCEMENT, {"announcement": number, "text": text, "new": is_new})


def _tell_owners(connection: Connection, league: int, kind: str, details: Mapping[str, Any]) -> None:
    data = {"league": _name(connection, league), **details}
    has_owner = (entries.c.league_id == league) & (entries.c.owner != "")
    for owner in connection.scalars(select(entries.c.owner).where(has_owner).distinct().order_by(entries.c.owner)):
        add_event(connection, kind, owner, data)


def add_extension(connection: Connection, league: int, season: int, owner: str, until: str) -> None:
    """Tell an owner until when their hand-ins count; an empty text takes an extension back."""
    data = {"league": _name(connection, league), "season": season, "until": until}
    add_event(connection, DEADLINE_EXTENDED, owner, data)


def _name(connection: Connection, league: int) -> str:
    return str(connection.scalar(select(leagues.c.name).where(leagues.c.id == league)))
