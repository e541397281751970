"""Writing: tournaments, and matches in batches, each batch one transaction."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from arena.store import (
    counted_matches,
    decision_log,
    process_failures,
    row_saving,
    summaries,
)
from arena.store.accounts import Accounts, Tokens
from arena.store.errors import StoreError, translate_errors
from arena.store.failure_rows import ProcessFailureRow
from arena.store.reader import Reader
from arena.store.rows import (
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
from arena.store.schema import entrants, events, matches
from arena.store.submissions import Submissions


class Store(Reader):
    """A database of tournaments, open until `close` (or the end of a `with` block).

    Every method may be called from any thread; writers wait for each other. Several programs may write at once.
    Every method raises StoreError with a sentence where the database is locked, read-only, full or damaged.

    submissions: the submitted bots. tokens: of the remote ones. accounts: of the pages.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        super().__init__(engine, where)
        self._lock = Lock()
        self.submissions = Submissions(where, self._reading, partial(self._writing, numbers=True))
        self.tokens = Tokens(self._reading, partial(self._writing, numbers=True))
        self.accounts = Accounts(self._reading, partial(self._writing, numbers=True))

    @contextmanager
    def _writing(self, *, numbers: bool = False) -> Iterator[Connection]:
        """Change the database in one transaction; numbers: nobody else gives numbers to anything meanwhile."""
        writer = self._engine.execution_options(writes=True, numbers=numbers, patience=self.patience)
        with self._lock, translate_errors(self.where), writer.begin() as connection:
            yield connection

    def add_tournament(self, new: NewEvent) -> int:
        """Store a tournament and reserve its match ids; return its number, counted from 1."""
        with self._writing(numbers=True) as connection:
            number, _ = _add_numbered(connection, new)
        return number

    def add_single(
        self,
        new: NewEvent,
        match: MatchRow,
        outputs: Sequence[OutputRow] = (),
        failures: Sequence[ProcessFailureRow] = (),
    ) -> int:
        """Store a match that belongs to no tournament, in one transaction; return its match id."""
        with self._writing(numbers=True) as connection:
            event, first = row_saving.add_event(connection, new, None)
            connection.execute(update(events).where(events.c.id == event).values(finished=utc_now()))
            row_saving.add_matches(connection, event, first, [match])
            row_saving.add_outputs(connection, event, outputs)
            process_failures.add(connection, event, failures)
        return first + match.number

    def add_imported_tournament(
        self, new: NewEvent, created: str, entropy: str | None, entries: Sequence[DecisionRow]
    ) -> int:
        """Store a tournament that was played elsewhere with its log, and no match yet; return its number.

        Where it is here already, with the same hashes and beginning, that number is returned, and nothing changed.
        created, entropy: as in `Tournament`; without `created`, it is new, and begins now. entries: its log.

        Raises StoreError where the log of the one that is here is another one.
        """
        with self._writing(numbers=True) as connection:
            known = row_saving.find_imported(connection, new, created)
            if known is not None:
                number, event = known
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
                decision_log.restore(connection, event, entry)
        return number

    def add_imported_matches(
        self,
        tournament: int,
        matches: Sequence[MatchRow],
        outputs: Sequence[OutputRow] = (),
        voids: Sequence[tuple[int, MatchRow]] = (),
        failures: Sequence[ProcessFailureRow] = (),
    ) -> int:
        """Store matches that were played elsewhere, in one transaction; return how many were not there.

        The first record of a number counts. voids: matches that an entry of the log, named by its number, made void.
        """
        with self._writing() as connection:
            event, first, _ = self._span(connection, tournament, alone=True)
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

        A match that is stored already stays as it was: the first record of a number counts. A match of a bot that was
        withdrawn with all its matches is not stored: whatever came before the withdrawal counts, and nothing after it.
        """
        with self._writing() as connection:
            event, first, _ = self._span(connection, tournament, alone=True)
            gone = {
                entry.details["place"]
                for entry in decision_log.entries(connection, event)
                if entry.kind == "withdraw" and entry.details["remaining"] == "drop"
            }
            staying = [row for row in matches if not any(seat.entrant in gone for seat in row.seats)]
            summaries.mark_unsummarised(connection, row_saving.add_matches(connection, event, first, staying))
            row_saving.add_outputs(connection, event, outputs)
            row_saving.add_strains(connection, event, strains)
            process_failures.add(connection, event, failures)

    def summarise(
        self, tournament: int, add_up: Callable[[SummedResults], bytes], *, least: int, most: int, whole: bool = False
    ) -> int:
        """Summarise up to `most` unsummarised matches, in one transaction; return how many: 0 if fewer than `least`.

        add_up: returns the summary of what it is given. The last summaries go into the new one where they are no larger
        than it: so there are few of them, and no match is added up again more than a few times. whole: all of them do.
        """
        with self._writing() as connection:
            span = self._span(connection, tournament, alone=True)
            return summaries.add_summary(connection, span, add_up, least, most, whole)

    def drop_summaries(self, tournament: int) -> None:
        """Drop the summaries of a tournament and mark all its matches as unsummarised."""
        with self._writing() as connection:
            event, *_ = self._span(connection, tournament, alone=True)
            summaries.drop_summaries(connection, event)

    def save_verdict(self, tournament: int, row: VerdictRow) -> None:
        """Note what ended a finished tournament that may end early; nothing of one that goes on."""
        with self._writing() as connection:
            event, first, count = self._span(connection, tournament, alone=True)
            if connection.scalar(select(events.c.finished).where(events.c.id == event)) is None:
                return
            before = counted_matches.load_verdict(connection, event)
            if before == row:
                return
            most = min(row.matches, before.matches) if before else row.matches
            beyond = matches.c.id.between(first + most, first + count - 1)
            if connection.scalar(select(matches.c.id).where(beyond).limit(1)) is not None:
                summaries.drop_summaries(connection, event)
            counted_matches.save_verdict(connection, event, row)

    def add_outputs(self, tournament: int, outputs: Sequence[OutputRow]) -> None:
        """Store what processes printed; a later output of the same player of a phase replaces the earlier."""
        self.add_matches(tournament, (), outputs)

    def mark_withdrawn(self, tournament: int, entrant: int, reason: str) -> None:
        """Note that a bot was withdrawn, and why."""
        with self._writing() as connection:
            event, *_ = self._span(connection, tournament, alone=True)
            chosen = (entrants.c.event_id == event) & (entrants.c.place == entrant)
            connection.execute(update(entrants).where(chosen).values(withdrawn=reason))

    def finish_tournament(self, tournament: int, seen: int | None = None, at: str = "") -> bool:
        """Note the time at which all matches were stored: now, unless `at` says when.

        seen: the entries of the log that are known; where there are others by now, nothing is noted and False returned.
        """
        with self._writing() as connection:
            event, *_ = self._span(connection, tournament, alone=True)
            if seen is not None and decision_log.length(connection, event) != seen:
                return False
            connection.execute(update(events).where(events.c.id == event).values(finished=at or utc_now()))
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

        seen: the entries that are known; where there are others by now, nothing happens and None is returned.

        A withdrawn bot is marked so; a match that is void is kept apart; a bot that enters joins the field;
        entropy goes into the secret.
        """
        with self._writing() as connection:
            event, first, _ = self._span(connection, tournament, alone=True)
            if seen is not None and decision_log.length(connection, event) != seen:
                return None
            row = decision_log.append(connection, event, who, kind, details, reason)
            if kind == "void" or (kind == "withdraw" and details["results"] == "omit"):
                summaries.drop_summaries(connection, event)
            if kind == "withdraw":
                chosen = (entrants.c.event_id == event) & (entrants.c.place == details["place"])
                connection.execute(update(entrants).where(chosen).values(withdrawn=reason or "withdrawn"))
            elif kind == "void":
                decision_log.set_aside(connection, event, first + details["match"], row.number)
            elif kind == "entropy":
                connection.execute(update(events).where(events.c.id == event).values(entropy=details["value"]))
            elif kind == "enter":
                bot = details["bot"]
                entrant = EntrantRow(bot["name"], tuple(bot["command"]), bot["folder"], bot["sha256"])
                row_saving.add_entrants(connection, event, [entrant], details["place"])
            if kind in ("void", "enter"):
                connection.execute(update(events).where(events.c.id == event).values(finished=None))
                counted_matches.save_verdict(connection, event, None)
            return row


def _add_numbered(connection: Connection, new: NewEvent) -> tuple[int, int]:
    """Add a tournament with the next number; return that and its key."""
    number = int(connection.scalar(select(func.max(events.c.tournament))) or 0) + 1
    event, _ = row_saving.add_event(connection, new, number)
    return number, event
