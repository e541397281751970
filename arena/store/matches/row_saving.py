"""Turn the values of `rows` into rows of several tables; the inverse of `row_loading`."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from arena.store.engine.blobs import compress, pack_notes, pack_says
from arena.store.engine.errors import StoreError
from arena.store.engine.schema import entrants, events, faults, matches, notes, outputs, says, seats, strains, voids
from arena.store.matches import decision_log, practice_ids
from arena.store.matches.row_loading import ENTRANT, FAULT, OUTPUT, SEAT
from arena.store.people.closed_names import hide_bots
from arena.values.rows import ContentionRow, EntrantRow, MatchRow, NewEvent, OutputRow, utc_now

Values = list[dict[str, Any]]


EXTENSION_ROOM = 4
"""A tournament that may end early may grow to this multiple of its matches: the ids after it stay free."""


def extend_event(connection: Connection, event: int, matches: int) -> bool:
    """Reserve ids for more matches of a tournament; return False where those of a later event are in the way."""
    first = connection.scalar(select(events.c.first_match).where(events.c.id == event))
    later = connection.scalar(select(func.min(events.c.first_match)).where(events.c.first_match > first))
    if first is None or (later is not None and first + matches > later):
        return False
    connection.execute(update(events).where(events.c.id == event).values(matches=matches))
    return True


def add_event(
    connection: Connection, new: NewEvent, number: int | None, ids: range = range(1, practice_ids.FIRST)
) -> tuple[int, int]:
    """Insert an event and its field; return its key and the first id of its range.

    ids: among which its matches have theirs.

    Raises StoreError if too few of these are left.
    """
    query = select(events.c.first_match, events.c.matches, events.c.definition)
    query = query.where(events.c.first_match.between(ids.start, ids.stop - 1))
    last = connection.execute(query.order_by(events.c.first_match.desc()).limit(1)).first()
    room = 1 if last is None or not json.loads(last.definition).get("stop") else EXTENSION_ROOM
    first = ids.start if last is None else last.first_match + last.matches * room
    if first + new.matches > ids.stop:
        raise StoreError("too few ids are left for further matches")
    event = connection.execute(
        insert(events).values(
            tournament=number,
            game=new.game,
            options=json.dumps(new.options, sort_keys=True),
            behaviour=new.behaviour,
            definition=new.definition_text,
            definition_hash=new.definition_hash,
            secret=new.secret.hex(),
            secret_hash=new.secret_hash,
            seed=new.seed,
            versions=json.dumps(new.versions, sort_keys=True),
            first_match=first,
            matches=new.matches,
            created=utc_now(),
        )
    ).inserted_primary_key
    assert event is not None
    add_entrants(connection, event[0], new.entrants)
    return int(event[0]), first


def add_entrants(connection: Connection, event: int, rows: Sequence[EntrantRow], first: int = 0) -> None:
    """Add bots to the field of an event, from the place `first` on."""
    hide_bots(connection, [row.name for row in rows])
    _insert(
        connection,
        entrants,
        [{**ENTRANT.values(row), "event_id": event, "place": place} for place, row in enumerate(rows, first)],
    )


def add_matches(connection: Connection, event: int, first: int, rows: Sequence[MatchRow]) -> list[int]:
    """Add the matches that are not stored yet, and return their ids."""
    ids = [first + row.number for row in rows]
    stored = set(connection.scalars(select(matches.c.id).where(matches.c.id.in_(ids)))) if ids else set()
    new = [(id, row) for id, row in zip(ids, rows, strict=True) if id not in stored]
    _insert(connection, matches, [_match(id, event, row) for id, row in new])
    _insert(
        connection,
        seats,
        [{"match_id": id, "seat": n, **SEAT.values(seat)} for id, row in new for n, seat in enumerate(row.seats)],
    )
    _insert(
        connection,
        faults,
        [{"match_id": id, "place": n, **FAULT.values(fault)} for id, row in new for n, fault in enumerate(row.faults)],
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
        "answers": compress(row.answers),
        "times": compress(row.times),
        "digest": row.digest,
        "duration_ms": row.duration_ms,
        "standstill_ms": row.standstill_ms,
    }


def _notes(id: int, row: MatchRow) -> Iterator[dict[str, Any]]:
    for seat in sorted({note.seat for note in row.notes}):
        packed, truncated = pack_notes(note for note in row.notes if note.seat == seat)
        yield {"match_id": id, "seat": seat, "packed": packed, "truncated": truncated}


def add_outputs(connection: Connection, event: int, rows: Sequence[OutputRow]) -> None:
    """Add what processes printed; a later output of the same player of a phase replaces the earlier."""
    rows = [*{(row.phase, row.player): row for row in rows}.values()]  # a phase may end twice within a transaction
    for row in rows:
        of_player = (outputs.c.event_id == event) & (outputs.c.phase == row.phase) & (outputs.c.player == row.player)
        connection.execute(delete(outputs).where(of_player))
    _insert(connection, outputs, [{**OUTPUT.values(row), "event_id": event} for row in rows])


def add_contention(connection: Connection, event: int, rows: Sequence[ContentionRow]) -> None:
    """Add the CPU contention of phases. A phase of which void matches are played again is added several times."""
    for row in rows:
        of_phase = (strains.c.event_id == event) & (strains.c.phase == row.phase)
        stored = connection.execute(select(strains).where(of_phase)).first()
        connection.execute(delete(strains).where(of_phase))
        void, lag, waited = row.void, row.lag_us, Counter(row.waited_us)
        if stored is not None:
            void, lag = void + stored.void, max(lag, stored.lag_us)
            waited.update({int(entrant): micros for entrant, micros in json.loads(stored.waited).items()})
        values = {"event_id": event, "phase": row.phase, "void": void, "lag_us": lag, "waited": json.dumps(waited)}
        connection.execute(insert(strains).values(values))


def find_imported(connection: Connection, new: NewEvent, created: str) -> tuple[int, int] | None:
    """Return the number and the key of a tournament that is stored already; None if it is not.

    created: when it began; "" if unknown, so that it cannot be identified.
    """
    if not created:
        return None
    is_same = (
        events.c.tournament.is_not(None)
        & (events.c.definition_hash == new.definition_hash)
        & (events.c.secret_hash == new.secret_hash)
        & (events.c.created == created)  # not the number of matches: a tournament may have been extended
    )
    row = connection.execute(select(events.c.tournament, events.c.id).where(is_same).order_by(events.c.id)).first()
    return None if row is None else (row.tournament, row.id)


def add_void_match(connection: Connection, event: int, action: int, row: MatchRow) -> None:
    """Add a match that the log entry `action` made void, unless it is stored already."""
    stored = select(voids.c.match_id).where(voids.c.event_id == event, voids.c.action == action)
    if connection.scalar(stored) is not None:
        return
    void_id = decision_log.free_id(connection)
    add_matches(connection, event, void_id - row.number, [row])
    connection.execute(insert(voids).values(event_id=event, action=action, match_id=void_id))


def _insert(connection: Connection, table: Table, values: Values) -> None:
    if values:
        connection.execute(insert(table), values)
