"""What owners hand in: stored before they are answered, checked by workers under claims, accepted or refused.

A worker claims a hand-in for a limited time (its lease), and renews the claim while it checks. A claim has the number
of the attempt: after another claim, or after the owner has cancelled it, whatever the older attempt says is ignored.
So a worker that was stopped for long and goes on stores nothing. A hand-in whose lease has run out, or whose worker is
known to be dead, is abandoned and claimed again.

A check has a process of its own. If that ends by itself, the check is the reason, and after `MOST_DEATHS` the hand-in
is refused. What ends a worker is most often something else, such as a restart of the machine, so that counts less.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update

from arena.bots.hand_in_events import Again, add_checked
from arena.bots.hand_in_queue import IS_UNDER_WAY, MOST_BUSY, abandoned, checks_here, next_waiting, queue_places
from arena.bots.hand_in_rows import (
    ACCEPTED,
    BUILDING,
    CANCELLED,
    CHECKING,
    FAILED,
    RECEIVED,
    REFUSED,
    UNFINISHED,
    Claim,
    ClaimedHandIn,
    HandInEnd,
    HandInRow,
    HandInStep,
    NewVersion,
    QueuePlace,
    RequestKey,
    RequestReused,
    TooManyHandIns,
)
from arena.bots.hand_in_space import HandInSpace
from arena.store import Store
from arena.store.engine.blobs import compress, decompress
from arena.store.engine.clock import database_time
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.row_map import CLEANED, TUPLE, RowMap, Stored
from arena.store.engine.schema import hand_in_files, hand_in_log, hand_in_phases, hand_ins, submissions
from arena.store.people.closed_names import OwnerClosed
from arena.store.people.submissions import StaysInPractice, SubmissionRow, add_version, let_enter
from arena.values.rows import TOMORROW, seconds_to_tomorrow, utc_now
from arena.values.texts import printable

MOST_DEATHS = 3
"""Attempts that end with the process of the check, after which a hand-in is refused."""

MOST_ABANDONED = 10
"""Attempts that end with their worker, after which a hand-in is refused: a check may bring a whole machine down."""

BUSY_PAUSES = (30.0, 120.0, 480.0, 480.0)
"""Seconds until a hand-in is checked again whose check found the server too busy, by how often it had; the last time it
is checked alone."""

INTERRUPTED_PAUSES = (30.0, 120.0, 480.0)
"""Seconds until a hand-in is checked again that may have ended its check or its worker, by how often it may have; from
the last on always so many. Others are checked meanwhile, and then it has its place again, however many have come.

