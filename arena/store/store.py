"""Writes: tournaments, and matches in batches, each batch one transaction."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from arena.store.engine.errors import StoreError, translate_errors
from arena.store.engine.schema import entrants, events, matches
from arena.store.matches import counted_matches, decision_log, process_failures, row_saving, summaries
from arena.store.matches.runs import Runs
from arena.store.people.account_tokens import AccountTokens
from arena.store.people.accounts import Accounts, Tokens
from arena.store.people.invitations import Invitations
from arena.store.people.submissions import Submissions
from arena.store.people.teams import Teams
from arena.store.reader import Reader
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import (
    ContentionRow,
    DecisionRow,
    EntrantRow,
    MatchRow,
    NewEvent,
    OutputRow,
    SummedResults,
    VerdictRow,
    utc_now,
)


class Store(Reader):
    """A database of tournaments, open until `close` (or the end of a `with` block).

    Methods may be called from any thread; writers wait for each other. Several programs may write at the same time.
    Every method raises StoreError if the database is locked, read-only, full or damaged.

    submissions: the submitted bots.
    tokens: the tokens of remote bots.
    accounts: the accounts of the pages.
    teams: the teams, for each of which several accounts act.
    account_tokens: the tokens with scopes of accounts.
    invitations: the invitations to accounts.
    runs: which processes play tournaments.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        super().__init__(engine, where)
        self._lock = Lock()
        self.submissions = Submissions(where, self.read, partial(self.write, numbers=True))
        self.tokens = Tokens(self.read, partial(self.write, numbers=True))
        self.accounts = Accounts(self.read, partial(self.write, numbers=True))
        self.teams = Teams(self.read, partial(self.write, numbers=True))
        self.account_tokens = AccountTokens(self.read, partial(self.write, numbers=True))
        self.invitations = Invitations(self.read, partial(self.write, numbers=True))
        self.runs = Runs(self.read, self.write)

    @contextmanager
    def write(self, *, numbers: bool = False) -> Iterator[Connection]:
        """Open a transaction that writes; others wait for it.

        numbers: whether to lock the numbering of tournaments and versions, too.
        """
        writer = self._engine.execution_options(writes=True, numbers=numbers, patience=self.patience)
        with self._lock, translate_errors(self.where), writer.begin() as connection:
            yield connection

    def add_tournament(self, new: NewEvent) -> int:
        """Store a tournament, reserve its match ids, and return its number, from 1."""
        with self.write(numbers=True) as connection:
            number, _ = _add_numbered(connection, new)
        return number

    def add_single(
        self,
        new: NewEvent,
        match: MatchRow,
        outputs: Sequence[OutputRow] = (),
        failures: Sequence[ProcessFailureRow] = (),
    ) -> int:
        """Store a single match in one transaction; return its id."""
        with self.write(numbers=True) as connection:
            event, first = row_saving.add_event(connection, new, None)
            connection.execute(update(events).where(events.c.id == event).values(finished=utc_now()))
            row_saving.add_matches(connection, event, first, [match])
            row_saving.add_outputs(connection, event, outputs)
            process_failures.add(connection, event, failures)
        return first + match.number

    def add_imported_tournament(
        self, new: NewEvent, created: str, entropy: str | None, entries: Sequence[DecisionRow]
    ) -> int:
        """Store an imported tournament with its log, without matches; return its number.

        If it is stored already, with the same hashes and creation time, nothing changes.

        created, entropy: as in `TournamentRow`; "" for `created`: it is always added, as created now.
        entries: its log.

        Raises StoreError if it is stored with a different log.
        """
        with self.write(numbers=True) as connection:
            stored = row_saving.find_imported(connection, new, created)
            if stored is not None:
                number, event = stored
                if decision_log.entries(connection, event) != list(entries):
                    raise StoreError(
                        f"tournament {number} of {self.where} is the same one with another log, as it went on here or "
                        "elsewhere: take it into another database (--db)"
                    )
                return number
            number, event = _add_numbered(connection, new)
            values = {"created": created or utc_now(), "entropy": entropy}
            connection.execute(update(events).where(events.c.id == event).values(values))
            for entry in entries:
                decision_log.insert_entry(connection, event, entry)
            if entries:
                decision_log.note_end(connection, event, entries[-1])
        return number

    def add_imported_matches(
        self,
        tournament: int,
        matches: Sequence[MatchRow],
        outputs: Sequence[OutputRow] = (),
        voids: Sequence[tuple[int, MatchRow]] = (),
        failures: Sequence[ProcessFailureRow] = (),
    ) -> int:
        """Store imported matches in one transaction; return how many were not stored yet.

        The first record of a number counts.

        voids: void matches, each with the number of the log entry that made it void.
        """
        with self.write() as connection:
            event, first, _ = self._id_range(connection, tournament, lock=True)
            added = row_saving.add_matches(connection, event, first, matches)
            summaries.mark_unsummarised(connection, added)
            row_saving.add_outputs(connection, event, outputs)
            process_failures.add(connection, event, failures)
            for action, row in voids:
                row_saving.add_void_match(connection, event, action, row)
        return len(added)

    def add_matches(
        self,
        tournament: int,
        matches: Sequence[MatchRow],
        outputs: Sequence[OutputRow] = (),
        strains: Sequence[ContentionRow] = (),
        failures: Sequence[ProcessFailureRow] = (),
    ) -> None:
        """Store finished matches in one transaction: all of them or, after an error, none.

        A match that is stored already does not change: the first record of a number counts. Matches of a bot that was
        withdrawn with its remaining matches dropped are not stored.

        strains: the CPU contention of phases.
        """
        with self.write() as connection:
            event, first, _ = self._id_range(connection, tournament, lock=True)
            dropped = {
                entry.details["place"]
                for entry in decision_log.entries(connection, event)
                if entry.kind == "withdraw" and entry.details["remaining"] == "drop"
            }
            accepted = [row for row in matches if not any(seat.entrant in dropped for seat in row.seats)]
            summaries.mark_unsummarised(connection, row_saving.add_matches(connection, event, first, accepted))
            row_saving.add_outputs(connection, event, outputs)
            row_saving.add_contention(connection, event, strains)
            process_failures.add(connection, event, failures)

    def summarise(
        self,
        tournament: int,
        make_summary: Callable[[SummedResults], bytes],
        *,
        min_matches: int,
        max_matches: int,
        merge_all: bool = False,
    ) -> int:
        """Summarise unsummarised matches in one transaction; return how many.

        The last summaries are merged into the new one while they are no larger than it. So there are few summaries, and
        each match is summarised only a few times.

        make_summary: returns the summary of results.
        min_matches: with fewer, nothing happens.
        max_matches: as many are summarised at most.
        merge_all: merge all summaries, whatever their size.
        """
        with self.write() as connection:
            id_range = self._id_range(connection, tournament, lock=True)
            return summaries.add_summary(connection, id_range, make_summary, min_matches, max_matches, merge_all)

    def drop_summaries(self, tournament: int) -> None:
        """Drop the summaries of a tournament and mark all its matches as unsummarised."""
        with self.write() as connection:
            event, *_ = self._id_range(connection, tournament, lock=True)
            summaries.drop_summaries(connection, event)

    def save_verdict(self, tournament: int, row: VerdictRow) -> None:
        """Store the verdict on a finished tournament that may end early; ignored if it is not finished."""
        with self.write() as connection:
            event, first, count = self._id_range(connection, tournament, lock=True)
            if connection.scalar(select(events.c.finished).where(events.c.id == event)) is None:
                return
            stored = counted_matches.load_verdict(connection, event)
            if stored == row:
                return
            counted = min(row.matches, stored.matches) if stored else row.matches
            beyond = matches.c.id.between(first + counted, first + count - 1)
            if connection.scalar(select(matches.c.id).where(beyond).limit(1)) is not None:
                summaries.drop_summaries(connection, event)
            counted_matches.save_verdict(connection, event, row)

    def add_outputs(self, tournament: int, outputs: Sequence[OutputRow]) -> None:
        """Store what processes printed; a later output of the same player of a phase replaces the earlier."""
        self.add_matches(tournament, (), outputs)

    def mark_withdrawn(self, tournament: int, entrant: int, reason: str) -> None:
        """Mark a bot as withdrawn."""
        with self.write() as connection:
            event, *_ = self._id_range(connection, tournament, lock=True)
            of_bot = (entrants.c.event_id == event) & (entrants.c.place == entrant)
            connection.execute(update(entrants).where(of_bot).values(withdrawn=reason))

    def finish_tournament(self, tournament: int, seen: int | None = None, at: str = "") -> bool:
        """Mark a tournament as finished, unless it is; return False if its log has changed.

        seen: the number of log entries that the caller knows; if there are others by now, nothing happens.
        at: the time in UTC as ISO 8601; "": now.
        """
        with self.write() as connection:
            event, *_ = self._id_range(connection, tournament, lock=True)
            if seen is not None and decision_log.length(connection, event) != seen:
                return False
            finished = at or func.coalesce(events.c.finished, utc_now())
            connection.execute(update(events).where(events.c.id == event).values(finished=finished))
            return True

    def append_decision(
        self,
        tournament: int,
        who: str,
        kind: str,
        details: dict[str, Any],
        reason: str = "",
        *,
        seen: int | None = None,
    ) -> DecisionRow | None:
        """Append a decision to the log of a tournament and apply it to the database.

        A withdrawn bot is marked as such; a void match is moved to a negative id; a bot that enters is added to the
        field; entropy is stored with the tournament; an extended tournament has more match ids reserved.

        seen: the number of log entries that the caller knows; if there are others by now, nothing happens and None is
            returned.

        Raises StoreError for an extension whose ids belong to later tournaments or matches.
        """
        with self.write(numbers=kind == "extend") as connection:
            event, first, _ = self._id_range(connection, tournament, lock=True)
            if seen is not None and decision_log.length(connection, event) != seen:
                return None
            row = decision_log.append(connection, event, who, kind, details, reason)
            if kind == "void" or (kind == "withdraw" and details["results"] == "omit"):
                summaries.drop_summaries(connection, event)
            if kind == "withdraw":
                _mark_withdrawn(connection, event, row)
            elif kind == "void":
                decision_log.void_matches(connection, event, {first + details["match"]: row.number})
            elif kind == "entropy":
                connection.execute(update(events).where(events.c.id == event).values(entropy=details["value"]))
            elif kind == "enter":
                bot = details["bot"]
                entrant = EntrantRow(bot["name"], tuple(bot["command"]), bot["folder"], bot["sha256"])
                row_saving.add_entrants(connection, event, [entrant], details["place"])
            elif kind == "extend" and not row_saving.extend_event(connection, event, details["matches"]):
                raise StoreError(
                    f"tournament {tournament} cannot be extended in {self.where}, as later tournaments or matches have "
                    "the ids that its further matches need: export it (arena tourney export), import it into a new "
                    "database and resume it there"
                )
            if kind in ("void", "enter", "extend"):
                connection.execute(update(events).where(events.c.id == event).values(finished=None))
                counted_matches.save_verdict(connection, event, None)
            return row

    def withdraw(
        self,
        tournament: int,
        who: str,
        details: dict[str, Any],
        reason: str,
        find_void: Callable[[Collection[int]], list[list[int]]],
        *,
        seen: int,
    ) -> DecisionRow | None:
        """Append to the log that a bot is withdrawn and plays no more, and void what is stored of its open sets.

        The log has an entry of its own for each match that is void.

        find_void: returns the ranges of the numbers of all matches of its open sets, each as its first and last, given
            the numbers of the stored matches.
        seen: as `append_decision` takes it.
        """
        with self.write() as connection:
            id_range = self._id_range(connection, tournament, lock=True)
            event, first, _ = id_range
            if decision_log.length(connection, event) != seen:
                return None
            ids = connection.scalars(select(matches.c.id).where(id_range.contains()))
            stored = {id - first for id in ids}
            void = find_void(stored)
            row = decision_log.append(connection, event, who, "withdraw", details | {"void": void}, reason)
            _mark_withdrawn(connection, event, row)
            numbers = [number for start, end in void for number in range(start, end + 1) if number in stored]
            if numbers or details["results"] == "omit":
                summaries.drop_summaries(connection, event)
            if numbers:
                voids = [("void", {"match": number, "replay": False, "withdrawal": row.number}) for number in numbers]
                entries = decision_log.append_all(connection, event, who, voids, reason)
                actions = {first + entry.details["match"]: entry.number for entry in entries}
                decision_log.void_matches(connection, event, actions)
            return row


def _mark_withdrawn(connection: Connection, event: int, entry: DecisionRow) -> None:
    """Mark the bot that an entry of the log withdraws."""
    of_bot = (entrants.c.event_id == event) & (entrants.c.place == entry.details["place"])
    connection.execute(update(entrants).where(of_bot).values(withdrawn=entry.reason or "withdrawn"))


def _add_numbered(connection: Connection, new: NewEvent) -> tuple[int, int]:
    """Add a tournament with the next number; return its number and key."""
    number = int(connection.scalar(select(func.max(events.c.tournament))) or 0) + 1
    event, _ = row_saving.add_event(connection, new, number)
    return number, event
