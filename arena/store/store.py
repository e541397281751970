"""Writing: tournaments, and matches in batches, each batch one transaction."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, update

from arena.store import log, summing
from arena.store.accounts import Accounts
from arena.store.errors import sentences
from arena.store.packing import pack_notes, pack_says, squeeze
from arena.store.reading import Reader
from arena.store.rows import (
    ActionRow,
    EntrantRow,
    MatchRow,
    NewTournament,
    OutputRow,
    StrainRow,
    Summed,
    definition_text,
)
from arena.store.schema import (
    entrants,
    events,
    faults,
    matches,
    notes,
    outputs,
    says,
    seats,
    strains,
    voids,
)
from arena.store.submissions import Submissions
from arena.store.tokens import Tokens

Values = list[dict[str, Any]]

_BATCH = 500
"""Rows that are added together."""


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
        writer = self._engine.execution_options(writes=True, numbers=numbers)
        with self._lock, sentences(self.where), writer.begin() as connection:
            yield connection

    def add_tournament(self, new: NewTournament) -> int:
        """Store a tournament and reserve its match ids; return its number, counted from 1."""
        with self._writing(numbers=True) as connection:
            number = (connection.scalar(select(func.max(events.c.tournament))) or 0) + 1
            _add_event(connection, new, number)
        return int(number)

    def add_single(self, new: NewTournament, match: MatchRow, outputs: Sequence[OutputRow] = ()) -> int:
        """Store a match that belongs to no tournament, in one transaction; return its match id."""
        with self._writing(numbers=True) as connection:
            event, first = _add_event(connection, new, None)
            connection.execute(update(events).where(events.c.id == event).values(finished=_now()))
            _add_matches(connection, event, first, [match])
            _add_outputs(connection, event, outputs)
        return first + match.number

    @contextmanager
    def adding(self, new: NewTournament, created: str, finished: str | None) -> Iterator["Addition"]:
        """Store a tournament that was played elsewhere, with all that is added in the block: whole or not at all.

        created, finished: its times, as in `Tournament`; without `created`, now.
        """
        with self._writing() as connection:
            number = (connection.scalar(select(func.max(events.c.tournament))) or 0) + 1
            event, first = _add_event(connection, new, number)
            times = {"created": created or _now(), "finished": finished}
            connection.execute(update(events).where(events.c.id == event).values(times))
            addition = Addition(connection, number, event, first)
            yield addition
            addition.flush()

    def add_matches(
        self,
        tournament: int,
        matches: Sequence[MatchRow],
        outputs: Sequence[OutputRow] = (),
        strains: Sequence[StrainRow] = (),
    ) -> None:
        """Store finished matches in one transaction: all of them or, after an error, none.

        A match that is stored already stays as it was: the first record of a number counts. A match of a bot that was
        withdrawn with all its matches is not stored: whatever came before the withdrawal counts, and nothing after it.
        """
        with self._writing() as connection:
            event, first, _ = self._event(connection, tournament, alone=True)
            gone = {
                entry.details["place"]
                for entry in log.entries(connection, event)
                if entry.kind == "withdraw" and entry.details["remaining"] == "drop"
            }
            staying = [row for row in matches if not any(seat.entrant in gone for seat in row.seats)]
            summing.let_loose(connection, _add_matches(connection, event, first, staying))
            _add_outputs(connection, event, outputs)
            _add_strains(connection, event, strains)

    def summarise(
        self, tournament: int, add_up: Callable[[Summed], bytes], *, least: int, most: int, whole: bool = False
    ) -> bool:
        """Add up to `most` loose matches to the summaries, in one transaction; return whether there were `least`.

        add_up: returns the summary of what it is given. The last summaries go into the new one where they are no larger
        than it: so there are few of them, and no match is added up again more than a few times. whole: all of them do.
        """
        with self._writing() as connection:
            event, first, count = self._event(connection, tournament, alone=True)
            return summing.add_up(connection, event, range(first, first + count), add_up, least, most, whole)

    def add_outputs(self, tournament: int, outputs: Sequence[OutputRow]) -> None:
        """Store what processes printed; a later output of the same player of a phase replaces the earlier."""
        self.add_matches(tournament, (), outputs)

    def mark_withdrawn(self, tournament: int, entrant: int, reason: str) -> None:
        """Note that a bot was withdrawn, and why."""
        with self._writing() as connection:
            event, *_ = self._event(connection, tournament, alone=True)
            chosen = (entrants.c.event_id == event) & (entrants.c.place == entrant)
            connection.execute(update(entrants).where(chosen).values(withdrawn=reason))

    def finish_tournament(self, tournament: int, seen: int | None = None) -> bool:
        """Note the time at which all matches were stored.

        seen: the entries of the log that are known; where there are others by now, nothing is noted and False returned.
        """
        with self._writing() as connection:
            event, *_ = self._event(connection, tournament, alone=True)
            if seen is not None and log.length(connection, event) != seen:
                return False
            connection.execute(update(events).where(events.c.id == event).values(finished=_now()))
            return True

    def act(
        self,
        tournament: int,
        who: str,
        kind: str,
        details: dict[str, Any],
        reason: str = "",
        *,
        seen: int | None = None,
    ) -> ActionRow | None:
        """Add an entry to the log of a tournament, and do to the database what it says.

        seen: the entries that are known; where there are others by now, nothing happens and None is returned.

        A withdrawn bot is marked so; a match that is void is kept apart; a bot that enters joins the field.
        """
        with self._writing() as connection:
            event, first, _ = self._event(connection, tournament, alone=True)
            if seen is not None and log.length(connection, event) != seen:
                return None
            row = log.append(connection, event, who, kind, details, reason)
            if kind == "withdraw":
                chosen = (entrants.c.event_id == event) & (entrants.c.place == details["place"])
                connection.execute(update(entrants).where(chosen).values(withdrawn=reason or "withdrawn"))
            elif kind == "void":
                log.set_aside(connection, event, first + details["match"], row.number)
            elif kind == "enter":
                bot = details["bot"]
                entrant = EntrantRow(bot["name"], tuple(bot["command"]), bot["folder"], bot["sha256"])
                _insert(connection, entrants, [_entrant(event, details["place"], entrant)])
            if kind in ("void", "enter"):
                connection.execute(update(events).where(events.c.id == event).values(finished=None))
            return row


class Addition:
    """Takes what belongs to a tournament that is being added; number: of the tournament."""

    def __init__(self, connection: Connection, number: int, event: int, first: int) -> None:
        self.number = number
        self._connection = connection
        self._event = event
        self._first = first
        self._matches: list[MatchRow] = []
        self._outputs: list[OutputRow] = []

    def add(self, row: MatchRow | OutputRow) -> None:
        """Add a match, or what a process left behind."""
        if isinstance(row, MatchRow):
            self._matches.append(row)
        else:
            self._outputs.append(row)
        if len(self._matches) + len(self._outputs) == _BATCH:
            self.flush()

    def add_action(self, row: ActionRow) -> None:
        """Add an entry of the log, as it is."""
        log.restore(self._connection, self._event, row)

    def add_void(self, action: int, row: MatchRow) -> None:
        """Add a match that the entry `action` made void."""
        away = log.free_id(self._connection)
        _add_matches(self._connection, self._event, away - row.number, [row])
        self._connection.execute(insert(voids).values(event_id=self._event, action=action, match_id=away))

    def flush(self) -> None:
        """Write what was added."""
        summing.let_loose(self._connection, _add_matches(self._connection, self._event, self._first, self._matches))
        _add_outputs(self._connection, self._event, self._outputs)
        self._matches, self._outputs = [], []


def _values(row: Any) -> dict[str, Any]:
    """Return a row's fields by name (dataclasses.asdict would copy every value deeply)."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _add_event(connection: Connection, new: NewTournament, number: int | None) -> tuple[int, int]:
    """Insert an event and its field; return its key and the first id of its range."""
    last = select(events.c.first_match + events.c.matches).order_by(events.c.first_match.desc()).limit(1)
    first = int(connection.scalar(last) or 1)
    event = connection.execute(
        insert(events).values(
            tournament=number,
            game=new.game,
            options=json.dumps(new.options, sort_keys=True),
            behaviour=new.behaviour,
            definition=definition_text(new.definition),
            definition_hash=new.definition_hash,
            secret=new.secret.hex(),
            secret_hash=new.secret_hash,
            seed=new.seed,
            versions=json.dumps(new.versions, sort_keys=True),
            first_match=first,
            matches=new.matches,
            created=_now(),
        )
    ).inserted_primary_key
    assert event is not None
    _insert(connection, entrants, [_entrant(event[0], place, entrant) for place, entrant in enumerate(new.entrants)])
    return int(event[0]), first