A server may be stopped or killed once for any other reason: then it does not pause.
"""

MOST_OF_OWNER = 5
"""The largest number of unfinished hand-ins of one owner."""

LONGEST_FILE_NAME = 200
"""Characters of the name of a file that are kept: its end, which tells its kind."""

SET_BACK = timedelta(hours=1)
"""By so much the clock may be set back, and no hand-in counts as received before an earlier one."""

_USUAL_SPACE = HandInSpace()

MOST_PARAMETERS = 500
"""Numbers that are named in one query."""


_WAITING: dict[str, Any] = {"state": RECEIVED, "worker": None, "lease": None, "steps": "", "started": None}
"""The columns of a hand-in that returns to the queue."""


def _steps(lines: str) -> tuple[HandInStep, ...]:
    return tuple(HandInStep(*map(printable, json.loads(line))) for line in lines.splitlines())


_HAND_IN = RowMap(
    HandInRow,
    hand_ins,
    name=CLEANED,
    games=TUPLE,
    file=CLEANED,
    steps=Stored(_steps),
    practice_only=Stored(bool),
    sentence=CLEANED,
    version=Stored(columns=(submissions.c.version,)),
)


class HandIns:
    """The hand-ins of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def receive(
        self,
        owner: str,
        name: str,
        file: str,
        content: bytes,
        *,
        games: tuple[str, ...] = (),
        league: int | None = None,
        request: RequestKey | None = None,
        per_day: int | None = None,
        space: HandInSpace = _USUAL_SPACE,
        sent_by: str | None = None,
        practice_only: bool = False,
    ) -> int:
        """Store a hand-in, in one transaction, and return its id.

        owner: the name of the account whose hand-in it is.
        name: of the bot.
        file, content: as sent.
        games: what it must play; none: what its manifest names.
        league: the id of the league that it is to enter; None for none.
        request: if the owner has a hand-in of a request with that key, its id is returned and nothing changes.
        per_day: the most hand-ins of the owner on a day (UTC), with those that were cancelled or refused, and without
            those for which the server was too busy; None: no limit.
        space: the disk that there is for files. Those of finished hand-ins make room.
        sent_by: the account of whoever sends it, where that is not the owner.
        practice_only: whether its version is to practise, and to enter neither leagues nor tournaments.

        Raises TooManyHandIns; RequestReused if the request with that key was another one.
        """
        with self._store.write(numbers=True) as connection:
            if request is not None:
                of_key = (hand_ins.c.owner == owner) & (hand_ins.c.request_key == request.key)
                known = connection.execute(select(hand_ins.c.id, hand_ins.c.request_digest).where(of_key)).first()
                if known is not None:
                    if known.request_digest != request.digest:
                        raise RequestReused(f"hand-in {known.id} came with this Idempotency-Key: use another key")
                    return int(known.id)
            now = _receipt_time(connection)
            if per_day is not None:
                of_today = (hand_ins.c.owner == owner) & (hand_ins.c.created >= now[:10])
                of_today &= (hand_ins.c.state != FAILED) | (hand_ins.c.busy <= MOST_BUSY)
                if (connection.scalar(select(func.count()).where(of_today)) or 0) >= per_day:
                    raise TooManyHandIns(
                        f"the most hand-ins of an owner on a day are {per_day}: the next time may be {TOMORROW}",
                        seconds_to_tomorrow(now),
                    )
            unfinished = select(func.count()).where(hand_ins.c.state.in_(UNFINISHED), hand_ins.c.rejudged.is_(None))
            if (connection.scalar(unfinished.where(hand_ins.c.owner == owner)) or 0) >= MOST_OF_OWNER:
                raise TooManyHandIns(
                    f"{MOST_OF_OWNER} hand-ins of yours are not checked yet: wait for one of them, or cancel one"
                )
            space.check(connection, self._store.where, len(content))
            values: dict[str, Any] = {"owner": owner, "name": name, "file": printable(file)[-LONGEST_FILE_NAME:]}
            values |= {"games": json.dumps(games), "league": league, "state": RECEIVED}
            values |= {"sent_by": None if sent_by == owner else sent_by, "practice_only": int(practice_only)}
            values |= {"attempt": 0, "died": 0, "abandoned": 0, "steps": "", "sentence": "", "created": now}
            if request is not None:
                values |= {"request_key": request.key, "request_digest": request.digest}
            added = connection.execute(insert(hand_ins).values(values))
            assert added.inserted_primary_key is not None
            id = int(added.inserted_primary_key[0])
            connection.execute(insert(hand_in_files).values(hand_in=id, bytes=len(content), content=content))
            return id

    def find(self, id: int) -> HandInRow:
        """Return a hand-in. Raises NoSuchRow if there is none of that number."""
        with self._store.read() as connection:
            row = connection.execute(_select_rows().where(hand_ins.c.id == id)).first()
        if row is None:
            raise NoSuchRow(f"the database {self._store.where} has no hand-in {id}")
        return _hand_in(row)

    def newest(self, owner: str | None, limit: int, *, before: int | None = None) -> list[HandInRow]:
        """Return the newest hand-ins of an owner, the newest first; None: of all owners.

        before: only lower ids.
        """
        query = _select_rows().order_by(hand_ins.c.id.desc()).limit(limit)
        query = query if before is None else query.where(hand_ins.c.id < before)
        with self._store.read() as connection:
            rows = connection.execute(query if owner is None else query.where(hand_ins.c.owner == owner))
            return list(map(_hand_in, rows))

    def several(self, ids: Sequence[int]) -> list[HandInRow]:
        """Return the hand-ins of some numbers, in the order of these; those that there are not are left out."""
        found: dict[int, HandInRow] = {}
        with self._store.read() as connection:
            for first in range(0, len(ids), MOST_PARAMETERS):
                some = _select_rows().where(hand_ins.c.id.in_(ids[first : first + MOST_PARAMETERS]))
                found |= {row.id: _hand_in(row) for row in connection.execute(some)}
        return [found[id] for id in ids if id in found]

    def report(self, id: int) -> dict[str, Any] | None:
        """Return the report of the check of a finished hand-in with its findings, as JSON values, if it has one."""
        with self._store.read() as connection:
            packed = connection.scalar(select(hand_ins.c.report).where(hand_ins.c.id == id))
        return None if packed is None else dict(json.loads(decompress(packed)))

    def queue_places(self, jobs: Sequence[int] | None = None) -> dict[int, QueuePlace]:
        """Return where each unfinished hand-in is in the queue, by its id.

        Each check is taken to last as long as an earlier one of the same bot, or else as the median of recent ones.

        jobs: how many each program checks side by side; None: those that do so now.
        """
        with self._store.read() as connection:
            return queue_places(connection, jobs)

    def checks_here(self) -> int:
        """Return how many hand-ins are built or checked on this host at the moment."""
        with self._store.read() as connection:
            return checks_here(connection)

    def has_quick(self) -> bool:
        """Return whether a hand-in waits that is not slow."""
        with self._store.read() as connection:
            return next_waiting(connection, quick=True) is not None

    def claim(self, worker: str, seconds: float, lost: float = 0.0, *, quick: bool = False) -> ClaimedHandIn | None:
        """Claim the next hand-in; None if none waits.

        Owners take turns. Versions of a bot are checked in the order in which they were handed in, one after the other.
        One whose checks found the server too busy, or may have ended their worker, waits for its time; the former for
        the last attempt until it is alone.

        worker: see `arena.store.engine.worker_name`.
        seconds: how long the claim holds unless it is renewed.
        lost: by how many seconds the leases of others hold longer, as the machine stood still or its clock was set.
        quick: pass over slow ones.
        """
        with self._store.read() as connection:  # most often nothing waits, and others may write
            if connection.scalar(select(hand_ins.c.id).where(hand_ins.c.state.in_(UNFINISHED)).limit(1)) is None:
                return None
            if not abandoned(connection, lost) and next_waiting(connection, quick=quick) is None:
                return None
        with self._store.write(numbers=True) as connection:
            for claim in abandoned(connection, lost):
                _end_attempt(connection, claim, abandoned=1)
            id = next_waiting(connection, quick=quick)
            if id is None:
                return None
            values = {"state": BUILDING, "worker": worker, "lease": _moment(seconds), "started": utc_now(), "steps": ""}
            of_id = hand_ins.c.id == id
            connection.execute(update(hand_ins).where(of_id).values(attempt=hand_ins.c.attempt + 1, **values))
            row = _hand_in(connection.execute(_select_rows().where(of_id)).one())
            content = connection.scalar(select(hand_in_files.c.content).where(hand_in_files.c.hand_in == id)) or b""
            of_hand_in = hand_in_phases.c.hand_in == id
            phases = connection.execute(select(hand_in_phases.c.key, hand_in_phases.c.packed).where(of_hand_in)).all()
        kept = {key: decompress(packed) for key, packed in phases}
        return ClaimedHandIn(Claim(row.id, row.attempt), row, content, kept)

    def renew(self, claim: Claim, seconds: float) -> bool:
        """Let a claim hold for so long from now; return False if it holds no longer."""
        return self._change(claim, lease=_moment(seconds))

    def begin_check(self, claim: Claim, games: tuple[str, ...] = ()) -> bool:
        """Note that a hand-in is built, and is checked now; return False if the claim holds no longer.

        games: that its manifest names.
        """
        return self._change(claim, state=CHECKING, **({"games": json.dumps(games)} if games else {}))

    def add_step(self, claim: Claim, step: HandInStep) -> bool:
        """Append a finished step; return False if the claim holds no longer."""
        return self._change(claim, steps=hand_ins.c.steps + json.dumps(step, ensure_ascii=True) + "\n")

    def keep_phase(self, claim: Claim, key: str, packed: bytes) -> bool:
        """Keep a phase of its check for later attempts; return False if the claim holds no longer."""
        with self._store.write(numbers=True) as connection:
            if connection.scalar(select(hand_ins.c.id).where(_holds(claim)).with_for_update()) is None:
                return False
            is_it = (hand_in_phases.c.hand_in == claim.hand_in) & (hand_in_phases.c.key == key)
            connection.execute(delete(hand_in_phases).where(is_it))
            values = {"hand_in": claim.hand_in, "key": key, "packed": compress(packed)}
            connection.execute(insert(hand_in_phases).values(values))
        return True

    def release(self, claim: Claim, *, died: bool, taken_ms: int | None = None) -> None:
        """End an attempt without a result. The hand-in keeps its place, and pauses if its process died.

        died: the process of the check ended by itself.
        taken_ms: how long the check had taken when it gave way to quick ones, in milliseconds; None if it did not.
        """
        with self._store.write(numbers=True) as connection:
            if taken_ms is not None:
                connection.execute(update(hand_ins).where(_holds(claim)).values(taken_ms=taken_ms))
            _end_attempt(connection, claim, died=int(died))

    def accept(
        self, claim: Claim, version: NewVersion, sentence: Callable[[SubmissionRow], str], end: HandInEnd
    ) -> SubmissionRow | None:
        """Store a hand-in as the next version of its bot and finish it, in one transaction.

        sentence: returns the result in words.

        Returns the version; None if the claim holds no longer, or if the account of the bot's owner was closed, for
        which the hand-in is refused: then nothing is stored.
        """
        with self._store.write(numbers=True) as connection:
            columns = hand_ins.c.name, hand_ins.c.created, hand_ins.c.practice_only
            query = select(*columns).where(_holds(claim)).with_for_update()
            sent = connection.execute(query).first()
            if sent is None:
                return None
            files = version.source, version.content, version.manifest, version.report
            try:
                is_only = bool(sent.practice_only)
                row = add_version(connection, sent.name, *files, sent.created, practice_only=is_only)
            except OwnerClosed as error:
                _finish(connection, claim, REFUSED, f"is refused: {error}", end, None)
                return None
            _finish(connection, claim, ACCEPTED, sentence(row), end, row)
        return row

    def finish(
        self, claim: Claim, state: str, sentence: str, end: HandInEnd, same: SubmissionRow | None = None
    ) -> bool:
        """Finish a hand-in of which nothing is stored; return False if the claim holds no longer.

        same: the version that it equals, if it is accepted. One that was for practice alone may enter leagues now,
            unless this hand-in is for practice alone, too.
        """
        with self._store.write(numbers=True) as connection:
            if same is not None and same.practice_only and _let_same_enter(connection, claim, same):
                sentence = f"{sentence}, which was for practice alone and enters leagues now"
            return _finish(connection, claim, state, sentence, end, same)

    def postpone(self, claim: Claim, why: str, end: HandInEnd) -> bool:
        """Return a hand-in to the queue whose check found the server too busy, for later; the last time it fails.

        why: in words.

        Returns whether it has failed.
        """
        with self._store.write(numbers=True) as connection:
            busy = connection.scalar(select(hand_ins.c.busy).where(_holds(claim)).with_for_update())
            if busy is None:
                return False
            values: dict[str, Any] = {"busy": busy + 1}
            if busy < MOST_BUSY:
                values |= {"not_before": _moment(BUSY_PAUSES[busy]), **_WAITING}
            connection.execute(update(hand_ins).where(_holds(claim)).values(values))
            if busy < MOST_BUSY:
                return False
            sentence = (
                f"could not be checked in {busy + 1} attempts, which says nothing of the bot: {why}; "
                "hand it in again later, or ask the organiser"
            )
            return _finish(connection, claim, FAILED, sentence, end, None)

    def cancel(self, id: int) -> bool:
        """Cancel an unfinished hand-in; return False if it is finished. A check under way is ended by its worker.

        One that was accepted before is accepted as it was.
        """
        with self._store.write(numbers=True) as connection:
            is_unfinished = (hand_ins.c.id == id) & hand_ins.c.state.in_(UNFINISHED)
            version = _accepted_version(connection, is_unfinished)
            sentence = "was cancelled" if version is None else recheck_sentence(CANCELLED, "", version)
            values = {"attempt": hand_ins.c.attempt + 1, "sentence": sentence}
            values |= _ended(CANCELLED if version is None else ACCEPTED)
            if not connection.execute(update(hand_ins).where(is_unfinished).values(values)).rowcount:
                return False
            _drop_file(connection, id)
            _drop_phases(connection, id)
            return True

    def _change(self, claim: Claim, **values: Any) -> bool:
        with self._store.write(numbers=True) as connection:
            return connection.execute(update(hand_ins).where(_holds(claim)).values(values)).rowcount > 0


