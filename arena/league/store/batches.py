"""The batches of leagues: drawn, leased to runners under fenced attempts, and stored with their matches.

A batch is an event of its own, so its matches are stored, shown and verified like those of a tournament; its schedule
is "tables". What a league adds are who has the lease, from which ratings it was drawn, and the sums of its results.

All matches are stored in the transaction that ends the lease, or none: a runner whose lease went to another one stores
nothing. So it does not matter whether a runner is dead, slow or cut off; what is not stored is played again with the
same deals, and no crash can choose which results count. The price is at most the 20 seconds that a batch takes.
"""

import json
from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from arena.league.store.batch_queries import (
    BATCH,
    BatchQueries,
    is_batch,
    is_given_up,
    is_open,
    kind_order,
    newest_day,
    next_number,
    select_rows,
)
from arena.league.store.closed_results import without_closed
from arena.league.store.dropped_batches import void_batches_of, void_left
from arena.league.store.league_entries import suspend_failing
from arena.league.store.league_log import append_to_log, lock_league
from arena.league.store.league_rows import BatchResult, BatchRow, Lease, NewBatch, Outcome
from arena.league.store.seasons import season_takes
from arena.store.engine.blobs import compress
from arena.store.engine.schema import batch_attempts, batches, entrants, events, leagues
from arena.store.matches import practice_ids, process_failures, row_saving
from arena.values.canonical_json import hash_of_definition
from arena.values.definition import Definition
from arena.values.rows import utc_now


