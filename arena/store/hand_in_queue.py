"""The queue of hand-ins: which is checked next, where one stands, and how long it waits."""

from datetime import UTC, datetime
from statistics import median

from sqlalchemy import Connection, Select, case, func, or_, select

from arena.store.hand_in_rows import RECEIVED, UNDER_WAY, UNFINISHED, Claim, QueuePlace
from arena.store.rows import utc_now
from arena.store.schema import hand_ins
from arena.store.worker_name import is_dead, is_here

RECENT = 20
"""The number of finished hand-ins from which durations are estimated."""

IS_UNDER_WAY = hand_ins.c.state.in_(UNDER_WAY)
_WAITING = hand_ins.c.state == RECEIVED
_INTERRUPTED = hand_ins.c.died + case((hand_ins.c.abandoned > 1, hand_ins.c.abandoned - 1), else_=0)
"""By which those come last that may be the reason: a server may be stopped or killed once for any other."""


def queue_place(connection: Connection, id: int, workers: int) -> QueuePlace | None:
    """Return where a hand-in is in the queue; None if it is finished. workers: how many are checked side by side."""
    shown = select(hand_ins.c.id, hand_ins.c.state, hand_ins.c.started, hand_ins.c.died, hand_ins.c.abandoned)
    own = connection.execute(shown.where(hand_ins.c.id == id, hand_ins.c.state.in_(UNFINISHED))).first()
    if own is None:
        return None
    recent = select(hand_ins.c.duration_ms).where(hand_ins.c.duration_ms.is_not(None))
    # By number, not by when they ended: only so the table, with its reports, is not read as a whole.
    durations = connection.scalars(recent.order_by(hand_ins.c.id.desc()).limit(RECENT)).all()
    usual = median(durations) / 1000 if durations else None
    if own.state != RECEIVED:
        return QueuePlace(0, None if usual is None else max(0.0, usual - _seconds_since(own.started)))
    interrupted = own.died + max(own.abandoned - 1, 0)
    first = or_(interrupted > _INTERRUPTED, (interrupted == _INTERRUPTED) & (hand_ins.c.id <= own.id))
    place = connection.scalar(select(func.count()).where(_WAITING, first)) or 0
    under_way = connection.scalar(select(func.count()).where(IS_UNDER_WAY)) or 0
    return QueuePlace(place, None if usual is None else usual * max(1.0, (under_way + place) / workers))


def checks_here(connection: Connection) -> int:
    """Return how many hand-ins are built or checked on this host at the moment."""
    holds = IS_UNDER_WAY & (hand_ins.c.lease > utc_now())
    workers = connection.scalars(select(hand_ins.c.worker).where(holds)).all()
    return sum(is_here(worker) and not is_dead(worker) for worker in workers)


def next_waiting() -> Select[tuple[int]]:
    """Return the query for the hand-in that is checked next: of each bot the oldest that is unfinished."""
    other = hand_ins.alias()
    earlier = (other.c.name == hand_ins.c.name) & (other.c.id < hand_ins.c.id) & other.c.state.in_(UNFINISHED)
    query = select(hand_ins.c.id).where(_WAITING, ~select(other.c.id).where(earlier).exists())
    return query.order_by(_INTERRUPTED, hand_ins.c.id).limit(1)


def abandoned(connection: Connection) -> list[Claim]:
    """Return the claims whose lease has run out or whose worker is dead."""
    query = select(hand_ins.c.id, hand_ins.c.attempt, hand_ins.c.lease, hand_ins.c.worker)
    rows = connection.execute(query.where(IS_UNDER_WAY).order_by(hand_ins.c.id))
    return [Claim(row.id, row.attempt) for row in rows if row.lease <= utc_now() or is_dead(row.worker)]


def _seconds_since(moment: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