def _select_rows() -> Select[Any]:
    return select(*_HAND_IN.columns).outerjoin_from(hand_ins, submissions, submissions.c.id == hand_ins.c.submission)


def _hand_in(row: Any) -> HandInRow:
    try:
        return _HAND_IN.load(row)
    except (ValueError, TypeError) as error:
        raise StoreError(f"the hand-in {row.id} is damaged ({error}): restore the database from a copy") from None


def _holds(claim: Claim) -> ColumnElement[bool]:
    return (hand_ins.c.id == claim.hand_in) & (hand_ins.c.attempt == claim.attempt) & IS_UNDER_WAY


def _end_attempt(connection: Connection, claim: Claim, died: int = 0, abandoned: int = 0) -> None:
    """Send a hand-in back into the queue, or refuse it if too many of its attempts were interrupted."""
    counts = connection.execute(select(hand_ins.c.died, hand_ins.c.abandoned).where(_holds(claim))).first()
    if counts is None:
        return
    is_interrupted = bool(died or abandoned)
    died, abandoned = counts.died + died, counts.abandoned + abandoned
    suspicions = died + max(abandoned - 1, 0)
    values = _WAITING
    if is_interrupted and suspicions:
        pause = INTERRUPTED_PAUSES[min(suspicions, len(INTERRUPTED_PAUSES)) - 1]
        values = {**_WAITING, "not_before": _moment(pause)}
    if died >= MOST_DEATHS or abandoned >= MOST_ABANDONED:
        times = f"ended the checker {died} times" if died >= MOST_DEATHS else f"was interrupted {abandoned} times"
        sentence = f"is refused: its check {times}; if that was not its doing, hand it in again"
        _finish(connection, claim, REFUSED, sentence, None, None)
        values = {}
    of_id = hand_ins.c.id == claim.hand_in
    connection.execute(update(hand_ins).where(of_id).values(died=died, abandoned=abandoned, **values))


