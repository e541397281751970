"""Whether the values of a database are valid: each has its type, and refers to something that exists.

SQLite holds any value in any column, and a file may be damaged or forged. Checking every value at every use would slow
down sound databases, so `arena db check` does it, and the command line after a command has failed over a database
(`arena.cli.database`).
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import BigInteger, Boolean, Connection, Float, Integer, LargeBinary, Table, func, select
from sqlalchemy.dialects import postgresql

from arena.errors import ArenaError
from arena.ratings.integer_columns import unpack_columns
from arena.store.blobs import decompress, unpack_notes, unpack_says
from arena.store.league_rows import Final
from arena.store.rows import FAULT_KINDS
from arena.store.schema import (
    actions,
    chances,
    entrants,
    entries,
    events,
    faults,
    matches,
    metadata,
    notes,
    outputs,
    says,
    seasons,
    seats,
    strains,
    submissions,
    summaries,
    voids,
)
from arena.tournament.plan.decisions import is_valid_entry
from arena.tournament.plan.definition import Definition
from referee.sandbox.grants import read_grants

MOST = 20
"""Problems that are reported."""

_TYPES = {
    Boolean: ("integer", "whether"),
    Integer: ("integer", "a whole number"),
    Float: ("real", "a number"),
    LargeBinary: ("blob", "bytes"),
}

_SERVER = postgresql.dialect()  # type: ignore[no-untyped-call]
"""Says which columns hold numbers beyond 31 bits; in SQLite all of them can."""

_NARROWER = {seats.c.score: 2**31 - 1, matches.c.duration_ms: 2**32 - 1, matches.c.standstill_ms: 2**32 - 1}
"""Columns that hold less than their type can, and the most they hold: as the messages they come from."""

Rule = Callable[[Any], object]
"""Raises an error, or returns False, for an invalid value."""


def invalid_values(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each invalid value, with its place; at most `MOST`."""
    yield from islice(_problems(connection), MOST)


def _problems(connection: Connection) -> Iterator[str]:
    for check in (_wrong_types, _wrong_numbers, _wrong_values, _wrong_places):
        is_valid = True
        for problem in check(connection):
            is_valid = False
            yield problem
        if not is_valid:  # the next checks rely on this one
            return


def _wrong_types(connection: Connection) -> Iterator[str]:
    """Yield the columns that hold a value of another type; servers check this themselves."""
    if connection.dialect.name != "sqlite":
        return
    for table in metadata.sorted_tables:
        for column in table.columns:
            base: type = type(column.type)
            kind, name = next((named for known, named in _TYPES.items() if issubclass(base, known)), ("text", "a text"))
            allowed = [kind, "null"] if column.nullable else [kind]
            found = connection.execute(
                select(*_key(table), func.typeof(column)).where(func.typeof(column).not_in(allowed)).limit(1)
            ).first()
            if found is not None:
                yield f"{_place(table, found)}: {column.name} is {found[-1]}, not {name}"