def _entrant(event: int, place: int, entrant: EntrantRow) -> dict[str, Any]:
    return {**_values(entrant), "event_id": event, "place": place, "command": json.dumps(entrant.command)}


def _add_matches(connection: Connection, event: int, first: int, rows: Sequence[MatchRow]) -> list[int]:
    """Add what is not stored yet, and return the ids of it."""
    ids = [first + row.number for row in rows]
    stored = set(connection.scalars(select(matches.c.id).where(matches.c.id.in_(ids)))) if ids else set()
    new = [(id, row) for id, row in zip(ids, rows, strict=True) if id not in stored]
    _insert(connection, matches, [_match(id, event, row) for id, row in new])
    _insert(
        connection,
        seats,
        [{"match_id": id, "seat": n, **_values(seat)} for id, row in new for n, seat in enumerate(row.seats)],
    )
    _insert(
        connection,
        faults,
        [{"match_id": id, "place": n, **_values(fault)} for id, row in new for n, fault in enumerate(row.faults)],
    )
    _insert(connection, notes, [packed for id, row in new if row.notes for packed in _notes(id, row)])
    _insert(connection, says, [{"match_id": id, "packed": pack_says(row.says)} for id, row in new if row.says])
    return [id for id, _ in new]


def _match(id: int, event: int, row: MatchRow) -> dict[str, Any]:
    return {
        "id": id,
        "event_id": event,
        "phase": row.phase,
        "round": row.round,
        "at_table": row.table,
        "deal": row.deal,
        "rotation": row.rotation,
        "seed": row.seed,
        "behaviour": row.behaviour,
        "answers": squeeze(row.answers),
        "times": squeeze(row.times),
        "digest": row.digest,
        "duration_ms": row.duration_ms,
    }


