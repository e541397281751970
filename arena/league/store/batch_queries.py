"""What there is to read of the batches of leagues."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, literal, or_, select, true

from arena.league.store import batch_results
from arena.league.store.batch_results import PlayedRange, TableResult
from arena.league.store.league_rows import AttemptRow, BatchKind, BatchRow, BatchState, PlayedBatch
from arena.store import Store
from arena.store.engine.blobs import decompress
from arena.store.engine.errors import DamagedDatabase
from arena.store.engine.row_map import TUPLE, RowMap, Stored
from arena.store.engine.schema import batch_attempts, batches, events, matches
from arena.store.matches.hidden_results import HiddenResults, is_hidden, is_shown
from arena.store.matches.seat_results import SeatResult, load_seat_results
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import ListedMatch

MOST_FAILED = 3
"""Attempts that come to no result until a batch is given up."""

MOST_EXPIRED = 10
"""Attempts whose runner is gone until it is: a server that is killed a few times is no fault of its bots."""

FIRST: tuple[BatchKind, ...] = ("trial", "placement", "final", "standing", "challenge")
"""The kinds of batches in the order in which they are played."""


BATCH = RowMap(
    BatchRow,
    batches,
    league=Stored(columns=(batches.c.league_id,)),
    event=Stored(columns=(batches.c.event_id,)),
    first_match=Stored(columns=(events.c.first_match,)),
    matches=Stored(columns=(events.c.matches,)),
    entries=TUPLE,
    is_hidden=Stored(bool, columns=(literal(value=False),)),
)

ATTEMPT = RowMap(AttemptRow, batch_attempts)


class BatchQueries:
    """Reads the batches of a database.

    Where it is the one that visitors see, batches whose results are hidden have no place among the rated ones, and no
    seconds (`BatchRow.is_hidden`); no match, sum or table of them is read.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def next_number(self, league: int) -> int:
        """Return the number that the next batch of a league gets."""
        with self._store.read() as connection:
            return next_number(connection, league)

    def newest_day(self, league: int) -> tuple[int, int]:
        """Return the season and day of the newest batch of a league; 0 and 0 if it has none."""
        with self._store.read() as connection:
            return newest_day(connection, league)

    def void(self, league: int) -> list[BatchRow]:
        """Return the void batches of which nobody has taken note with `note_void`."""
        with self._store.read() as connection:
            is_new = (batches.c.league_id == league) & (batches.c.state == "void") & batches.c.ended.is_(None)
            rows = map(BATCH.load, connection.execute(select_rows(is_new)))
            return sorted(rows, key=lambda row: row.number)  # SQLite would read all batches to have them in order

    def of(self, league: int, *, limit: int | None = None, before: int | None = None) -> list[BatchRow]:
        """Return batches of a league, the newest first.

        before: only those with lower numbers.
        """
        with self._store.read() as connection:
            condition = batches.c.league_id == league
            if before is not None:
                condition &= batches.c.number < before
            query = select_rows(condition).order_by(batches.c.number.desc()).limit(limit)
            return self._shown(connection, map(BATCH.load, connection.execute(query)))

    def played(self, league: int, *, after: int = 0, limit: int | None = None) -> list[PlayedBatch]:
        """Return the rated batches of a league, the oldest first.

        after: only those with a higher place among these.
        limit: only so many, the newest; None: all.
        """
        with self._store.read() as connection:
            query = select(
                batches.c.number,
                batches.c.kind,
                func.coalesce(batches.c.ended, "").label("ended"),
                batches.c.event_id,
                events.c.first_match,
                events.c.matches,
                batches.c.result,
                batches.c.entries,
            ).join_from(batches, events, events.c.id == batches.c.event_id)
            query = query.where(batches.c.league_id == league, batches.c.result > after, *self._are_shown(connection))
            rows = connection.execute(query.order_by(batches.c.result.desc()).limit(limit)).all()
        # All lists at once: one by one they take longer than everything else together.
        fields = json.loads(f"[{','.join(row.entries for row in rows)}]")
        return [
            PlayedBatch(
                row.number, row.kind, row.ended, row.event_id, row.first_match, row.matches, row.result, tuple(played)
            )
            for row, played in zip(reversed(rows), reversed(fields), strict=True)
        ]

    def get(self, league: int, number: int) -> BatchRow | None:
        """Return a batch; None if there is none of that number."""
        with self._store.read() as connection:
            row = connection.execute(select_rows(is_batch(league, number))).first()
            return None if row is None else self._shown(connection, [BATCH.load(row)])[0]

    def unplayed(self, league: int) -> list[BatchRow]:
        """Return the batches that wait or are played, in the order in which they are played."""
        with self._store.read() as connection:
            unplayed = select_rows((batches.c.league_id == league) & is_open())
            return list(map(BATCH.load, connection.execute(unplayed.order_by(kind_order(), batches.c.number))))

    def attempts(self, league: int, number: int) -> list[AttemptRow]:
        """Return the attempts to play a batch; their reasons name bots of closed accounts by pseudonyms."""
        with self._store.read() as connection:
            closed = load_closed_names(connection)
            of_batch = (batch_attempts.c.league_id == league) & (batch_attempts.c.batch == number)
            query = select(*ATTEMPT.columns).where(of_batch).order_by(batch_attempts.c.attempt)
            rows = map(ATTEMPT.load, connection.execute(query))
            return [replace(row, reason=closed.text(row.reason)) for row in rows]

    def packed_sums(self, batch: BatchRow) -> bytes:
        """Return the packed sums of a stored batch."""
        with self._store.read() as connection:
            is_meant = is_batch(batch.league, batch.number)
            packed = connection.scalar(select(batches.c.sums).where(is_meant, *self._are_shown(connection)))
        return b"" if packed is None else decompress(packed)

    def overtaking(self, league: int, challenge: int) -> int:
        """Return how many other batches were drawn after a challenge and after the one before it was played.

        challenge: the number of its batch. Challenges are played in the order of their numbers.
        """
        of_league = batches.c.league_id == league
        earlier = of_league & (batches.c.kind == "challenge") & (batches.c.number < challenge)
        ended = select(batches.c.ended).where(earlier, batches.c.state == "stored").order_by(batches.c.number.desc())
        others = select(func.count()).where(of_league, batches.c.kind != "challenge", batches.c.number > challenge)
        with self._store.read() as connection:
            since = connection.scalar(ended.limit(1)) or ""
            return connection.scalar(others.where(batches.c.created > since)) or 0

    def final_parts(self, league: int, season: int) -> dict[int, list[BatchState]]:
        """Return the states of the batches of a final, by part, the oldest first.

        Those are left out that are void though nobody gave them up, as a bot of theirs was barred or gone.
        """
        of_final = (batches.c.league_id == league) & (batches.c.season == season) & (batches.c.kind == "final")
        counts = (batches.c.state != "void") | is_given_up()
        query = select(batches.c.part, batches.c.state).where(of_final, counts).order_by(batches.c.number)
        parts: dict[int, list[BatchState]] = {}
        with self._store.read() as connection:
            for row in connection.execute(query):
                parts.setdefault(row.part, []).append(row.state)
        return parts

    def final_sums(self, league: int, season: int) -> list[bytes]:
        """Return the packed sums of the stored batches of a final. Raises DamagedDatabase for a batch without sums."""
        of_final = (batches.c.league_id == league) & (batches.c.season == season) & (batches.c.kind == "final")
        query = select(batches.c.sums).where(of_final, batches.c.state == "stored").order_by(batches.c.number)
        with self._store.read() as connection:
            return [_unpack(packed) for packed in connection.scalars(query.where(*self._are_shown(connection)))]

    def seat_results(self, batch: PlayedRange) -> list[SeatResult]:
        """Return the seats of the matches of a batch, in the order of the schedule."""
        with self._store.read() as connection:
            return list(load_seat_results(connection, self._is_in(connection, batch)))

    def table_results(self, batch: PlayedRange) -> list[TableResult]:
        """Return what each entry of a batch did at each of its tables."""
        with self._store.read() as connection:
            return batch_results.load_tables(connection, self._is_in(connection, batch))

    def worst_matches(self, batches: Iterable[tuple[PlayedRange, int]], limit: int) -> list[ListedMatch]:
        """Return the matches with the lowest scores of an entry, the lowest first.

        batches: with the place of the entry in the field of each.
        """
        with self._store.read() as connection:
            return batch_results.load_worst(connection, batches, limit, self._matches_are_shown(connection))

    def sums(
        self, league: int, after: int = 0, since: str | None = None, up_to: int | None = None
    ) -> Iterator[tuple[int, str, bytes]]:
        """Yield the place of each stored batch, when it ended (UTC, ISO 8601), and its packed sums, in this order.

        after: only those with a higher place.
        since: also those that ended then or later (UTC, ISO 8601).
        up_to: none with a higher place; None: all.

        Raises DamagedDatabase for a batch without sums.
        """
        with self._store.read() as connection:
            is_wanted = batches.c.result > after
            if since is not None:
                is_wanted |= batches.c.result.is_not(None) & (batches.c.ended >= since)
            stored = and_(batches.c.league_id == league, is_wanted, *self._are_shown(connection))
            if up_to is not None:
                stored &= batches.c.result <= up_to
            query = select(batches.c.result, batches.c.ended, batches.c.sums).where(stored)
            for row in connection.execute(query.order_by(batches.c.result)):
                yield row.result, row.ended, _unpack(row.sums)

    def _shown(self, connection: Connection, rows: Iterable[BatchRow]) -> list[BatchRow]:
        """Return batches without what is hidden of them."""
        rows, bounds = list(rows), {bound.league: bound for bound in self._store.hidden(connection)}
        return [_without_results(row, bounds[row.league]) if row.league in bounds else row for row in rows]

    def _are_shown(self, connection: Connection) -> list[ColumnElement[bool]]:
        """Return the conditions that the results of a batch are not hidden: none where nothing is."""
        hidden = self._store.hidden(connection)
        return [~is_hidden(hidden)] if hidden else []

    def _matches_are_shown(self, connection: Connection) -> ColumnElement[bool]:
        hidden = self._store.hidden(connection)
        return is_shown(hidden, matches.c.event_id) if hidden else true()

    def _is_in(self, connection: Connection, batch: PlayedRange) -> ColumnElement[bool]:
        """Return the condition that a match belongs to a batch, and is not hidden."""
        return batch_results.is_in(batch) & self._matches_are_shown(connection)