def _wrong_numbers(connection: Connection) -> Iterator[str]:
    """Yield the columns that hold a number that is too large, or a negative count."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if not isinstance(column.type, Integer) or column.name in ("match_id", "id"):
                continue
            is_long = isinstance(column.type.dialect_impl(_SERVER), BigInteger)
            most = _NARROWER.get(column, 2**53 if is_long else 2**31 - 1)
            least = -most if column.name == "score" else 0
            found = connection.execute(
                select(*_key(table), column).where((column < least) | (column > most)).limit(1)
            ).first()
            if found is not None:
                yield f"{_place(table, found)}: {column.name} cannot be {found[-1]}"


def _wrong_values(connection: Connection) -> Iterator[str]:
    """Yield the values that have the right type and no meaning."""
    for table, rules in _RULES.items():
        wanted = select(*_key(table), *(table.c[name] for name in rules))
        for row in connection.execute(wanted):
            for at, (name, rule) in enumerate(rules.items(), len(_key(table))):
                if row[at] is not None and (problem := _broken(rule, row[at])) is not None:
                    yield f"{_place(table, row)}: {name} {problem}"
    for row in connection.execute(select(actions)):
        if (problem := _broken(partial(_is_complete_decision, row.kind), row.details)) is not None:
            yield f"{_place(actions, row)}: details {problem}"


def _wrong_places(connection: Connection) -> Iterator[str]:
    """Yield whatever refers to a bot, a match, a seat or an entry of the log that does not exist."""
    fields = dict.fromkeys(connection.scalars(select(events.c.id)), 0)
    for event, place in connection.execute(select(entrants.c.event_id, entrants.c.place).order_by(*_key(entrants))):
        if fields.get(event) != place:
            yield f"entrants of event {event}: place {place} is not the next one"
            return
        fields[event] = place + 1
    for event, bots in fields.items():
        yield from _wrong_in_event(connection, event, bots)
    decided = select(actions.c.number).where(
        actions.c.event_id == voids.c.event_id, actions.c.number == voids.c.action, actions.c.kind == "void"
    )
    undecided = select(voids.c.event_id, voids.c.action).where(~decided.correlate(voids).exists())
    for event, action in connection.execute(undecided):
        yield f"voids {event}, {action}: the log has no such entry"
    yield from _wrong_seats(connection)


def _wrong_in_event(connection: Connection, event: int, bots: int) -> Iterator[str]:
    """Yield the wrong references within one event. bots: the size of its field."""
    row = connection.execute(select(events).where(events.c.id == event)).one()
    defined = len(json.loads(row.definition).get("field", []))
    if defined > bots:
        yield f"events {event}: its definition has {defined} bots, but its field has {bots}"
    in_event = matches.c.event_id == event
    end = row.first_match + row.matches
    beyond = (matches.c.id > 0) & ((matches.c.id < row.first_match) | (matches.c.id >= end))
    if (lost := connection.scalar(select(matches.c.id).where(in_event, beyond).limit(1))) is not None:
        yield f"matches {lost}: its id is beyond those of its tournament"
    sat = select(seats.c.match_id).join(matches, matches.c.id == seats.c.match_id).where(in_event)
    if (lost := connection.scalar(sat.where(seats.c.entrant >= bots).limit(1))) is not None:
        yield f"seats of match {lost}: a bot sits there that is not in the field"
    printed = select(outputs.c.phase).where(outputs.c.event_id == event, outputs.c.entrant >= bots)
    if (phase := connection.scalar(printed.limit(1))) is not None:
        yield f"outputs {event}, {phase}: they belong to a bot that is not in the field"
    for number, details in connection.execute(
        select(actions.c.number, actions.c.details).where(actions.c.event_id == event)
    ):
        if json.loads(details).get("place", 0) not in range(bots):
            yield f"actions {event}, {number}: it names a bot that is not in the field"
    if row.tournament is not None:
        alone = sat.group_by(seats.c.match_id).having(func.count() < 2).limit(1)
        if (lost := connection.scalar(alone)) is not None:
            yield f"seats of match {lost}: a single bot sat there"


def _wrong_seats(connection: Connection) -> Iterator[str]:
    """Yield the matches whose seats are not numbered from 0, and rows of seats that do not exist."""
    sat = select(seats.c.match_id, func.count(), func.min(seats.c.seat), func.max(seats.c.seat))
    for match, count, low, high in connection.execute(sat.group_by(seats.c.match_id)):
        if low != 0 or high != count - 1:
            yield f"seats of match {match}: they are {count}, numbered {low} to {high}"
    unseated = select(matches.c.id).where(matches.c.id.not_in(select(seats.c.match_id)))
    if (lost := connection.scalar(unseated.limit(1))) is not None:
        yield f"matches {lost}: nobody sat there"
    for table in (faults, notes):
        there = select(seats.c.seat).where(seats.c.match_id == table.c.match_id, seats.c.seat == table.c.seat)
        gone = select(table.c.match_id).where(~there.correlate(table).exists())
        if (lost := connection.scalar(gone.limit(1))) is not None:
            yield f"{table.name} of match {lost}: they belong to a seat that does not exist"


def _key(table: Table) -> list[Any]:
    return list(table.primary_key.columns)


def _place(table: Table, row: Any) -> str:
    return f"{table.name} {', '.join(str(row[at]) for at in range(len(_key(table))))}"


def _broken(rule: Rule, value: Any) -> str | None:
    """Return what is wrong with a value; None if it is valid."""
    try:
        return None if rule(value) is not False else f"cannot be {_quoted(value)}"
    except ArenaError as error:
        return f"cannot be read ({error})"
    except Exception as error:  # any error of a rule means that the value is invalid
        return f"cannot be {_quoted(value)} ({type(error).__name__})"


def _quoted(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _object(of: type | tuple[type, ...] = object) -> Rule:
    def rule(text: str) -> bool:
        values = json.loads(text)
        return isinstance(values, dict) and all(isinstance(value, of) for value in values.values())

    return rule


def _texts(text: str) -> bool:
    values = json.loads(text)
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _grants(text: str) -> bool:
    values = json.loads(text)
    is_typed = {"words": list, "secrets": list, "later": bool} == {name: type(value) for name, value in values.items()}
    has_names = is_typed and all(isinstance(variable, str) for variable in values["secrets"])
    return has_names and bool(read_grants(values["words"]).texts or values["secrets"])


def _definition(text: str) -> bool:
    """Return whether a definition can be one of arena's; of older ones less is known."""
    values = json.loads(text)
    if not isinstance(values, dict) or not isinstance(values.get("field", []), list):
        return False
    numbers = ("rounds", "seats", "block", "matches_at_once", "behaviour", "challengers", "stages", "hash_version")
    are_valid = all(type(values.get(name, 0)) is int and 0 <= values.get(name, 0) < 2**31 for name in numbers)
    if not are_valid or not all(isinstance(seat, int) for seat in values.get("team_of") or ()):
        return False
    if "schedule_version" in values:
        Definition.from_json(values)
    return True


def _hex(length: int) -> Rule:
    return lambda text: len(text) == length and bytes.fromhex(text)


def _is_complete_decision(kind: str, details: str) -> bool:
    return is_valid_entry(kind, json.loads(details))


def _waits(text: str) -> bool:
    return all(int(place) >= 0 and isinstance(micros, int) for place, micros in json.loads(text).items())


def _utf8(blob: bytes) -> object:
    return decompress(blob).decode()


_RULES: dict[Table, dict[str, Rule]] = {
    events: {
        "options": _object(str),
        "definition": _definition,
        "secret": _hex(64),
        "seed": int,
        "versions": _object(str),
        "created": datetime.fromisoformat,
        "finished": datetime.fromisoformat,
    },
    entrants: {"command": _texts},
    entries: {"grants": _grants},
    seasons: {"final": lambda text: Final.from_json(json.loads(text)) is not None},
    matches: {
        "answers": decompress,
        "times": decompress,
        "deal": (2**31).__gt__,
    },
    faults: {"kind": FAULT_KINDS.__contains__},
    notes: {"packed": lambda blob: unpack_notes(blob, 0) is not None},
    chances: {"packed": lambda blob: _object()(decompress(blob).decode())},
    says: {"packed": lambda blob: unpack_says(blob) is not None},
    outputs: {"text": _utf8},
    strains: {"waited": _waits},
    summaries: {"packed": lambda blob: bool(unpack_columns(decompress(blob)))},
    submissions: {"manifest": _object(), "report": _object()},
}
