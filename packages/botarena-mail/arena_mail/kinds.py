"""The kinds of mail: what each tells, and of which events of the outbox it comes.

Each has a template in `mails`, of the same name.
"""

from collections.abc import Mapping
from typing import Any

from arena.bots.hand_in_events import HAND_IN_CHECKED, HAND_IN_REJUDGED, RECHECK_FAILED
from arena.league.store import outbox_events
from arena.league.store.outbox_events import (
    DEADLINE_EXTENDED,
    ENTRY_PLACED,
    ENTRY_PROMOTED,
    ENTRY_RELEGATED,
    ENTRY_SUSPENDED,
    LEAGUE_DATES,
    SEASON_OVER,
)
from arena.values.given_time import shown_time

ACCEPTED, REFUSED, SUSPENDED, PLACED, SEASON = "accepted", "refused", "suspended", "placed", "season"
ANNOUNCEMENT, DATES, DIVISION, REJUDGED, RECHECK = "announcement", "dates", "division", "rejudged", "recheck"

KINDS = (ACCEPTED, REFUSED, REJUDGED, RECHECK, SUSPENDED, PLACED, DIVISION, ANNOUNCEMENT, DATES, SEASON)
"""What owners choose."""

USUAL = (ACCEPTED, REFUSED, REJUDGED, RECHECK, SUSPENDED, DIVISION, ANNOUNCEMENT, DATES, SEASON)
"""What an owner gets who has chosen nothing."""

INVITATION, CONFIRMATION, TEST = "invitation", "confirmation", "test"
"""What is sent because somebody asks for it, whatever the owner has chosen."""

ALL = (*KINDS, INVITATION, CONFIRMATION, TEST)

_OF_EVENT = {
    HAND_IN_REJUDGED: REJUDGED,
    RECHECK_FAILED: RECHECK,
    ENTRY_SUSPENDED: SUSPENDED,
    ENTRY_PLACED: PLACED,
    ENTRY_PROMOTED: DIVISION,
    ENTRY_RELEGATED: DIVISION,
    outbox_events.ANNOUNCEMENT: ANNOUNCEMENT,
    LEAGUE_DATES: DATES,
    DEADLINE_EXTENDED: DATES,
    SEASON_OVER: SEASON,
}


def kind_of(event: str, data: Mapping[str, Any]) -> str | None:
    """Return the kind of the mail that tells of an event; None if none does.

    event: its kind in the outbox.
    data: its details.
    """
    if event == HAND_IN_CHECKED and data.get("again"):
        return RECHECK if data["again"] == "failed" else None
    if event == HAND_IN_CHECKED:
        return ACCEPTED if data["state"] == "accepted" else REFUSED
    return _OF_EVENT.get(event)


def values_of(event: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template of the mail of an event shows.

    event: its kind in the outbox.
    data: its details.
    """
    values = dict(data)
    if event in (ENTRY_PROMOTED, ENTRY_RELEGATED):
        values["up"] = event == ENTRY_PROMOTED
    elif event == outbox_events.ANNOUNCEMENT:
        values["lines"] = values.pop("text").splitlines()
    elif event in (LEAGUE_DATES, DEADLINE_EXTENDED):
        zone = data.get("zone", "")
        for name in ("opens", "deadline", "hides", "ends", "until"):
            values[name] = shown_time(data[name], zone) if data.get(name) else ""
        values["extension"] = event == DEADLINE_EXTENDED
    return values