def _without_results(row: BatchRow, bound: HiddenResults) -> BatchRow:
    """Return a batch without its results where these are hidden."""
    is_over = row.result > bound.last if row.result is not None else (row.ended or "") >= bound.since
    return replace(row, result=None, seconds=None, is_hidden=True) if row.state == "stored" and is_over else row


def next_number(connection: Connection, league: int) -> int:
    """Return the number that the next batch of a league gets."""
    return 1 + (connection.scalar(select(func.max(batches.c.number)).where(batches.c.league_id == league)) or 0)


def newest_day(connection: Connection, league: int) -> tuple[int, int]:
    """Return the season and day of the newest batch of a league; 0 and 0 if it has none."""
    of_league = select(batches.c.season, batches.c.day).where(batches.c.league_id == league)
    row = connection.execute(of_league.order_by(batches.c.number.desc()).limit(1)).first()
    return (0, 0) if row is None else (row.season, row.day)


def kind_order() -> Any:
    """Return the place of the kind of a batch in `FIRST`."""
    return case({kind: place for place, kind in enumerate(FIRST)}, value=batches.c.kind)


def is_open() -> Any:
    """Return the condition that a batch waits or is played."""
    return or_(batches.c.state == "waiting", batches.c.state == "leased")


def is_given_up() -> Any:
    """Return the condition that too many attempts at a batch came to no result, so that it is void."""
    of_batch = (batch_attempts.c.league_id == batches.c.league_id) & (batch_attempts.c.batch == batches.c.number)
    expired = select(func.count()).where(of_batch, batch_attempts.c.outcome == "expired").scalar_subquery()
    return (batches.c.failed >= MOST_FAILED) | (expired >= MOST_EXPIRED)


def is_batch(league: int, number: int) -> Any:
    """Return the condition that a batch is the one of that number."""
    return (batches.c.league_id == league) & (batches.c.number == number)


def select_rows(condition: Any) -> Select[Any]:
    """Select batches as `BATCH` loads them."""
    query = select(*BATCH.columns).join_from(batches, events, events.c.id == batches.c.event_id)
    return query.where(condition)


def _unpack(sums: bytes | None) -> bytes:
    """Return the packed sums of a stored batch. Raises DamagedDatabase where it has none."""
    if sums is None:
        raise DamagedDatabase("a stored batch has no sums: restore the database from a copy")
    return decompress(sums)
