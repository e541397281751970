"""The queue of hand-ins: which is checked next, where one stands, and how long it waits.

Owners take turns: a hand-in counts as if its owner had sent it when the one before was finished. So who sends five of
them delays another owner by one.
"""

from datetime import UTC, datetime, timedelta
from statistics import median

from sqlalchemy import Connection, Select, Subquery, case, func, select

from arena.bots.hand_in_rows import RECEIVED, UNDER_WAY, UNFINISHED, Claim, QueuePlace
from arena.store.engine.schema import hand_ins
from arena.store.engine.worker_name import is_dead, is_here
from arena.values.rows import utc_now

RECENT = 20
"""The number of finished hand-ins from which durations are estimated."""

IS_UNDER_WAY = hand_ins.c.state.in_(UNDER_WAY)
_INTERRUPTED = hand_ins.c.died + case((hand_ins.c.abandoned > 1, hand_ins.c.abandoned - 1), else_=0)
"""By which those come last that may be the reason: a server may be stopped or killed once for any other."""


def _queue() -> Subquery:
    """Return the query for the unfinished hand-ins, with their place in the queue: 0 for all that are under way."""
    unfinished = _unfinished()
    earlier = hand_ins.alias()
    previous = select(earlier.c.ended).where(
        earlier.c.owner == unfinished.c.owner, earlier.c.started.is_not(None), earlier.c.ended.is_not(None)
    )
    # In the order of the index `hand_ins_by_owner`, or a server would walk through the hand-ins of everybody.
    since = previous.order_by(earlier.c.ended.desc()).limit(1).scalar_subquery()
    dated = select(unfinished, case((since > unfinished.c.created, since), else_=unfinished.c.created).label("since"))
    row = dated.subquery()
    order = (row.c.interrupted, row.c.turn, row.c.since, row.c.id)
    place = func.row_number().over(partition_by=row.c.is_waiting, order_by=order) * row.c.is_waiting
    return select(row.c.id, row.c.name, row.c.is_waiting, row.c.started, place.label("place")).subquery()


def _unfinished() -> Subquery:
    """Return the query for the unfinished hand-ins, with how many of the same owner are before each: its turn."""
    is_waiting = case((hand_ins.c.state == RECEIVED, 1), else_=0)
    before = func.row_number().over(partition_by=hand_ins.c.owner, order_by=(is_waiting, _INTERRUPTED, hand_ins.c.id))
    shown = (hand_ins.c.id, hand_ins.c.owner, hand_ins.c.name, hand_ins.c.created, hand_ins.c.started)
    counted = (is_waiting.label("is_waiting"), _INTERRUPTED.label("interrupted"), before.label("turn"))
    return select(*shown, *counted).where(hand_ins.c.state.in_(UNFINISHED)).subquery()


def queue_places(connection: Connection, workers: int) -> dict[int, QueuePlace]:
    """Return where each unfinished hand-in is in the queue, by its id.

    workers: how many are checked side by side.
    """
    rows = connection.execute(select(_queue())).all()
    usual = _usual_seconds(connection) if rows else None
    under_way = sum(not row.is_waiting for row in rows)
    places = {}
    for row in rows:
        seconds = usual
        if usual is not None:
            running = not row.is_waiting
            seconds = (
                max(0.0, usual - _seconds_since(row.started))
                if running
                else (usual * max(1.0, (under_way + row.place) / workers))
            )
        places[row.id] = QueuePlace(row.place, seconds)
    return places


def _usual_seconds(connection: Connection) -> float | None:
    """Return the median of what recent checks took; None if there are none."""
    recent = select(hand_ins.c.duration_ms).where(hand_ins.c.duration_ms.is_not(None))
    # By number, not by when they ended: only so the table, with its reports, is not read as a whole.
    durations = connection.scalars(recent.order_by(hand_ins.c.id.desc()).limit(RECENT)).all()
    return median(durations) / 1000 if durations else None


def checks_here(connection: Connection) -> int:
    """Return how many hand-ins are built or checked on this host at the moment."""
    holds = IS_UNDER_WAY & (hand_ins.c.lease > utc_now())
    workers = connection.scalars(select(hand_ins.c.worker).where(holds)).all()
    return sum(is_here(worker) and not is_dead(worker) for worker in workers)


def next_waiting() -> Select[tuple[int]]:
    """Return the query for the hand-in that is checked next: the first without an unfinished older one of its bot."""
    queue, other = _queue(), hand_ins.alias()
    older = (other.c.name == queue.c.name) & (other.c.id < queue.c.id) & other.c.state.in_(UNFINISHED)
    query = select(queue.c.id).where(queue.c.is_waiting == 1, ~select(other.c.id).where(older).exists())
    return query.order_by(queue.c.place).limit(1)


def abandoned(connection: Connection, lost: float = 0.0) -> list[Claim]:
    """Return the claims whose lease has run out or whose worker is dead.

    lost: by how many seconds leases hold longer, as the machine stood still or its clock was set.
    """
    now = (datetime.now(UTC) - timedelta(seconds=lost)).isoformat(timespec="seconds")
    query = select(hand_ins.c.id, hand_ins.c.attempt, hand_ins.c.lease, hand_ins.c.worker)
    rows = connection.execute(query.where(IS_UNDER_WAY).order_by(hand_ins.c.id))
    return [Claim(row.id, row.attempt) for row in rows if row.lease <= now or is_dead(row.worker)]


def _seconds_since(moment: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
