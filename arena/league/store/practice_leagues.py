"""Practice leagues: whose they are, what they have used, and how they go.

A removed league is seen by nobody at once. Its rows are deleted later, when no run can have a batch of it under way;
what stays is its id, so that neither a league nor a match ever gets one that another had.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, cast, delete, func, insert, or_, select, update

from arena.league.store.dropped_batches import void_left
from arena.league.store.league_log import lock_league
from arena.store import Store
from arena.store.engine.schema import (
    batch_attempts,
    batches,
    entrants,
    entries,
    events,
    faults,
    league_log,
    league_ratings,
    league_runs,
    leagues,
    matches,
    notes,
    outputs,
    practice_use,
    process_failures,
    says,
    seasons,
    seats,
    snapshots,
    strains,
    total_sums,
)
from arena.store.matches import practice_ids
from arena.values.rows import utc_now

UNSEEN_FOR = timedelta(days=14)
"""After which a practice league goes at which its owner has not looked."""

SEEN_EVERY = timedelta(hours=1)
"""Between two notes that an owner has looked."""

DELETED_AFTER = timedelta(minutes=10)
"""After which the rows of a removed league are deleted: every run has dropped it by then."""

USE_KEPT_FOR = timedelta(days=31)
"""How long it is kept what an owner has used on a day."""


class PracticeRow(NamedTuple):
    """A practice league."""

    id: int
    """Its key in the database."""
    name: str
    owner: str
    game: str
    is_open: bool
    created: str
    """When it was begun, UTC, ISO 8601."""
    seen: str
    """When its owner last looked at it, UTC, ISO 8601, to the hour or so."""
    matches: int
    """How many ids of matches it has used: those up to the last batch that was stored or given up. What is drawn and
    waits is played before a league ends after its matches.
    """

    @property
    def goes(self) -> str:
        """The day on which it goes if its owner does not look at it, ISO 8601."""
        return (datetime.fromisoformat(self.seen) + UNSEEN_FOR).date().isoformat()


class PracticeLeagues:
    """The practice leagues of a database that were not removed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, owner: str | None = None) -> list[PracticeRow]:
        """Return practice leagues, the newest first.

        owner: only theirs; None: all.
        """
        with self._store.read() as connection:
            return load_practice(connection, owner)

    def bots(self, league: int) -> list[str]:
        """Return the versions that practise in a league, without the sample bots."""
        of_league = (entries.c.league_id == league) & ~entries.c.is_anchor
        with self._store.read() as connection:
            return list(connection.scalars(select(entries.c.name).where(of_league).order_by(entries.c.number)))

    def owner_of(self, league: int) -> str | None:
        """Return whose a practice league is; None if there is none of that id."""
        is_one = (leagues.c.id == league) & leagues.c.removed.is_(None)
        with self._store.read() as connection:
            return connection.scalar(select(leagues.c.owner).where(is_one))

    def note_seen(self, league: int, now: datetime) -> None:
        """Note that its owner looks at a league."""
        is_due = (leagues.c.id == league) & (leagues.c.seen < _text(now - SEEN_EVERY))
        with self._store.read() as connection:
            if connection.scalar(select(leagues.c.id).where(is_due)) is None:
                return
        with self._store.write() as connection:
            connection.execute(update(leagues).where(is_due).values(seen=_text(now)))

    def remove(self, league: int) -> None:
        """Let nobody see a league any more."""
        with self._store.write(numbers=True) as connection:
            remove_practice(connection, leagues.c.id == league)

    def tidy(self, now: datetime) -> None:
        """Remove the leagues at which nobody has looked for long, and delete the rows of those that were removed."""
        with self._store.read() as connection:
            unseen = leagues.c.removed.is_(None) & (leagues.c.seen < _text(now - UNSEEN_FOR))
            gone = leagues.c.removed < _text(now - DELETED_AFTER)
            found = select(leagues.c.id).where(leagues.c.owner.is_not(None), or_(unseen, gone))
            ids = list(connection.scalars(found.where(leagues.c.definition != "{}")))
        for league in ids:  # a transaction for each: others write meanwhile
            with self._store.write(numbers=True) as connection:
                remove_practice(connection, (leagues.c.id == league) & unseen)
                if connection.scalar(select(leagues.c.id).where(leagues.c.id == league, gone)) is not None:
                    _delete_rows(connection, league)
        with self._store.write() as connection:
            before = (now - USE_KEPT_FOR).date().isoformat()
            connection.execute(delete(practice_use).where(practice_use.c.day < before))

    def used_ms(self, now: datetime) -> dict[str, int]:
        """Return what each owner has used on a day, in milliseconds of a core."""
        of_day = practice_use.c.day == now.date().isoformat()
        with self._store.read() as connection:
            return {row.owner: row.used_ms for row in connection.execute(select(practice_use).where(of_day))}

    def add_use(self, owner: str, now: datetime, used_ms: int) -> None:
        """Add to what an owner has used on a day."""
        with self._store.write(numbers=True) as connection:
            add_use(connection, owner, now, used_ms=used_ms)


