"""Checks hand-ins again, as organisers decide: after a mistake of the check, or of the server.

The files of those that were refused are there as long as those of finished hand-ins are kept (`HandInSpace`). One that
was accepted is checked as it plays, and plays on, whatever the result is. A hand-in that is checked again waits behind
those that never were checked, counts as none of its owner's, and keeps in its log what was said before.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, Select, exists, func, insert, or_, select, update

from arena.bots.hand_in_events import add_rejudged
from arena.bots.hand_in_rows import ACCEPTED, CANCELLED, FAILED, RECEIVED, REFUSED, UNFINISHED, HandInRow
from arena.bots.hand_ins import HandIns
from arena.store import Store
from arena.store.engine.schema import entries, hand_in_files, hand_in_log, hand_ins, submissions
from arena.values.errors import ArenaError
from arena.values.rows import utc_now
from arena.values.texts import printable

UNFIT = (REFUSED, FAILED)
"""The states of hand-ins of which no version was made."""

FINISHED = (*UNFIT, ACCEPTED)
"""The states of hand-ins that can be checked again."""

ACTIVE = ("placing", "standing")
"""The states of entries that play in a league."""

MOST = 10_000
"""Hand-ins that are chosen at a time."""

LONGEST_REASON = 500
"""Characters."""

NOT_FOR_OWNERS = "an organiser has this version checked again, which only organisers can cancel; it plays meanwhile"


class RejudgeError(ArenaError):
    """A hand-in cannot be checked again."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of the hand-ins are meant that can be checked again; of those that were accepted, those that may play.

    These are the newest versions of bots that are not retired, and those that are active in a league.
    """

    games: Collection[str] = ()
    """They were to play one of these; none: any."""
    league: tuple[int, str] | None = None
    """The id of a league, and its game: they were to enter it, or no league by name and to play its game; None: any."""
    owner: str = ""
    """Whose they are; empty: anybody's."""
    states: Collection[str] = (REFUSED,)
    """How they ended."""
    since: str = ""
    """When they ended at the earliest, in UTC, ISO 8601; empty: ever."""
    until: str = ""
    """When they ended at the latest; empty: by now."""
    said: str = ""
    """What their verdict says, among other things."""

    def contains(self, row: HandInRow) -> bool:
        """Return whether a finished hand-in is meant."""
        ended = row.ended or ""
        return (
            row.state in self.states
            and (not self.games or not set(self.games).isdisjoint(row.games))
            and self._is_of_league(row)
            and self.owner in ("", row.owner)
            and self.since <= ended
            and (not self.until or ended <= self.until)
            and self.said.casefold() in row.sentence.casefold()
        )

    def _is_of_league(self, row: HandInRow) -> bool:
        if self.league is None:
            return True
        id, game = self.league
        return row.league == id if row.league is not None else game in row.games


class LogEntry(NamedTuple):
    """A decision on a hand-in."""

    created: str
    """When it was made, in UTC, ISO 8601."""
    who: str
    """Who made it."""
    reason: str
    before: str
    """What was said of the hand-in before, to follow the name of the bot."""


class Rejudged(NamedTuple):
    """What became of a decision to check hand-ins again."""

    taken: list[int]
    """Those that wait for their check now."""
    left: dict[int, str]
    """Why the others are not checked again, by number."""


