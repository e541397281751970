"""Processes of bots that failed: one row for each, whether or not a match was found guilty of it."""

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.blobs import compress, decompress
from arena.store.failure_rows import ListedProcessFailure, ProcessFailureRow
from arena.store.schema import entrants, events, process_failures

Opening = Callable[[], AbstractContextManager[Connection]]

MAX_DETAILED = 1000
"""Failures of one bot in one tournament that are stored with matches and output; later ones are stored without."""


class ProcessFailures:
    """What a database knows of process failures; got from `Store.process_failures`."""

    def __init__(self, reading: Opening) -> None:
        self._reading = reading

    def counts(self, tournament: int) -> dict[int, dict[str, int]]:
        """Return the failures of each entrant of a tournament that has any: kind to count."""
        wanted = (
            select(process_failures.c.entrant, process_failures.c.kind, func.count())
            .join_from(process_failures, events, events.c.id == process_failures.c.event_id)
            .where(events.c.tournament == tournament)
            .group_by(process_failures.c.entrant, process_failures.c.kind)
            .order_by(process_failures.c.entrant, process_failures.c.kind)
        )
        counts: dict[int, dict[str, int]] = {}
        with self._reading() as connection:
            for entrant, kind, count in connection.execute(wanted):
                counts.setdefault(entrant, {})[kind] = count
        return counts

    def count(self, *, tournament: int | None = None, bots: Collection[str] | None = None) -> int:
        """Return how many failures `listed` returns without a limit."""
        wanted = select(func.count()).select_from(_wanted(tournament, bots).subquery())
        with self._reading() as connection:
            return connection.scalar(wanted) or 0

    def listed(
        self,
        *,
        tournament: int | None = None,
        bots: Collection[str] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[ListedProcessFailure]:
        """Return failures, the newest first, at most `limit` of them.

        tournament: only those of that number. bots: only those of bots of these names. before: only those before that
        time, as `ProcessFailureRow.time_us`.
        """
        wanted = _wanted(tournament, bots)
        if before is not None:
            wanted = wanted.where(process_failures.c.time_us < before)
        order = (process_failures.c.time_us, process_failures.c.event_id, process_failures.c.phase)
        wanted = wanted.order_by(*(column.desc() for column in order), process_failures.c.player).limit(limit)
        with self._reading() as connection:
            return [
                ListedProcessFailure(row.tournament, row.finished is not None, row.name, row.first_match, _row(row))
                for row in connection.execute(wanted)
            ]

    def of(self, tournament: int) -> list[ProcessFailureRow]:
        """Return the failures of a tournament by phase, player and time."""
        with self._reading() as connection:
            event = connection.scalar(select(events.c.id).where(events.c.tournament == tournament))
            return _rows(connection, process_failures.c.event_id == event)


def add(connection: Connection, event: int, rows: Sequence[ProcessFailureRow]) -> None:
    """Add failures to an event; one that is there already stays as it is."""
    if not rows:
        return
    of_it = process_failures.c.event_id == event
    key = (process_failures.c.phase, process_failures.c.player, process_failures.c.time_us)
    among = process_failures.c.phase.in_({row.phase for row in rows})
    known = {tuple(found) for found in connection.execute(select(*key).where(of_it, among))}
    entrant = process_failures.c.entrant
    found = connection.execute(select(entrant, func.count().label("number")).where(of_it).group_by(entrant))
    counts: dict[int, int] = {row.entrant: row.number for row in found}
    values = []
    for row in rows:
        if (row.phase, row.player, row.time_us) not in known:
            known.add((row.phase, row.player, row.time_us))
            counts[row.entrant] = counts.get(row.entrant, 0) + 1
            values.append({"event_id": event, **_values(row, detailed=counts[row.entrant] <= MAX_DETAILED)})
    if values:
        connection.execute(insert(process_failures), values)


def of_match(connection: Connection, event: int, phase: int, number: int | None) -> tuple[ProcessFailureRow, ...]:
    """Return the failures of a phase's processes with a question of a match open. number: None for all failures."""
    found = _rows(connection, (process_failures.c.event_id == event) & (process_failures.c.phase == phase))
    return tuple(row for row in found if number is None or number in row.matches)


def last_phase(connection: Connection, event: int) -> int:
    """Return the highest number of a phase in which a process failed; -1 where there is none."""
    last = select(func.max(process_failures.c.phase)).where(process_failures.c.event_id == event)
    found = connection.scalar(last)
    return -1 if found is None else int(found)


def _wanted(tournament: int | None, bots: Collection[str] | None) -> Select[Any]:
    """Return the question for failures, with number and first match of their tournament and the name of the bot."""
    found: Select[Any] = select(
        process_failures, events.c.tournament, events.c.finished, events.c.first_match, entrants.c.name
    )
    found = found.join_from(process_failures, events, events.c.id == process_failures.c.event_id).join(
        entrants,
        (entrants.c.event_id == process_failures.c.event_id) & (entrants.c.place == process_failures.c.entrant),
    )
    if tournament is not None:
        found = found.where(events.c.tournament == tournament)
    if bots is not None:
        found = found.where(entrants.c.name.in_(bots))
    return found


def _rows(connection: Connection, of_them: ColumnElement[bool]) -> list[ProcessFailureRow]:
    order = (process_failures.c.phase, process_failures.c.player, process_failures.c.time_us)
    return list(map(_row, connection.execute(select(process_failures).where(of_them).order_by(*order))))


def _row(row: Any) -> ProcessFailureRow:
    return ProcessFailureRow(
        phase=row.phase,
        player=row.player,
        entrant=row.entrant,
        time_us=row.time_us,
        kind=row.kind,
        sentence=row.sentence,
        exit_code=row.exit_code,
        signal=row.signal,
        matches=tuple(json.loads(row.matches)),
        guilty=row.guilty,
        output=decompress(row.output).decode(),
        truncated=row.truncated,
    )


def _values(row: ProcessFailureRow, *, detailed: bool) -> dict[str, Any]:
    return {
        "phase": row.phase,
        "player": row.player,
        "time_us": row.time_us,
        "entrant": row.entrant,
        "kind": row.kind,
        "sentence": row.sentence,
        "exit_code": row.exit_code,
        "signal": row.signal,
        "matches": json.dumps(row.matches if detailed else (), separators=(",", ":")),
        "guilty": row.guilty,
        "output": compress(row.output.encode() if detailed else b""),
        "truncated": row.truncated or (bool(row.output) and not detailed),
    }
