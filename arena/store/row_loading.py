"""Rows of several tables put together to the values of `rows`.

What bots said was cleaned before it was stored. Nobody knows that of a database that somebody else made, so their texts
are cleaned here once more, which changes nothing where it was done.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from arena.store import process_failures
from arena.store.blobs import decompress, unpack_notes, unpack_says
from arena.store.rows import (
    EntrantRow,
    FaultRow,
    ListedMatch,
    MatchRow,
    MatchVersion,
    OutputRow,
    SeatRow,
    SingleMatchRow,
    StoredMatch,
    TournamentRow,
)
from arena.store.schema import actions, entrants, events, faults, matches, notes, outputs, says, seats
from arena.store.stored_definition import StoredDefinition
from arena.texts import printable


def list_matches(connection: Connection, found: Sequence[Any]) -> Iterator[ListedMatch]:
    """Yield the lines of a list for rows of (id, deal, tournament, game)."""
    ids = [row.id for row in found]
    at_seats: dict[int, list[Any]] = defaultdict(list)
    seated = (
        select(seats.c.match_id, seats.c.score, seats.c.rank, entrants.c.name)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .join(entrants, (entrants.c.event_id == matches.c.event_id) & (entrants.c.place == seats.c.entrant))
        .where(seats.c.match_id.in_(ids))
        .order_by(seats.c.match_id, seats.c.seat)
    )
    for row in connection.execute(seated):
        at_seats[row.match_id].append(row)
    kinds: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    failed = select(faults.c.match_id, faults.c.seat, faults.c.kind).where(faults.c.match_id.in_(ids))
    for id, place, kind in connection.execute(failed):
        kinds[id, place][kind] += 1
    for row in found:
        sat = at_seats[row.id]
        yield ListedMatch(
            row.id,
            row.tournament,
            row.game,
            row.deal,
            tuple(printable(seat.name, "") for seat in sat),
            tuple(seat.score for seat in sat),
            tuple(seat.rank for seat in sat),
            tuple(dict(sorted(kinds[row.id, place].items())) for place in range(len(sat))),
        )


def load_event(connection: Connection, row: Any) -> TournamentRow | SingleMatchRow:
    """Return the event that a row of `events` holds."""
    return SingleMatchRow(**_columns(connection, row)) if row.tournament is None else load_tournament(connection, row)


def load_tournament(connection: Connection, row: Any) -> TournamentRow:
    """Return the tournament that a row of `events` holds."""
    return TournamentRow(id=row.tournament, **_columns(connection, row))


def _columns(connection: Connection, row: Any) -> dict[str, Any]:
    field = select(entrants).where(entrants.c.event_id == row.id).order_by(entrants.c.place)
    return {
        "key": row.id,
        "game": row.game,
        "options": json.loads(row.options),
        "behaviour": row.behaviour,
        "definition": StoredDefinition(json.loads(row.definition)),
        "definition_hash": row.definition_hash,
        "secret": bytes.fromhex(row.secret),
        "secret_hash": row.secret_hash,
        "seed": row.seed,
        "versions": json.loads(row.versions),
        "entrants": tuple(
            EntrantRow(
                printable(each.name, ""), tuple(json.loads(each.command)), each.folder, each.sha256, each.withdrawn
            )
            for each in connection.execute(field)
        ),
        "first_match": row.first_match,
        "matches": row.matches,
        "created": row.created,
        "finished": row.finished,
        "entropy": row.entropy,
    }


def load_match(connection: Connection, row: Any) -> StoredMatch:
    """Return the match that a row of `matches` holds, with all that belongs to it."""
    event = load_event(connection, connection.execute(select(events).where(events.c.id == row.event_id)).one())
    (record,) = load_records(connection, [row], event.first_match)
    wanted = select(outputs).where(outputs.c.event_id == row.event_id, outputs.c.phase == row.phase)
    left = {(each.player, each.entrant): _output(each) for each in connection.execute(wanted)}
    cut = select(notes.c.seat).where(notes.c.match_id == row.id, notes.c.truncated)
    return StoredMatch(
        id=row.id,
        event=event,
        row=record,
        cut=frozenset(connection.scalars(cut)),
        outputs={
            seat: left[each.player, each.entrant]
            for seat, each in enumerate(record.seats)
            if (each.player, each.entrant) in left
        },
        failures=process_failures.of_match(
            connection, row.event_id, row.phase, record.number if isinstance(event, TournamentRow) else None
        ),
    )


def load_records(connection: Connection, found: Sequence[Any], first: int) -> Iterator[MatchRow]:
    """Yield the records of rows of `matches`; first: the id of match 0 of their tournament."""
    ids = [row.id for row in found]

    def of(table: Any, order: Any) -> dict[int, list[Any]]:
        by_match: dict[int, list[Any]] = defaultdict(list)
        for each in connection.execute(select(table).where(table.c.match_id.in_(ids)).order_by(order)):
            by_match[each.match_id].append(each)
        return by_match

    sat, failed = of(seats, seats.c.seat), of(faults, faults.c.place)
    noted, heard = of(notes, notes.c.seat), of(says, says.c.match_id)
    for row in found:
        spoken = [note for each in noted[row.id] for note in unpack_notes(each.packed, each.seat)]
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
                SeatRow(each.entrant, each.player, each.score, each.rank, each.decisions, each.charged_us, each.forfeit)
                for each in sat[row.id]
            ),
            faults=tuple(
                FaultRow(each.seat, each.ply, each.kind, printable(each.sentence, ""), each.forfeit)
                for each in failed[row.id]
            ),
            notes=tuple(sorted(spoken, key=lambda note: (note.ply, note.seat))),
            says=tuple(say for each in heard[row.id] for say in unpack_says(each.packed)),
        )


def load_outputs(connection: Connection, event: int) -> Iterator[OutputRow]:
    """Yield what the processes of a tournament printed."""
    wanted = select(outputs).where(outputs.c.event_id == event).order_by(outputs.c.phase, outputs.c.player)
    return map(_output, connection.execute(wanted))


def _output(row: Any) -> OutputRow:
    text = printable(decompress(row.text).decode())
    name, version = printable(row.name, ""), printable(row.version, "")
    return OutputRow(row.phase, row.player, row.entrant, text, row.truncated, name, version)


def load_match_version(connection: Connection, id: int) -> MatchVersion | None:
    """Return the cache key of a match; None where there is no such match."""
    decided: Any = select(func.max(actions.c.number)).where(actions.c.event_id == matches.c.event_id)
    left: Any = select(func.coalesce(func.sum(func.length(outputs.c.text)), 0)).where(
        outputs.c.event_id == matches.c.event_id, outputs.c.phase == matches.c.phase
    )
    wanted = select(events.c.id, events.c.finished, decided.scalar_subquery(), left.scalar_subquery())
    wanted = wanted.join_from(matches, events, events.c.id == matches.c.event_id).where(matches.c.id == id)
    found = connection.execute(wanted).first()
    return None if found is None else MatchVersion(found[0], found[2] or 0, found[1], int(found[3]))