class Batches(BatchQueries):
    """The batches of a database."""

    def add(
        self, league: int, new: NewBatch, number: int, decision: tuple[str, str, dict[str, Any]] | None = None
    ) -> bool:
        """Store a batch as the one with that number; return False if the league has it already, from another runner.

        Nor is it stored where its day is over for the league, as then the secret of that day may be public, or where
        its season is past batches of its kind.

        decision: an entry of the log that goes with it: its kind, who decided it, and its details.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, league)
            if next_number(connection, league) != number or (new.season, new.day) < newest_day(connection, league):
                return False
            if not season_takes(connection, league, new.season, new.kind):
                return False
            is_practice = connection.scalar(select(leagues.c.owner).where(leagues.c.id == league)) is not None
            ids = {"ids": practice_ids.ids_of(league)} if is_practice else {}
            event, _ = row_saving.add_event(connection, new.event, None, **ids)
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
                    part=new.part,
                )
            )
            if decision is not None:
                kind, who, details = decision
                append_to_log(connection, league, who, kind, details)
            return True

    def lease(
        self,
        league: int,
        runner: str,
        now: int,
        until: int,
        held: Collection[int] = (),
        without: Collection[int] = (),
        resting: Collection[int] = (),
    ) -> BatchRow | None:
        """Lease the next batch of a league: one that waits, or whose lease has run out; None if there is none.

        A batch whose leases ran out too often is given up instead, and void (`is_given_up`).

        now, until: milliseconds since 1970, UTC; now without those that the time of day has lost lately, as
            `AwakeClock.lost_within` says.
        held: the numbers of the batches that the runner plays; what it has leased beside these, it does not know of,
            and may have at once.
        without: entries whose batches are left to other runners.
        resting: the numbers of batches that are left alone for now.
        """
        with self._store.write() as connection:
            lock_league(connection, league)
            for row in connection.execute(_open(league)).all():
                if row.number in resting or (without and not set(without).isdisjoint(json.loads(row.entries))):
                    continue
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
                connection.execute(update(batches).where(is_batch(league, row.number)).values(values))
                connection.execute(
                    insert(batch_attempts).values(
                        league_id=league, batch=row.number, attempt=attempt, runner=runner, began=utc_now(), reason=""
                    )
                )
                return BATCH.load(connection.execute(select_rows(is_batch(league, row.number))).one())
            return None

    def void_of(self, league: int, left: Collection[int], now: int | None = None) -> None:
        """Make void what nobody plays and has one of these entries.

        now: as in `arena.league.store.dropped_batches`.
        """
        with self._store.write() as connection:
            void_batches_of(connection, league, left, now)

    def redefine(self, lease: Lease, definition: Definition) -> bool:
        """Store with what a leased batch is played, and its hash; return whether the lease still holds.

        Who plays, and which deals, follows from the draw and stays.
        """
        with self._store.write() as connection:
            lock_league(connection, lease.league)
            event = connection.scalar(select(batches.c.event_id).where(_is_leased(lease)))
            values = {"definition": definition.text, "definition_hash": hash_of_definition(definition.to_json())}
            return bool(connection.execute(update(events).where(events.c.id == event).values(values)).rowcount)

    def renew(self, leases: Iterable[Lease], until: int) -> list[Lease]:
        """Prolong leases; return those that are lost."""
        lost = []
        with self._store.write() as connection:
            for lease in leases:
                renewed = update(batches).where(_is_leased(lease)).values(lease_until=until)
                if not connection.execute(renewed).rowcount:
                    lost.append(lease)
        return lost

    def give_back(self, lease: Lease, outcome: Outcome, reason: str = "") -> bool:
        """End an attempt without a result; return whether the batch is void now.

        outcome: "released" does not count among those that came to no result. A lease that was lost changes nothing.
        """
        with self._store.write() as connection:
            lock_league(connection, lease.league)
            if connection.scalar(select(batches.c.number).where(_is_leased(lease))) is None:
                return False
            return _end_attempt(connection, lease, outcome, reason) == "void"

    def note_void(self, league: int, number: int) -> None:
        """Note that what follows from a void batch is done."""
        with self._store.write() as connection:
            connection.execute(update(batches).where(is_batch(league, number)).values(ended=utc_now()))

    def void_unplayed(self, league: int, now: int) -> None:
        """Make void what waits, and what nobody plays any more, in a league that is closed.

        now: as in `lease`.
        """
        with self._store.write() as connection:
            lock_league(connection, league)
            void_left(connection, league, now)

    def give_back_all(self, runner: str) -> int:
        """Let the leases of a runner that is gone run out; return how many."""
        with self._store.write() as connection:
            of_runner = (batches.c.runner == runner) & (batches.c.state == "leased")
            return connection.execute(update(batches).where(of_runner).values(lease_until=0)).rowcount

    def finish(self, lease: Lease, result: BatchResult) -> int | None:
        """Store a batch with all its matches and end its lease, in one transaction.

        Entries that were withdrawn in it are suspended. Returns its place among the rated batches, from 1;
        0 for a challenge, which is not rated; None if the lease was lost: then nothing is stored. An attempt that is
        stored already stays as it is.
        """
        with self._store.write() as connection:
            lock_league(connection, lease.league)
            row = connection.execute(select_rows(_is_leased(lease))).first()
            if row is None:
                return _stored_as(connection, lease)
            numbers = json.loads(row.entries)
            result = without_closed(connection, lease.league, numbers, result)
            row_saving.add_matches(connection, row.event_id, row.first_match, result.rows)
            row_saving.add_outputs(connection, row.event_id, result.outputs)
            process_failures.add(connection, row.event_id, result.failures)
            place = 0 if row.kind == "challenge" else _next_result(connection, lease.league)
            ended = utc_now()
            connection.execute(
                update(batches)
                .where(is_batch(lease.league, lease.batch))
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
            for field_place, reason in result.withdrawn.items():
                of_bot = (entrants.c.event_id == row.event_id) & (entrants.c.place == field_place)
                connection.execute(update(entrants).where(of_bot).values(withdrawn=reason))
                suspend_failing(connection, lease.league, numbers[field_place], reason)
            return place


def _stored_as(connection: Connection, lease: Lease) -> int | None:
    """Return the place of a batch that this very attempt has stored; None if it did not."""
    is_stored = is_batch(lease.league, lease.batch) & (batches.c.state == "stored")
    row = connection.execute(select(batches.c.result).where(is_stored, batches.c.attempt == lease.attempt)).first()
    return None if row is None else row.result or 0


def _next_result(connection: Connection, league: int) -> int:
    """Count one more result of a league, and return its place."""
    is_league = leagues.c.id == league
    connection.execute(update(leagues).where(is_league).values(results=leagues.c.results + 1))
    return int(connection.scalar(select(leagues.c.results).where(is_league)) or 0)


def _open(league: int) -> Select[Any]:
    """Select the batches that are not over, in the order in which they are played."""
    columns = batches.c["number", "state", "attempt", "lease_until", "runner", "entries"]
    return select(*columns).where((batches.c.league_id == league) & is_open()).order_by(kind_order(), batches.c.number)


def _is_leased(lease: Lease) -> Any:
    """Return the condition that a lease still holds."""
    holds = (batches.c.state == "leased") & (batches.c.attempt == lease.attempt)
    return is_batch(lease.league, lease.batch) & holds


def _end_attempt(connection: Connection, lease: Lease, outcome: Outcome, reason: str) -> str:
    """Let a batch wait again or, after too many attempts without a result, make it void; return its state."""
    _note_outcome(connection, lease, outcome, reason)
    of_lease = is_batch(lease.league, lease.batch)
    failed = batches.c.failed + int(outcome == "failed")
    values: dict[str, Any] = {"state": "waiting", "failed": failed, "runner": "", "lease_until": 0}
    connection.execute(update(batches).where(of_lease).values(values))
    if connection.scalar(select(batches.c.number).where(of_lease, is_given_up())) is None:
        return "waiting"
    connection.execute(update(batches).where(of_lease).values(state="void"))
    return "void"


def _note_outcome(connection: Connection, lease: Lease, outcome: Outcome, reason: str) -> None:
    of_attempt = (
        (batch_attempts.c.league_id == lease.league)
        & (batch_attempts.c.batch == lease.batch)
        & (batch_attempts.c.attempt == lease.attempt)
    )
    connection.execute(update(batch_attempts).where(of_attempt).values(ended=utc_now(), outcome=outcome, reason=reason))