class Rejudging:
    """Decisions of organisers to check hand-ins of a database again."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def choose(self, chosen: Chosen) -> list[HandInRow]:
        """Return the hand-ins that are meant, the oldest first."""
        query = select(hand_ins.c.id).join(hand_in_files, hand_in_files.c.hand_in == hand_ins.c.id)
        query = query.where(hand_ins.c.state.in_(UNFIT)).order_by(hand_ins.c.id).limit(MOST)
        with self._store.read() as connection:
            ids = list(connection.scalars(query))
            if ACCEPTED in chosen.states:
                ids = sorted([*ids, *connection.scalars(_that_play())])
        return [row for row in HandIns(self._store).several(ids) if chosen.contains(row)]

    def why_not(self, id: int) -> str:
        """Return why a hand-in cannot be checked again; empty if it can."""
        with self._store.read() as connection:
            return _why_not(connection, id)

    def rejudge(self, ids: Iterable[int], who: str, reason: str) -> Rejudged:
        """Have hand-ins checked again, all in one transaction.

        who: who decides.

        Raises RejudgeError without a reason: owners read it.
        """
        reason = printable(reason, "").strip()[:LONGEST_REASON]
        if not reason:
            raise RejudgeError("say why they are checked again: their owners read it")
        result = Rejudged([], {})
        with self._store.write(numbers=True) as connection:
            for id in sorted(set(ids)):
                if why := _why_not(connection, id):
                    result.left[id] = why
                else:
                    _return(connection, id, who, reason)
                    result.taken.append(id)
        return result

    def log(self, id: int) -> list[LogEntry]:
        """Return the decisions on a hand-in, the oldest first."""
        columns = hand_in_log.c
        query = select(columns.created, columns.who, columns.reason, columns.before).where(columns.hand_in == id)
        with self._store.read() as connection:
            rows = connection.execute(query.order_by(columns.number))
            return [LogEntry(*(printable(value) for value in row)) for row in rows]


def _why_not(connection: Connection, id: int) -> str:
    """Return why a hand-in cannot be checked again; empty if it can."""
    shown = (hand_ins.c.name, hand_ins.c.state, hand_ins.c.ended, hand_ins.c.submission)
    found = connection.execute(select(*shown).where(hand_ins.c.id == id)).first()
    if found is None:
        return "there is none of this number"
    if found.state in UNFINISHED:
        return "it is not checked yet"
    if found.state == CANCELLED:
        return "it was cancelled"
    if found.state == ACCEPTED:
        is_of_version = submissions.c.id == found.submission
        version = connection.execute(select(submissions.c.version, submissions.c.retired).where(is_of_version)).one()
        return "" if version.retired is None else f"version {version.version} of {found.name} is retired"
    if connection.scalar(select(hand_in_files.c.bytes).where(hand_in_files.c.hand_in == id)) is None:
        return "its file is no longer kept: its owner must hand it in again"
    newer = select(func.max(submissions.c.version)).where(submissions.c.name == found.name)
    version = connection.scalar(newer.where(submissions.c.created > found.ended))
    if version is not None:  # it would be the newest then, and play in its place
        return f"version {version} of {found.name} was accepted since"
    return ""


def _that_play() -> Select[tuple[int]]:
    """Return the query for the accepted hand-ins whose versions may play; the newest of those of the same version."""
    of_bot = submissions.alias()
    newest = select(func.max(of_bot.c.version)).where(of_bot.c.name == submissions.c.name, of_bot.c.retired.is_(None))
    is_active = exists().where(entries.c.submission_id == submissions.c.id, entries.c.state.in_(ACTIVE))
    query = select(func.max(hand_ins.c.id)).join(submissions, submissions.c.id == hand_ins.c.submission)
    query = query.where(hand_ins.c.state == ACCEPTED, submissions.c.retired.is_(None))
    query = query.where(or_(submissions.c.version == newest.scalar_subquery(), is_active))
    return query.group_by(submissions.c.id).order_by(func.max(hand_ins.c.id).desc()).limit(MOST)


def _return(connection: Connection, id: int, who: str, reason: str) -> None:
    """Send a finished hand-in back into the queue, and note why."""
    before = connection.scalar(select(hand_ins.c.sentence).where(hand_ins.c.id == id)) or ""
    number = connection.scalar(select(func.count()).where(hand_in_log.c.hand_in == id)) or 0
    now = utc_now()
    values = {"hand_in": id, "number": number + 1, "created": now, "who": who, "reason": reason, "before": before}
    connection.execute(insert(hand_in_log).values(values))
    waiting = {"state": RECEIVED, "worker": None, "lease": None, "steps": "", "sentence": "", "report": None}
    waiting |= {"started": None, "ended": None, "duration_ms": None, "taken_ms": None, "not_before": None}
    counts = {"attempt": hand_ins.c.attempt + 1, "died": 0, "abandoned": 0, "busy": 0, "rejudged": now}
    connection.execute(update(hand_ins).where(hand_ins.c.id == id).values(waiting | counts))
    add_rejudged(connection, id, reason)
