"""Turn rows of several tables into the values of `rows`.

Texts of bots are cleaned before they are stored. They are cleaned here again, as a database from elsewhere may hold
anything; clean texts do not change.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from arena.store import process_failures
from arena.store.batch_names import batches_by_event
from arena.store.blobs import decompress, unpack_notes, unpack_says
from arena.store.bot_names import names_of, shown_names_by_event
from arena.store.closed_names import load_closed_names
from arena.store.pseudonyms import ClosedNames
from arena.store.rows import (
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
from arena.store.schema import actions, closed_names, entrants, events, faults, matches, notes, outputs, says, seats
from arena.store.schema import process_failures as failure_table
from arena.store.stored_definition import StoredDefinition
from arena.texts import printable


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
    """Return the tournament of a row of `events`. closed: the names that are not shown, if they are known."""
    return TournamentRow(id=row.tournament, **_columns(connection, row, closed or load_closed_names(connection)))


def _columns(connection: Connection, row: Any, closed: ClosedNames) -> dict[str, Any]:
    field = connection.execute(select(entrants).where(entrants.c.event_id == row.id).order_by(entrants.c.place)).all()
    definition = json.loads(row.definition)
    named = names_of(connection, row.id, definition)
    names = list(map(closed.bot, named))
    earlier = (*zip([bot.name for bot in field], names, strict=True), *zip(named, names, strict=True))
    return {
        "key": row.id,
        "game": row.game,
        "options": json.loads(row.options),
        "behaviour": row.behaviour,
        "definition": StoredDefinition(definition),
        "definition_hash": row.definition_hash,
        "secret": bytes.fromhex(row.secret),
        "secret_hash": row.secret_hash,
        "seed": row.seed,
        "versions": json.loads(row.versions),
        "entrants": tuple(
            EntrantRow(printable(name, ""), tuple(json.loads(bot.command)), bot.folder, bot.sha256, bot.withdrawn)
            for name, bot in zip(names, field, strict=True)
        ),
        "first_match": row.first_match,
        "matches": row.matches,
        "created": row.created,
        "finished": row.finished,
        "entropy": row.entropy,
        "shown_names": {one: name for one, name in earlier if one != name},
        "closed": closed,
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
    query = select(outputs).where(outputs.c.event_id == row.event_id, outputs.c.phase == row.phase)
    outputs_by_player = {(output.player, output.entrant): _output(output) for output in connection.execute(query)}
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
    """Yield the records of rows of `matches`; first: the id of match 0 of their tournament."""
    ids = [row.id for row in match_rows]

    def rows_by_match(table: Any, order: Any) -> dict[int, list[Any]]:
        by_match: dict[int, list[Any]] = defaultdict(list)
        for row in connection.execute(select(table).where(table.c.match_id.in_(ids)).order_by(order)):
            by_match[row.match_id].append(row)
        return by_match

    seats_of, faults_of = rows_by_match(seats, seats.c.seat), rows_by_match(faults, faults.c.place)
    notes_of, says_of = rows_by_match(notes, notes.c.seat), rows_by_match(says, says.c.match_id)
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
            seats=tuple(
                SeatRow(seat.entrant, seat.player, seat.score, seat.rank, seat.decisions, seat.charged_us, seat.forfeit)
                for seat in seats_of[row.id]
            ),
            faults=tuple(
                FaultRow(fault.seat, fault.ply, fault.kind, printable(fault.sentence, ""), fault.forfeit)
                for fault in faults_of[row.id]
            ),
            notes=tuple(sorted(match_notes, key=lambda note: (note.ply, note.seat))),
            says=tuple(say for blob in says_of[row.id] for say in unpack_says(blob.packed)),
            standstill_ms=row.standstill_ms,
        )


def load_outputs(connection: Connection, event: int) -> Iterator[OutputRow]:
    """Yield what the processes of a tournament printed."""
    query = select(outputs).where(outputs.c.event_id == event).order_by(outputs.c.phase, outputs.c.player)
    return map(_output, connection.execute(query))


def _output(row: Any) -> OutputRow:
    text = printable(decompress(row.text).decode())
    name, version = printable(row.name, ""), printable(row.version, "")
    return OutputRow(row.phase, row.player, row.entrant, text, row.truncated, name, version)


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
    counted = (each.scalar_subquery() for each in (decisions, output_bytes, failed_bytes, noted, closed))
    query = select(events.c.id, events.c.finished, *counted)
    query = query.join_from(matches, events, events.c.id == matches.c.event_id).where(matches.c.id == id)
    row = connection.execute(query).first()
    return None if row is None else _version(row)


def _version(row: Any) -> MatchVersion:
    event, finished, decisions, output_bytes, failed_bytes, noted, closed = row
    return MatchVersion(event, decisions or 0, finished, int(output_bytes) + int(failed_bytes), int(noted), int(closed))
