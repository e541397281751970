"""What the outbox says of hand-ins."""

from typing import Literal

from sqlalchemy import Connection, select

from arena.store.engine.outbox import add_event
from arena.store.engine.schema import hand_ins, submissions

HAND_IN_CHECKED = "hand_in.checked"
"""A hand-in is checked. data: hand_in, bot, state, version, sentence, again: see `add_checked`."""

HAND_IN_REJUDGED = "hand_in.rejudged"
"""An organiser has a hand-in checked again. data: hand_in, bot, reason."""

RECHECK_FAILED = "hand_in.recheck_failed"
"""An accepted version that an organiser has had checked again did not pass. It concerns that organiser. data: as of
`HAND_IN_CHECKED`."""

Again = Literal["", "passed", "failed"]
"""The result of the check of a version that was accepted before; empty where it was not."""


def add_rejudged(connection: Connection, hand_in: int, reason: str) -> None:
    """Tell that a hand-in is checked again, in the transaction in which that is decided."""
    row = connection.execute(select(hand_ins.c.owner, hand_ins.c.name).where(hand_ins.c.id == hand_in)).one()
    add_event(connection, HAND_IN_REJUDGED, row.owner, {"hand_in": hand_in, "bot": row.name, "reason": reason})


def add_checked(connection: Connection, hand_in: int, again: Again = "", by: str = "") -> None:
    """Tell that a hand-in is checked, in the transaction in which its check ended.

    again: the result, where it was accepted before.
    by: who had it checked again, who is told of a failure as well; empty for nobody.
    """
    query = select(hand_ins.c.owner, hand_ins.c.name, hand_ins.c.state, hand_ins.c.sentence, submissions.c.version)
    query = query.outerjoin_from(hand_ins, submissions, submissions.c.id == hand_ins.c.submission)
    row = connection.execute(query.where(hand_ins.c.id == hand_in)).one()
    data = {"hand_in": hand_in, "bot": row.name, "state": row.state, "version": row.version, "sentence": row.sentence}
    data["again"] = again
    add_event(connection, HAND_IN_CHECKED, row.owner, data)
    if again == "failed" and by not in ("", row.owner):
        add_event(connection, RECHECK_FAILED, by, data)
