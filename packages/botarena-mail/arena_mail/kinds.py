"""The kinds of mail: what each tells, and of which events of the outbox it comes.

Each has a template in `mails`, of the same name.
"""

from collections.abc import Mapping
from typing import Any

from arena.bots.hand_in_events import HAND_IN_CHECKED
from arena.league.store.outbox_events import ENTRY_PLACED, ENTRY_SUSPENDED, SEASON_OVER

ACCEPTED, REFUSED, SUSPENDED, PLACED, SEASON = "accepted", "refused", "suspended", "placed", "season"

KINDS = (ACCEPTED, REFUSED, SUSPENDED, PLACED, SEASON)
"""What owners choose."""

USUAL = (ACCEPTED, REFUSED, SUSPENDED, SEASON)
"""What an owner gets who has chosen nothing."""

INVITATION, CONFIRMATION, TEST = "invitation", "confirmation", "test"
"""What is sent because somebody asks for it, whatever the owner has chosen."""

ALL = (*KINDS, INVITATION, CONFIRMATION, TEST)

_OF_EVENT = {ENTRY_SUSPENDED: SUSPENDED, ENTRY_PLACED: PLACED, SEASON_OVER: SEASON}


def kind_of(event: str, data: Mapping[str, Any]) -> str | None:
    """Return the kind of the mail that tells of an event; None if none does.

    event: its kind in the outbox.
    data: its details.
    """
    if event == HAND_IN_CHECKED:
        return ACCEPTED if data["state"] == "accepted" else REFUSED
    return _OF_EVENT.get(event)