def _finish(
    connection: Connection, claim: Claim, state: str, sentence: str, end: HandInEnd | None, row: SubmissionRow | None
) -> bool:
    """Finish a hand-in; return False if the claim holds no longer. One that was accepted before stays so.

    end: None for an attempt that was interrupted.
    """
    again: Again = ""
    if (version := _accepted_version(connection, _holds(claim))) is not None:
        again = "passed" if state == ACCEPTED else "failed"
        state, sentence = ACCEPTED, recheck_sentence(state, sentence, version)
    values: dict[str, Any] = {"sentence": printable(sentence), **_ended(state)}
    if end is not None:
        values["duration_ms"] = end.duration_ms
    if end is not None and end.report is not None:
        values["report"] = compress(json.dumps(end.report).encode())
    if row is not None:
        of_version = (submissions.c.name == row.name) & (submissions.c.version == row.version)
        values["submission"] = select(submissions.c.id).where(of_version).scalar_subquery()
    if not connection.execute(update(hand_ins).where(_holds(claim)).values(values)).rowcount:
        return False
    _drop_phases(connection, claim.hand_in)
    if state == ACCEPTED:  # otherwise it may be checked again
        _drop_file(connection, claim.hand_in)
    add_checked(connection, claim.hand_in, again, _who_rejudged(connection, claim.hand_in))
    return True


