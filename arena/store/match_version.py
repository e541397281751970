"""Whether a stored match is still what it was: for whoever keeps one."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from arena.store.schema import actions, events, matches, outputs


class MatchVersion(NamedTuple):
    """What is another as soon as a match, its tournament or what its bots left behind is.

    event: the key of its tournament. decided: how many entries that has in its log; a match that was made void, and is
    there again, comes after one more. finished: when it was over, None while it is not. outputs: how many bytes the
    processes of the match's phase have left.
    """

    event: int
    decided: int
    finished: str | None
    outputs: int


def match_version(connection: Connection, id: int) -> MatchVersion | None:
    """Return the edition of a match; None where there is no such match."""
    decided: Any = select(func.max(actions.c.number)).where(actions.c.event_id == matches.c.event_id)
    left: Any = select(func.coalesce(func.sum(func.length(outputs.c.text)), 0)).where(
        outputs.c.event_id == matches.c.event_id, outputs.c.phase == matches.c.phase
    )
    wanted = select(events.c.id, events.c.finished, decided.scalar_subquery(), left.scalar_subquery())
    wanted = wanted.join_from(matches, events, events.c.id == matches.c.event_id).where(matches.c.id == id)
    found = connection.execute(wanted).first()
    return None if found is None else MatchVersion(found[0], found[2] or 0, found[1], int(found[3]))
