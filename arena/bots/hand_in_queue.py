"""The queue of hand-ins: which is checked next, where one stands, and how long it waits.

Owners take turns: a hand-in counts as if its owner had sent it when the one before was finished. So who sends five of
them delays another owner by one.

A hand-in is slow if its check has taken long before, or that of the bot's version before did. Where a
program checks several side by side, one of its workers is kept for the others, so quick ones pass slow ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from heapq import heapify, heapreplace
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import Connection, Subquery, case, func, select

from arena.bots.hand_in_rows import RECEIVED, UNDER_WAY, UNFINISHED, Claim, QueuePlace
from arena.bots.hand_in_workers import checking_jobs, lanes
from arena.store.engine.schema import hand_ins
from arena.store.engine.worker_name import is_dead, is_here
from arena.values.rows import utc_now

RECENT = 20
"""The number of finished hand-ins from which durations are estimated."""

QUICK_SECONDS = 120.0
"""A hand-in whose check takes so long is slow."""

MOST_BUSY = 4
"""Attempts that find the server too busy, after which a hand-in is checked alone, once."""

IS_UNDER_WAY = hand_ins.c.state.in_(UNDER_WAY)


class _Queued(NamedTuple):
    """An unfinished hand-in."""

    id: int
    name: str
    """The name of the bot."""
    started: str | None
    """When its attempt began, in UTC, ISO 8601; None while it waits."""
    place: int
    """Its place in the queue; 0 while it is checked."""
    known: float | None
    """How many seconds its check takes, as far as an earlier one of it or of its bot tells; None if there is none."""
    busy: int
    """How many attempts found the server too busy."""
    is_accepted: int
    """1 if it was accepted before, and is checked again; else 0."""
    not_before: str | None
    """When it is tried again after that, or after an attempt that was interrupted, in UTC, ISO 8601; None for at
    once."""

    @property
    def is_slow(self) -> bool:
        return self.known is not None and self.known >= QUICK_SECONDS

    @property
    def is_alone(self) -> bool:
        return self.busy >= MOST_BUSY


def _queue(connection: Connection) -> list[_Queued]:
    """Return the unfinished hand-ins: those under way, then the others in the order of the queue."""
    unfinished = _unfinished()
    earlier = hand_ins.alias()
    # By owner and end, and by name and end, in the order of indexes: the hand-ins of everybody are not walked through.
    previous = select(earlier.c.ended).where(
        earlier.c.owner == unfinished.c.owner, earlier.c.started.is_not(None), earlier.c.ended.is_not(None)
    )
    since = previous.order_by(earlier.c.ended.desc()).limit(1).scalar_subquery()
    before = select(earlier.c.duration_ms).where(
        earlier.c.name == unfinished.c.name, earlier.c.duration_ms.is_not(None)
    )
    last = before.order_by(earlier.c.ended.desc()).limit(1).scalar_subquery()
    dated = select(unfinished, case((since > unfinished.c.queued, since), else_=unfinished.c.queued).label("since"))
    row = dated.add_columns(last.label("last_ms")).subquery()
    order = (row.c.is_waiting, row.c.turn, row.c.since, row.c.id)
    times_of = (row.c.started, row.c.taken_ms, row.c.last_ms)
    shown = (*times_of, row.c.busy, row.c.is_accepted, row.c.not_before, row.c.rejudged)
    query = select(row.c.id, row.c.name, row.c.is_waiting, *shown)
    rows: Sequence[Any] = connection.execute(query.order_by(*order)).all()
    queue: list[_Queued] = []
    place = 0
    for id, name, is_waiting, started, taken_ms, last_ms, *flags, _ in _rejudged_last(rows):
        place += is_waiting
        times = [ms / 1000 for ms in (taken_ms, last_ms) if ms is not None]
        queue.append(_Queued(id, name, started, place, max(times, default=None), *flags))
    return queue


def _rejudged_last(rows: Sequence[Any]) -> list[Any]:
    """Return rows of the queue with those last that are checked again: nobody who hands in now waits for them.

    But for those whose bot was handed in anew, as versions are checked in their order; what was accepted before is a
    version already.
    """
    new = {row.name for row in rows if row.is_waiting and row.rejudged is None}
    lasts = [row.is_waiting and row.rejudged is not None and (row.is_accepted or row.name not in new) for row in rows]
    first = [row for row, is_last in zip(rows, lasts, strict=True) if not is_last]
    return first + [row for row, is_last in zip(rows, lasts, strict=True) if is_last]


def _unfinished() -> Subquery:
    """Return the query for the unfinished hand-ins, with how many of the same owner are before each: its turn."""
    is_waiting = case((hand_ins.c.state == RECEIVED, 1), else_=0)
    pauses = case((hand_ins.c.not_before > utc_now(), 1), else_=0)
    turns = (hand_ins.c.owner, hand_ins.c.rejudged.is_(None))
    before = func.row_number().over(partition_by=turns, order_by=(is_waiting, pauses, hand_ins.c.id))
    queued = func.coalesce(hand_ins.c.rejudged, hand_ins.c.created).label("queued")
    shown = (hand_ins.c.id, hand_ins.c.owner, hand_ins.c.name, queued, hand_ins.c.started, hand_ins.c.rejudged)
    is_accepted = case((hand_ins.c.submission.is_not(None), 1), else_=0).label("is_accepted")
    counted = (is_waiting.label("is_waiting"), before.label("turn"), is_accepted)
    query = select(*shown, hand_ins.c.taken_ms, hand_ins.c.busy, hand_ins.c.not_before, *counted)
    return query.where(hand_ins.c.state.in_(UNFINISHED)).subquery()


def queue_places(connection: Connection, jobs: Sequence[int] | None = None) -> dict[int, QueuePlace]:
    """Return where each unfinished hand-in is in the queue, by its id.

    jobs: how many each program checks side by side; None: those that do so now.
    """
    queue = _queue(connection)
    usual = _usual_seconds(connection) if queue else None
    if usual is None:
        return {row.id: QueuePlace(row.place, None) for row in queue}
    jobs = checking_jobs(connection) if jobs is None else jobs
    return {
        row.id: QueuePlace(row.place, seconds)
        for row, seconds in zip(queue, _expected(queue, usual, *lanes(jobs)), strict=True)
    }


def _expected(queue: Sequence[_Queued], usual: float, workers: int, kept: int) -> Iterator[float]:
    """Yield the seconds until each hand-in of the queue is finished, by playing the queue through.

    usual: how long a check takes of which nothing is known.
    workers: how many are checked side by side.
    kept: how many of these workers are kept for quick ones.
    """
    left = [
        max(0.0, (usual if row.known is None else row.known) - _seconds_since(row.started))
        for row in queue
        if row.place == 0 and row.started is not None
    ]
    yield from left
    ends = sorted([*left, *[0.0] * (workers - len(left))])
    # The workers that are kept for quick ones are those that are free first, as slow ones are on the others.
    quick, others = (ends[:kept], ends[kept:]) if kept else (ends, ends)
    heapify(others)
    for row in queue[len(left) :]:
        seconds = usual if row.known is None else row.known
        lane = quick if not row.is_slow and quick[0] <= others[0] else others
        end = lane[0] + seconds
        heapreplace(lane, end)
        yield max(end, seconds - _seconds_since(row.not_before)) if row.not_before is not None else end


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


def next_waiting(connection: Connection, *, quick: bool = False) -> int | None:
    """Return the hand-in that is checked next; None if none can be now.

    That is the first of its bot whose time has come. One that is to be checked alone goes first, once no other is under
    way; while it is, no other begins.

    quick: pass over slow ones.
    """
    queue, now = _queue(connection), utc_now()
    oldest = _oldest_of_bots(queue)
    under_way = [row for row in queue if not row.place]
    can_begin = [row for row in queue if row.is_accepted or oldest[row.name] == row.id]
    waiting = [row for row in can_begin if row.place and (row.not_before or "") <= now]
    alone = [row for row in waiting if row.is_alone]
    if (alone and under_way) or any(row.is_alone for row in under_way):
        return None
    return next((row.id for row in alone or waiting if not (quick and row.is_slow)), None)


def _oldest_of_bots(queue: Iterable[_Queued]) -> dict[str, int]:
    """Return the hand-in of each bot that is checked before its others; not those that are a version already."""
    oldest: dict[str, int] = {}
    for row in queue:
        if not row.is_accepted:
            oldest[row.name] = min(row.id, oldest.get(row.name, row.id))
    return oldest


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
