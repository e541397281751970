"""The batches of leagues: drawn, leased to runners under fenced attempts, and stored with their matches.

A batch is an event of its own, so its matches are stored, shown and verified like those of a tournament. All of them
are stored in the transaction that ends the lease, or none: a runner whose lease went to another one stores nothing.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, or_, select, update

from arena.store import batch_results, process_failures, row_saving
from arena.store.batch_results import PlayedRange, TableResult
from arena.store.blobs import compress, decompress
from arena.store.league_rows import (
    ACTIVE,
    AttemptRow,
    BatchKind,
    BatchResult,
    BatchRow,
    Lease,
    NewBatch,
    Outcome,
)
from arena.store.leagues import append_to_log, change_entry, lock_league
from arena.store.rows import ListedMatch, utc_now
from arena.store.schema import batch_attempts, batches, entrants, events, leagues
from arena.store.seat_results import SeatResult, load_seat_results
from arena.store.submissions import OpenConnection

FIRST: tuple[BatchKind, ...] = ("trial", "placement", "standing", "challenge")
"""The kinds of batches in the order in which they are played."""

MOST_FAILED = 3
"""Attempts that come to no result until a batch is void."""


class Batches:
    """The batches of a database, as `Store.batches`."""

    def __init__(self, read: OpenConnection, write: OpenConnection, add: OpenConnection) -> None:
        """add: opens a transaction that may add events."""
        self._read = read
        self._write = write
        self._add = add

    def add(
        self, league: int, new: NewBatch, number: int, decision: tuple[str, str, dict[str, Any]] | None = None
    ) -> bool:
        """Store a batch as the one with that number; return False if the league has it already, from another runner.

        Nor is it stored where its day is over for the league, as then the secret of that day may be public.
        decision: an entry of the log that goes with it: its kind, who decided it, and its details.
        """
        with self._add() as connection:
            lock_league(connection, league)
            if _next_number(connection, league) != number or (new.season, new.day) < _newest_day(connection, league):
                return False
            event, _ = row_saving.add_event(connection, new.event, None)
            connection.execute(
                insert(batches).values(
                    league_id=league,
                    number=number,
                    event_id=event,
                    season=new.season,
                    day=new.day,
                    kind=new.kind,
                    snapshot=new.snapshot,
                    entries=json.dumps(new.entries),
                    state="waiting",
                    attempt=0,
                    failed=0,
                    runner="",
                    lease_until=0,
                    created=utc_now(),
                )
            )
            if decision is not None:
                kind, who, details = decision
                append_to_log(connection, league, who, kind, details)
            return True

    def next_number(self, league: int) -> int:
        """Return the number that the next batch of a league gets."""
        with self._read() as connection:
            return _next_number(connection, league)

    def lease(self, league: int, runner: str, now: int, until: int, held: Collection[int] = ()) -> BatchRow | None:
        """Lease the next batch of a league: one that waits, or whose lease has run out; None if there is none.

        now, until: milliseconds since 1970, UTC. held: the numbers of the batches that the runner plays; what it has
        leased beside these, it does not know of, and may have at once. A batch whose attempts came to no result
        `MOST_FAILED` times is void.
        """
        with self._write() as connection:
            lock_league(connection, league)
            for row in connection.execute(_open(league)).all():
                if row.state == "leased":
                    lease = Lease(league, row.number, row.attempt)
                    if row.runner == runner:
                        if row.number in held:
                            continue
                        _end_attempt(connection, lease, "released", "")
                    elif (
                        row.lease_until > now
                        or _end_attempt(connection, lease, "expired", f"the lease of {row.runner} ran out") == "void"
                    ):
                        continue
                attempt = row.attempt + 1
                values = {"state": "leased", "attempt": attempt, "runner": runner, "lease_until": until}
                connection.execute(update(batches).where(_is_batch(league, row.number)).values(values))
                connection.execute(
                    insert(batch_attempts).values(
                        league_id=league, batch=row.number, attempt=attempt, runner=runner, began=utc_now(), reason=""
                    )
                )
                return _row(connection.execute(_select_rows(_is_batch(league, row.number))).one())
            return None

    def renew(self, leases: Iterable[Lease], until: int) -> list[Lease]:
        """Prolong leases; return those that are lost."""
        lost = []
        with self._write() as connection:
            for lease in leases:
                renewed = update(batches).where(_is_leased(lease)).values(lease_until=until)
                if not connection.execute(renewed).rowcount:
                    lost.append(lease)
        return lost

    def give_back(self, lease: Lease, outcome: Outcome, reason: str = "") -> bool:
        """End an attempt without a result; return whether the batch is void now.

        outcome: "released" does not count among those that came to no result. A lease that was lost changes nothing.
        """
        with self._write() as connection:
            lock_league(connection, lease.league)
            if connection.scalar(select(batches.c.number).where(_is_leased(lease))) is None:
                return False
            return _end_attempt(connection, lease, outcome, reason) == "void"

    def void(self, league: int) -> list[BatchRow]:
        """Return the void batches of which nobody has taken note with `note_void`."""
        with self._read() as connection:
            is_new = (batches.c.league_id == league) & (batches.c.state == "void") & batches.c.ended.is_(None)
            return list(map(_row, connection.execute(_select_rows(is_new).order_by(batches.c.number))))

    def note_void(self, league: int, number: int) -> None:
        """Note that what follows from a void batch is done."""
        with self._write() as connection:
            connection.execute(update(batches).where(_is_batch(league, number)).values(ended=utc_now()))

    def void_unplayed(self, league: int, now: int) -> None:
        """Make void what waits, and what nobody plays any more, in a league that is closed. now: as in `lease`."""
        with self._write() as connection:
            lock_league(connection, league)
            is_left = (batches.c.state == "waiting") | ((batches.c.state == "leased") & (batches.c.lease_until <= now))
            of_league = (batches.c.league_id == league) & is_left
            connection.execute(update(batches).where(of_league).values(state="void", ended=utc_now()))

    def give_back_all(self, runner: str) -> int:
        """Let the leases of a runner that is gone run out; return how many."""
        with self._write() as connection:
            of_runner = (batches.c.runner == runner) & (batches.c.state == "leased")
            return connection.execute(update(batches).where(of_runner).values(lease_until=0)).rowcount

    def finish(self, lease: Lease, result: BatchResult) -> int | None:
        """Store a batch with all its matches and end its lease, in one transaction.

        Entries that were withdrawn in it are suspended. Returns its place among the rated batches, from 1;
        0 for a challenge, which is not rated; None if the lease was lost: then nothing is stored. An attempt that is
        stored already stays as it is.
        """
        with self._write() as connection:
            lock_league(connection, lease.league)
            row = connection.execute(_select_rows(_is_leased(lease))).first()
            if row is None:
                return _stored_as(connection, lease)
            row_saving.add_matches(connection, row.event_id, row.first_match, result.rows)
            row_saving.add_outputs(connection, row.event_id, result.outputs)
            process_failures.add(connection, row.event_id, result.failures)
            place = 0 if row.kind == "challenge" else _next_result(connection, lease.league)
            ended = utc_now()
            connection.execute(
                update(batches)
                .where(_is_batch(lease.league, lease.batch))
                .values(
                    state="stored",
                    ended=ended,
                    seconds=result.seconds,
                    result=place or None,
                    sums=compress(result.sums),
                )
            )
            connection.execute(update(events).where(events.c.id == row.event_id).values(finished=ended))
            _note_outcome(connection, lease, "stored", "")
            numbers = json.loads(row.entries)
            for field_place, reason in result.withdrawn.items():
                of_bot = (entrants.c.event_id == row.event_id) & (entrants.c.place == field_place)
                connection.execute(update(entrants).where(of_bot).values(withdrawn=reason))
                change_entry(connection, lease.league, numbers[field_place], "suspended", "arena", reason, ACTIVE)
            return place

    def of(
        self, league: int, *, limit: int | None = None, before: int | None = None, results_after: int | None = None
    ) -> list[BatchRow]:
        """Return batches of a league, the newest first.

        before: only those with lower numbers. results_after: only rated ones with a higher place among these.
        """
        with self._read() as connection:
            condition = batches.c.league_id == league
            if before is not None:
                condition &= batches.c.number < before
            if results_after is not None:
                condition &= batches.c.result > results_after
            query = _select_rows(condition).order_by(batches.c.number.desc()).limit(limit)
            return list(map(_row, connection.execute(query)))

    def get(self, league: int, number: int) -> BatchRow | None:
        """Return a batch; None if there is none of that number."""
        with self._read() as connection:
            row = connection.execute(_select_rows(_is_batch(league, number))).first()
            return None if row is None else _row(row)

    def unplayed(self, league: int) -> list[BatchRow]:
        """Return the batches that wait or are played, in the order in which they are played."""
        with self._read() as connection:
            rows = connection.execute(_select_rows((batches.c.league_id == league) & _is_open())).all()
            return sorted(map(_row, rows), key=lambda row: (FIRST.index(row.kind), row.number))

    def attempts(self, league: int, number: int) -> list[AttemptRow]:
        """Return the attempts to play a batch."""
        with self._read() as connection:
            of_batch = (batch_attempts.c.league_id == league) & (batch_attempts.c.batch == number)
            rows = connection.execute(select(batch_attempts).where(of_batch).order_by(batch_attempts.c.attempt))
            return [AttemptRow(row.attempt, row.runner, row.began, row.ended, row.outcome, row.reason) for row in rows]

    def packed_sums(self, batch: BatchRow) -> bytes:
        """Return the packed sums of a stored batch."""
        with self._read() as connection:
            packed = connection.scalar(select(batches.c.sums).where(_is_batch(batch.league, batch.number)))
        return b"" if packed is None else decompress(packed)

    def seat_results(self, batch: PlayedRange) -> list[SeatResult]:
        """Return the seats of the matches of a batch, in the order of the schedule."""
        with self._read() as connection:
            return list(load_seat_results(connection, batch_results.is_in(batch)))

    def table_results(self, batch: PlayedRange) -> list[TableResult]:
        """Return what each entry of a batch did at each of its tables."""
        with self._read() as connection:
            return batch_results.load_tables(connection, batch)

    def worst_matches(self, batches: Iterable[tuple[PlayedRange, int]], limit: int) -> list[ListedMatch]:
        """Return the matches with the lowest scores of an entry, the lowest first.

        batches: with the place of the entry in the field of each.
        """
        with self._read() as connection:
            return batch_results.load_worst(connection, batches, limit)

    def sums(self, league: int, after: int = 0) -> Iterator[tuple[int, str, bytes]]:
        """Yield the place of each stored batch, when it ended (UTC, ISO 8601), and its packed sums, in this order.

        after: only those with a higher place.
        """
        with self._read() as connection:
            stored = (batches.c.league_id == league) & (batches.c.result > after)
            query = select(batches.c.result, batches.c.ended, batches.c.sums).where(stored)
            for row in connection.execute(query.order_by(batches.c.result)):
                yield row.result, row.ended, decompress(row.sums)


def _newest_day(connection: Connection, league: int) -> tuple[int, int]:
    """Return the season and day of the newest batch of a league."""
    of_league = select(batches.c.season, batches.c.day).where(batches.c.league_id == league)
    row = connection.execute(of_league.order_by(batches.c.number.desc()).limit(1)).first()
    return (0, 0) if row is None else (row.season, row.day)


def _stored_as(connection: Connection, lease: Lease) -> int | None:
    """Return the place of a batch that this very attempt has stored; None if it did not."""
    is_stored = _is_batch(lease.league, lease.batch) & (batches.c.state == "stored")
    row = connection.execute(select(batches.c.result).where(is_stored, batches.c.attempt == lease.attempt)).first()
    return None if row is None else row.result or 0


def _next_result(connection: Connection, league: int) -> int:
    """Count one more result of a league, and return its place."""
    is_league = leagues.c.id == league
    connection.execute(update(leagues).where(is_league).values(results=leagues.c.results + 1))
    return int(connection.scalar(select(leagues.c.results).where(is_league)) or 0)


def _next_number(connection: Connection, league: int) -> int:
    return 1 + (connection.scalar(select(func.max(batches.c.number)).where(batches.c.league_id == league)) or 0)


def _open(league: int) -> Select[Any]:
    """Select the batches that are not over, in the order in which they are played."""
    columns = batches.c.number, batches.c.state, batches.c.attempt, batches.c.lease_until, batches.c.runner
    return (
        select(*columns).where((batches.c.league_id == league) & _is_open()).order_by(_kind_order(), batches.c.number)
    )


def _kind_order() -> Any:
    return case({kind: place for place, kind in enumerate(FIRST)}, value=batches.c.kind)


def _is_open() -> Any:
    return or_(batches.c.state == "waiting", batches.c.state == "leased")


def _is_batch(league: int, number: int) -> Any:
    return (batches.c.league_id == league) & (batches.c.number == number)


def _is_leased(lease: Lease) -> Any:
    """Return the condition that a lease still holds."""
    holds = (batches.c.state == "leased") & (batches.c.attempt == lease.attempt)
    return _is_batch(lease.league, lease.batch) & holds


def _end_attempt(connection: Connection, lease: Lease, outcome: Outcome, reason: str) -> str:
    """Let a batch wait again or, after too many attempts without a result, make it void; return its state."""
    _note_outcome(connection, lease, outcome, reason)
    is_batch = _is_batch(lease.league, lease.batch)
    failed = connection.scalar(select(batches.c.failed).where(is_batch)) or 0
    failed += outcome != "released"
    state = "void" if failed >= MOST_FAILED else "waiting"
    values: dict[str, Any] = {"state": state, "failed": failed, "runner": "", "lease_until": 0}
    connection.execute(update(batches).where(is_batch).values(values))
    return state


def _note_outcome(connection: Connection, lease: Lease, outcome: Outcome, reason: str) -> None:
    of_attempt = (
        (batch_attempts.c.league_id == lease.league)
        & (batch_attempts.c.batch == lease.batch)
        & (batch_attempts.c.attempt == lease.attempt)
    )
    connection.execute(update(batch_attempts).where(of_attempt).values(ended=utc_now(), outcome=outcome, reason=reason))


def _select_rows(condition: Any) -> Select[Any]:
    columns = (column for column in batches.c if column is not batches.c.sums)
    query = select(*columns, events.c.first_match, events.c.matches)
    return query.join_from(batches, events, events.c.id == batches.c.event_id).where(condition)


def _row(row: Any) -> BatchRow:
    return BatchRow(
        league=row.league_id,
        number=row.number,
        event=row.event_id,
        first_match=row.first_match,
        matches=row.matches,
        season=row.season,
        day=row.day,
        kind=row.kind,
        snapshot=row.snapshot,
        entries=tuple(json.loads(row.entries)),
        state=row.state,
        attempt=row.attempt,
        failed=row.failed,
        runner=row.runner,
        lease_until=row.lease_until,
        created=row.created,
        ended=row.ended,
        seconds=row.seconds,
        result=row.result,
    )