def load_practice(connection: Connection, owner: str | None) -> list[PracticeRow]:
    """Return practice leagues, as `PracticeLeagues.all`."""
    is_one = leagues.c.owner.is_not(None) & leagues.c.removed.is_(None)
    if owner is not None:
        is_one &= leagues.c.owner == owner
    start = cast(leagues.c.id, BigInteger) * practice_ids.OF_LEAGUE + practice_ids.FIRST
    is_over = (batches.c.league_id == leagues.c.id) & batches.c.state.in_(("stored", "void"))
    last = select(func.max(events.c.first_match + events.c.matches)).join(batches, batches.c.event_id == events.c.id)
    end = last.where(is_over).scalar_subquery()
    used = func.coalesce(end - start, 0).label("used")
    rows = connection.execute(select(leagues, used).where(is_one).order_by(leagues.c.id.desc())).all()
    return [
        PracticeRow(row.id, row.name, row.owner, row.game, row.state != "closed", row.created, row.seen, row.used)
        for row in rows
    ]


def begun_on(connection: Connection, owner: str, now: datetime) -> int:
    """Return how many practice leagues an owner has begun on a day."""
    is_use = (practice_use.c.owner == owner) & (practice_use.c.day == now.date().isoformat())
    return connection.scalar(select(practice_use.c.begun).where(is_use)) or 0


def add_use(connection: Connection, owner: str, now: datetime, *, begun: int = 0, used_ms: int = 0) -> None:
    """Add to what an owner has used on a day; the caller's transaction numbers leagues alone."""
    day = now.date().isoformat()
    is_use = (practice_use.c.owner == owner) & (practice_use.c.day == day)
    values = {"begun": practice_use.c.begun + begun, "used_ms": practice_use.c.used_ms + used_ms}
    if not connection.execute(update(practice_use).where(is_use).values(values)).rowcount:
        connection.execute(insert(practice_use).values(owner=owner, day=day, begun=begun, used_ms=used_ms))


def remove_practice(connection: Connection, which: Any) -> None:
    """Let nobody see some practice leagues any more.

    which: the condition for these.
    """
    is_one = leagues.c.owner.is_not(None) & leagues.c.removed.is_(None)
    for league in connection.scalars(select(leagues.c.id).where(which, is_one)).all():
        lock_league(connection, league)
        void_left(connection, league)
        connection.execute(update(leagues).where(leagues.c.id == league).values(state="closed", removed=utc_now()))


def forget_owner(connection: Connection, owner: str) -> None:
    """Remove the practice leagues of an owner, whose account is closed, and what is known of their use."""
    remove_practice(connection, leagues.c.owner == owner)
    connection.execute(update(leagues).where(leagues.c.owner == owner).values(owner=""))
    connection.execute(delete(practice_use).where(practice_use.c.owner == owner))


def _delete_rows(connection: Connection, league: int) -> None:
    """Delete everything of a league but its id."""
    ids = practice_ids.ids_of(league)
    first, last = ids.start, ids.stop - 1
    for table in (seats, faults, notes, says):
        connection.execute(delete(table).where(table.c.match_id.between(first, last)))
    connection.execute(delete(matches).where(matches.c.id.between(first, last)))
    of_league = events.c.first_match.between(first, last)
    keys = select(events.c.id).where(of_league)
    for table in (outputs, process_failures, strains, entrants):
        connection.execute(delete(table).where(table.c.event_id.in_(keys)))
    for table in (batch_attempts, batches, snapshots, league_ratings, total_sums, league_runs, league_log, entries):
        connection.execute(delete(table).where(table.c.league_id == league))
    connection.execute(delete(seasons).where(seasons.c.league_id == league))
    connection.execute(delete(events).where(of_league))
    values = {"owner": "", "definition": "{}", "definition_hash": "", "results": 0, "log_entries": 0, "log_digest": ""}
    connection.execute(update(leagues).where(leagues.c.id == league).values(values))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
