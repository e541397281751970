"""Failed processes of bots: one row for each, whether or not it is attributed to a match."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, Select, false, func, insert, or_, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.blobs import compress, decompress
from arena.store.engine.connection import OpenConnection
from arena.store.engine.row_map import TUPLE, RowMap, Stored
from arena.store.engine.schema import entrants, events, process_failures
from arena.store.matches import practice_ids
from arena.store.matches.batch_names import batches_by_event
from arena.store.matches.bot_names import played_as, shown_names_by_event
from arena.store.matches.hidden_results import HiddenResults, is_shown
from arena.values.failure_rows import ListedProcessFailure, ProcessFailureRow

_FAILURE = RowMap(
    ProcessFailureRow,
    process_failures,
    matches=Stored(TUPLE.load, partial(json.dumps, separators=(",", ":"))),
    output=Stored(lambda packed: decompress(packed).decode(), lambda text: compress(text.encode())),
)

MAX_DETAILED = 1000
"""Failures of one bot in one tournament that are stored with matches and output; later ones are stored without."""


class ProcessFailures:
    """The process failures of a database, as `Store.process_failures`.

    hidden: returns the results of leagues that are left out of lists.
    """

    def __init__(self, read: OpenConnection, hidden: Callable[[Connection], Sequence[HiddenResults]]) -> None:
        self._read = read
        self._hidden = hidden

    def counts(self, tournament: int) -> dict[int, dict[str, int]]:
        """Return the failures of each entrant of a tournament that has any: kind to count."""
        query = (
            select(process_failures.c.entrant, process_failures.c.kind, func.count())
            .join_from(process_failures, events, events.c.id == process_failures.c.event_id)
            .where(events.c.tournament == tournament)
            .group_by(process_failures.c.entrant, process_failures.c.kind)
            .order_by(process_failures.c.entrant, process_failures.c.kind)
        )
        counts: dict[int, dict[str, int]] = {}
        with self._read() as connection:
            for entrant, kind, count in connection.execute(query):
                counts.setdefault(entrant, {})[kind] = count
        return counts

    def count(
        self, *, tournament: int | None = None, bots: Collection[str] | None = None, practice: int | None = None
    ) -> int:
        """Return how many failures `listed` returns without a limit."""
        with self._read() as connection:
            hidden = self._hidden(connection)
            failures = _select_listed(connection, tournament, bots, practice, hidden).subquery()
            return connection.scalar(select(func.count()).select_from(failures)) or 0

    def listed(
        self,
        *,
        tournament: int | None = None,
        bots: Collection[str] | None = None,
        before: int | None = None,
        limit: int | None = None,
        practice: int | None = None,
    ) -> list[ListedProcessFailure]:
        """Return failures, the newest first, at most `limit` of them.

        tournament: only those of that tournament.
        bots: only those of bots of these names.
        before: only those before that time, as `ProcessFailureRow.time_us`.
        practice: only those of the practice league of that id; None: those of no such league.
        """
        order = (process_failures.c.time_us, process_failures.c.event_id, process_failures.c.phase)
        with self._read() as connection:
            query = _select_listed(connection, tournament, bots, practice, self._hidden(connection))
            if before is not None:
                query = query.where(process_failures.c.time_us < before)
            query = query.order_by(*(column.desc() for column in order), process_failures.c.player).limit(limit)
            rows = connection.execute(query).all()
            names = shown_names_by_event(connection, {row.event_id for row in rows})
            batch_of = batches_by_event(connection, names)
            return [
                ListedProcessFailure(
                    row.tournament,
                    row.finished is not None,
                    names[row.event_id][row.entrant],
                    row.first_match,
                    _FAILURE.load(row),
                    batch_of.get(row.event_id),
                )
                for row in rows
            ]

    def of(self, tournament: int) -> list[ProcessFailureRow]:
        """Return the failures of a tournament by phase, player and time."""
        with self._read() as connection:
            event = connection.scalar(select(events.c.id).where(events.c.tournament == tournament))
            return _rows(connection, process_failures.c.event_id == event)


def add(connection: Connection, event: int, rows: Sequence[ProcessFailureRow]) -> None:
    """Add failures to an event, except those that are stored already."""
    if not rows:
        return
    of_event = process_failures.c.event_id == event
    key = (process_failures.c.phase, process_failures.c.player, process_failures.c.time_us)
    in_phases = process_failures.c.phase.in_({row.phase for row in rows})
    stored = {tuple(row) for row in connection.execute(select(*key).where(of_event, in_phases))}
    entrant = process_failures.c.entrant
    totals = connection.execute(select(entrant, func.count().label("number")).where(of_event).group_by(entrant))
    counts: dict[int, int] = {row.entrant: row.number for row in totals}
    values = []
    for row in rows:
        if (row.phase, row.player, row.time_us) not in stored:
            stored.add((row.phase, row.player, row.time_us))
            counts[row.entrant] = counts.get(row.entrant, 0) + 1
            if counts[row.entrant] > MAX_DETAILED:
                row = replace(row, matches=(), output="", truncated=row.truncated or bool(row.output))
            values.append({"event_id": event, **_FAILURE.values(row)})
    if values:
        connection.execute(insert(process_failures), values)


def of_match(connection: Connection, event: int, phase: int, number: int | None) -> tuple[ProcessFailureRow, ...]:
    """Return the failures of a phase.

    number: only those of processes with a question of this match open; None: all.
    """
    rows = _rows(connection, (process_failures.c.event_id == event) & (process_failures.c.phase == phase))
    return tuple(row for row in rows if number is None or number in row.matches)


def last_phase(connection: Connection, event: int) -> int:
    """Return the highest number of a phase in which a process failed; -1 if there is none."""
    query = select(func.max(process_failures.c.phase)).where(process_failures.c.event_id == event)
    phase = connection.scalar(query)
    return -1 if phase is None else int(phase)


def _select_listed(
    connection: Connection,
    tournament: int | None,
    bots: Collection[str] | None,
    practice: int | None,
    hidden: Sequence[HiddenResults],
) -> Select[Any]:
    """Return the query for failures, with number and first match of their tournament."""
    query: Select[Any] = select(
        *_FAILURE.columns,
        process_failures.c.event_id,
        events.c.tournament,
        events.c.finished,
        events.c.first_match,
    )
    query = query.join_from(process_failures, events, events.c.id == process_failures.c.event_id).join(
        entrants,
        (entrants.c.event_id == process_failures.c.event_id) & (entrants.c.place == process_failures.c.entrant),
    )
    ids = range(practice_ids.FIRST) if practice is None else practice_ids.ids_of(practice)
    query = query.where(events.c.first_match.between(ids.start, ids.stop - 1))
    if tournament is not None:
        query = query.where(events.c.tournament == tournament)
    if bots is not None:
        query = query.where(or_(false(), *(played_as(connection, bot) for bot in bots)))
    return query.where(is_shown(hidden, process_failures.c.event_id)) if hidden else query


def _rows(connection: Connection, condition: ColumnElement[bool]) -> list[ProcessFailureRow]:
    order = (process_failures.c.phase, process_failures.c.player, process_failures.c.time_us)
    return list(map(_FAILURE.load, connection.execute(select(*_FAILURE.columns).where(condition).order_by(*order))))