def recheck_sentence(state: str, sentence: str, version: int) -> str:
    """Return what is said of an accepted hand-in that was checked again, to follow the name of the bot.

    state, sentence: how its check ended, as would be said of one that is checked for the first time.
    """
    if state == ACCEPTED:
        return f"plays as version {version}, and has passed its check again"
    if state == CANCELLED:
        return f"plays as version {version}; it was to be checked again, which was cancelled"
    said = sentence.replace("is refused", "would be refused now", 1)
    return f"plays on as version {version}; checked again, it {said}"


def _let_same_enter(connection: Connection, claim: Claim, same: SubmissionRow) -> bool:
    """Let the version that a hand-in equals enter leagues, unless the hand-in is for practice alone; tell whether.

    A check of an accepted version that is repeated changes nothing, either.
    """
    query = select(hand_ins.c.created, hand_ins.c.practice_only, hand_ins.c.submission)
    sent = connection.execute(query.where(_holds(claim)).with_for_update()).first()
    if sent is None or sent.practice_only or sent.submission is not None:
        return False
    try:
        let_enter(connection, same.name, same.version, sent.created)
    except StaysInPractice:  # it was let enter meanwhile, or retired
        return False
    return True


def _accepted_version(connection: Connection, which: ColumnElement[bool]) -> int | None:
    """Return the version that a hand-in became before its present check; None if that is its first one."""
    query = select(submissions.c.version).join(hand_ins, hand_ins.c.submission == submissions.c.id)
    return connection.scalar(query.where(which))