def _notes(id: int, row: MatchRow) -> Iterator[dict[str, Any]]:
    for seat in sorted({note.seat for note in row.notes}):
        packed, truncated = pack_notes(note for note in row.notes if note.seat == seat)
        yield {"match_id": id, "seat": seat, "packed": packed, "truncated": truncated}


def _add_outputs(connection: Connection, event: int, rows: Sequence[OutputRow]) -> None:
    for row in rows:
        place = (outputs.c.event_id == event) & (outputs.c.phase == row.phase) & (outputs.c.player == row.player)
        connection.execute(delete(outputs).where(place))
    _insert(
        connection, outputs, [{**_values(row), "event_id": event, "text": squeeze(row.text.encode())} for row in rows]
    )


def _add_strains(connection: Connection, event: int, rows: Sequence[StrainRow]) -> None:
    """Add what phases suffered; where void matches are played again, a phase comes several times."""
    for row in rows:
        place = (strains.c.event_id == event) & (strains.c.phase == row.phase)
        before = connection.execute(select(strains).where(place)).first()
        connection.execute(delete(strains).where(place))
        void, lag, waited = row.void, row.lag_us, Counter(row.waited_us)
        if before is not None:
            void, lag = void + before.void, max(lag, before.lag_us)
            waited.update({int(entrant): micros for entrant, micros in json.loads(before.waited).items()})
        values = {"event_id": event, "phase": row.phase, "void": void, "lag_us": lag, "waited": json.dumps(waited)}
        connection.execute(insert(strains).values(values))


def _insert(connection: Connection, table: Table, values: Values) -> None:
    if values:
        connection.execute(insert(table), values)
