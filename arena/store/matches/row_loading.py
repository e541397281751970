"""Turn rows of several tables into the values of `rows`.

Texts of bots are cleaned before they are stored. They are cleaned here again, as a database from elsewhere may hold
anything; clean texts do not change.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, func, select

from arena.store.engine.blobs import compress, decompress, unpack_notes, unpack_says
from arena.store.engine.row_map import TUPLE, RowMap, Stored
from arena.store.engine.schema import (
    actions,
    closed_names,
    entrants,
    events,
    faults,
    matches,
    notes,
    outputs,
    says,
    seats,
)
from arena.store.engine.schema import process_failures as failure_table
from arena.store.matches import process_failures
from arena.store.matches.batch_names import batches_by_event
from arena.store.matches.bot_names import shown_names_by_event
from arena.store.people.closed_names import load_closed_names
from arena.values.pseudonyms import ClosedNames
from arena.values.rows import (
    BatchEventRow,
    EntrantRow,
    FaultRow,
    ListedMatch,
    LogEnd,
    MatchRow,
    MatchVersion,
    OutputRow,
    SeatRow,
    SingleMatchRow,
    StoredMatch,
    TournamentRow,
)
from arena.values.texts import printable

ENTRANT = RowMap(EntrantRow, entrants, command=TUPLE)
SEAT = RowMap(SeatRow, seats)
FAULT = RowMap(FaultRow, faults, sentence=Stored(partial(printable, keep="")))
OUTPUT = RowMap(
    OutputRow,
    outputs,
    text=Stored(lambda packed: printable(decompress(packed).decode()), lambda text: compress(text.encode())),
    name=Stored(partial(printable, keep="")),
    version=Stored(partial(printable, keep="")),
)


def list_matches(connection: Connection, match_rows: Sequence[Any]) -> Iterator[ListedMatch]:
    """Yield the lines of a list for rows of (id, deal, tournament, game)."""
    ids = [row.id for row in match_rows]
    seats_of_match: dict[int, list[Any]] = defaultdict(list)
    seat_query = (
        select(seats.c.match_id, seats.c.score, seats.c.rank, seats.c.entrant, matches.c.event_id)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(seats.c.match_id.in_(ids))
        .order_by(seats.c.match_id, seats.c.seat)
    )
    for row in connection.execute(seat_query):
        seats_of_match[row.match_id].append(row)
    names = shown_names_by_event(connection, {row.event_id for found in seats_of_match.values() for row in found})
    batch_of = batches_by_event(connection, names) if any(row.tournament is None for row in match_rows) else {}
    fault_kinds: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    fault_query = select(faults.c.match_id, faults.c.seat, faults.c.kind).where(faults.c.match_id.in_(ids))
    for id, number, kind in connection.execute(fault_query):
        fault_kinds[id, number][kind] += 1
    for row in match_rows:
        match_seats = seats_of_match[row.id]
        yield ListedMatch(
            row.id,
            row.tournament,
            row.game,
            row.deal,
            tuple(printable(names[seat.event_id][seat.entrant], "") for seat in match_seats),
            tuple(seat.score for seat in match_seats),
            tuple(seat.rank for seat in match_seats),
            tuple(dict(sorted(fault_kinds[row.id, number].items())) for number in range(len(match_seats))),
            batch_of.get(match_seats[0].event_id) if row.tournament is None and match_seats else None,
        )


def load_event(connection: Connection, row: Any) -> TournamentRow | SingleMatchRow | BatchEventRow:
    """Return the event of a row of `events`."""
    if row.tournament is not None:
        return load_tournament(connection, row)
    batch = batches_by_event(connection, [row.id]).get(row.id)
    columns = _columns(connection, row, load_closed_names(connection))
    return SingleMatchRow(**columns) if batch is None else BatchEventRow(league=batch[0], batch=batch[1], **columns)


def load_tournament(connection: Connection, row: Any, closed: ClosedNames | None = None) -> TournamentRow:
    """Return the tournament of a row of `events`.

    closed: the names that are not shown, if they are known.
    """
    return TournamentRow(id=row.tournament, **_columns(connection, row, closed or load_closed_names(connection)))


def _columns(connection: Connection, row: Any, closed: ClosedNames) -> dict[str, Any]:
    bots = select(*ENTRANT.columns).where(entrants.c.event_id == row.id).order_by(entrants.c.place)
    field = list(map(ENTRANT.load, connection.execute(bots)))
    names = [closed.bot(bot.name) for bot in field]
    defined = closed.definition(row.definition)
    return {
        "key": row.id,
        "game": row.game,
        "options": json.loads(row.options),
        "behaviour": row.behaviour,
        "definition_text": defined,
        "signed_text": None if defined == row.definition else row.definition,
        "definition_hash": row.definition_hash,
        "secret": bytes.fromhex(row.secret),
        "secret_hash": row.secret_hash,
        "seed": row.seed,
        "versions": json.loads(row.versions),
        "entrants": tuple(
            replace(bot, name=printable(name, ""), withdrawn=bot.withdrawn and closed.text(bot.withdrawn))
            for name, bot in zip(names, field, strict=True)
        ),
        "first_match": row.first_match,
        "matches": row.matches,
        "created": row.created,
        "finished": row.finished,
        "entropy": row.entropy,
        "shown_names": {bot.name: name for bot, name in zip(field, names, strict=True) if bot.name != name},
        "log_end": LogEnd(row.log_entries, row.log_digest),
        "extended_rounds": _extended_rounds(connection, row.id),
    }


def _extended_rounds(connection: Connection, event: int) -> int | None:
    """Return the rounds of the last decision to extend a tournament; None without one."""
    extensions = select(actions.c.details).where(actions.c.event_id == event, actions.c.kind == "extend")
    details = connection.scalar(extensions.order_by(actions.c.number.desc()).limit(1))
    return None if details is None else int(json.loads(details)["rounds"])


def load_match(connection: Connection, row: Any) -> StoredMatch:
    """Return the match of a row of `matches`, with its event, outputs and process failures."""
    event = load_event(connection, connection.execute(select(events).where(events.c.id == row.event_id)).one())
    (record,) = load_records(connection, [row], event.first_match)
    query = select(*OUTPUT.columns).where(outputs.c.event_id == row.event_id, outputs.c.phase == row.phase)
    printed = map(OUTPUT.load, connection.execute(query))
    outputs_by_player = {(output.player, output.entrant): output for output in printed}
    truncated = select(notes.c.seat).where(notes.c.match_id == row.id, notes.c.truncated)
    return StoredMatch(
        id=row.id,
        event=event,
        row=record,
        truncated_notes=frozenset(connection.scalars(truncated)),
        outputs={
            number: outputs_by_player[seat.player, seat.entrant]
            for number, seat in enumerate(record.seats)
            if (seat.player, seat.entrant) in outputs_by_player
        },
        failures=process_failures.of_match(
            connection, row.event_id, row.phase, None if isinstance(event, SingleMatchRow) else record.number
        ),
    )


def load_records(connection: Connection, match_rows: Sequence[Any], first: int) -> Iterator[MatchRow]:
    """Yield the records of rows of `matches`.

    first: the id of match 0 of their tournament.
    """
    ids = [row.id for row in match_rows]

    def rows_by_match(columns: Iterable[Any], id: Any, order: Any) -> dict[int, list[Any]]:
        by_match: dict[int, list[Any]] = defaultdict(list)
        for row in connection.execute(select(*columns, id).where(id.in_(ids)).order_by(order)):
            by_match[row[-1]].append(row)
        return by_match

    seats_of = rows_by_match(SEAT.columns, seats.c.match_id, seats.c.seat)
    faults_of = rows_by_match(FAULT.columns, faults.c.match_id, faults.c.place)
    notes_of = rows_by_match((notes.c.packed, notes.c.seat), notes.c.match_id, notes.c.seat)
    says_of = rows_by_match((says.c.packed,), says.c.match_id, says.c.match_id)
    for row in match_rows:
        match_notes = [note for blob in notes_of[row.id] for note in unpack_notes(blob.packed, blob.seat)]
        yield MatchRow(
            number=row.id - first,
            phase=row.phase,
            round=row.round,
            table=row.at_table,
            deal=row.deal,
            rotation=row.rotation,
            seed=row.seed,
            behaviour=row.behaviour,
            answers=decompress(row.answers),
            times=decompress(row.times),
            digest=row.digest,
            duration_ms=row.duration_ms,
            seats=tuple(map(SEAT.load, seats_of[row.id])),
            faults=tuple(map(FAULT.load, faults_of[row.id])),
            notes=tuple(sorted(match_notes, key=lambda note: (note.ply, note.seat))),
            says=tuple(say for blob in says_of[row.id] for say in unpack_says(blob.packed)),
            standstill_ms=row.standstill_ms,
        )


def load_outputs(connection: Connection, event: int) -> Iterator[OutputRow]:
    """Yield what the processes of a tournament printed."""
    query = select(*OUTPUT.columns).where(outputs.c.event_id == event).order_by(outputs.c.phase, outputs.c.player)
    return map(OUTPUT.load, connection.execute(query))


def load_match_version(connection: Connection, id: int) -> MatchVersion | None:
    """Return the cache key of a match; None if there is no such match."""
    decisions: Any = select(func.max(actions.c.number)).where(actions.c.event_id == matches.c.event_id)
    output_bytes: Any = select(func.coalesce(func.sum(func.length(outputs.c.text)), 0)).where(
        outputs.c.event_id == matches.c.event_id, outputs.c.phase == matches.c.phase
    )
    failed_bytes: Any = select(func.coalesce(func.sum(func.length(failure_table.c.output)), 0)).where(
        failure_table.c.event_id == matches.c.event_id, failure_table.c.phase == matches.c.phase
    )
    noted: Any = select(func.count()).where(notes.c.match_id == matches.c.id)
    closed: Any = select(func.count()).select_from(closed_names)
    counted = (part.scalar_subquery() for part in (decisions, output_bytes, failed_bytes, noted, closed))
    query = select(events.c.id, events.c.finished, *counted)
    query = query.join_from(matches, events, events.c.id == matches.c.event_id).where(matches.c.id == id)
    row = connection.execute(query).first()
    return None if row is None else _version(row)


def _version(row: Any) -> MatchVersion:
    event, finished, decisions, output_bytes, failed_bytes, noted, closed = row
    return MatchVersion(event, decisions or 0, finished, int(output_bytes) + int(failed_bytes), int(noted), int(closed))