def _who_rejudged(connection: Connection, hand_in: int) -> str:
    """Return who had a hand-in checked again last; empty if nobody has."""
    query = select(hand_in_log.c.who).where(hand_in_log.c.hand_in == hand_in)
    return connection.scalar(query.order_by(hand_in_log.c.number.desc()).limit(1)) or ""


def _drop_file(connection: Connection, id: int) -> None:
    connection.execute(delete(hand_in_files).where(hand_in_files.c.hand_in == id))


def _drop_phases(connection: Connection, id: int) -> None:
    connection.execute(delete(hand_in_phases).where(hand_in_phases.c.hand_in == id))


def _ended(state: str) -> dict[str, Any]:
    return {"state": state, "ended": utc_now(), "worker": None, "lease": None}


def _moment(seconds: float) -> str:
    return (_now() + timedelta(seconds=seconds)).isoformat(timespec="seconds")


def _now() -> datetime:
    return datetime.now(UTC)


def _receipt_time(connection: Connection) -> str:
    """Return when a hand-in is received, by the clock of the database: deadlines of leagues are held against it.

    A clock that is set back a little reopens no deadline. What is further ahead than `SET_BACK` was stamped by a wrong
    clock, which must not make all that follows late.
    """
    now = database_time(connection)
    last = connection.scalar(select(hand_ins.c.created).order_by(hand_ins.c.id.desc()).limit(1))
    if last is None or last <= now or datetime.fromisoformat(last) - datetime.fromisoformat(now) > SET_BACK:
        return now
    return str(last)
