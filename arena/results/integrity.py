"""Whether the values of a database are valid: each has its type, and refers to something that exists.

SQLite holds any value in any column, and a file may be damaged or forged. Checking every value at every use would slow
down sound databases, so `arena db check` does it, and the command line after a command has failed over a database
(`arena.cli.database`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    func,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql

from arena.plan.decisions import is_valid_entry
from arena.ratings.integer_columns import unpack_columns
from arena.store.engine.blobs import decompress, unpack_notes, unpack_says
from arena.store.engine.schema import (
    actions,
    entrants,
    events,
    faults,
    matches,
    metadata,
    notes,
    outputs,
    says,
    seats,
    strains,
    submissions,
    summaries,
    voids,
)
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.rows import FAULT_KINDS

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


class Log(NamedTuple):
    """A log of decisions, with the rule for their details by their kind."""

    table: Table
    is_complete: Callable[[str, str], object]


class Rules(NamedTuple):
    """What the values of some tables must be, beyond their types."""

    columns: Mapping[Table, Mapping[str, Rule]]
    """The rules of columns, by name."""
    log: Log


def invalid_values(connection: Connection, *more: Rules) -> Iterator[str]:
    """Yield a sentence for each invalid value, with its place; at most `MOST`.

    more: the rules of other rooms for their tables.
    """
    yield from islice(_problems(connection, (TOURNAMENTS, *more)), MOST)


def _problems(connection: Connection, rules: Sequence[Rules]) -> Iterator[str]:
    for check in (_wrong_types, _wrong_numbers, partial(_wrong_values, rules=rules), _wrong_places):
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
        wrong = {column.name: func.typeof(column).not_in(_types(column)[0]) for column in table.columns}
        for column, row in _found(connection, table, wrong, {name: func.typeof(table.c[name]) for name in wrong}):
            yield f"{_place(table, row)}: {column} is {row[-1]}, not {_types(table.c[column])[1]}"


def _types(column: Column[Any]) -> tuple[list[str], str]:
    """Return SQLite's names of the types that a column may hold, and what a value of it is called."""
    base: type = type(column.type)
    kind, name = next((named for known, named in _TYPES.items() if issubclass(base, known)), ("text", "a text"))
    return ([kind, "null"] if column.nullable else [kind]), name


def _wrong_numbers(connection: Connection) -> Iterator[str]:
    """Yield the columns that hold a number that is too large, or a negative count."""
    for table in metadata.sorted_tables:
        wrong: dict[str, ColumnElement[bool]] = {}
        for column in table.columns:
            if not isinstance(column.type, Integer) or column.name in ("match_id", "id"):
                continue
            is_long = isinstance(column.type.dialect_impl(_SERVER), BigInteger)
            most = _NARROWER.get(column, 2**53 if is_long else 2**31 - 1)
            least = -most if column.name == "score" else 0
            wrong[column.name] = (column < least) | (column > most)
        for name, row in _found(connection, table, wrong, {name: table.c[name] for name in wrong}):
            yield f"{_place(table, row)}: {name} cannot be {row[-1]}"


def _found(
    connection: Connection,
    table: Table,
    wrong: Mapping[str, ColumnElement[bool]],
    shown: Mapping[str, ColumnElement[Any]],
) -> Iterator[tuple[str, Any]]:
    """Yield the columns in which something is wrong, each with the first row of it: its key, and what is to be shown.

    A table in which nothing is wrong is read once for all its columns.

    wrong: the condition of each column.
    """
    if not wrong or connection.execute(select(*_key(table)).where(or_(*wrong.values())).limit(1)).first() is None:
        return
    for column, condition in wrong.items():
        row = connection.execute(select(*_key(table), shown[column]).where(condition).limit(1)).first()
        if row is not None:
            yield column, row


def _wrong_values(connection: Connection, rules: Sequence[Rules]) -> Iterator[str]:
    """Yield the values that have the right type and no meaning."""
    for table, columns in chain.from_iterable(part.columns.items() for part in rules):
        wanted = select(*_key(table), *(table.c[name] for name in columns))
        for row in connection.execute(wanted):
            for at, (name, rule) in enumerate(columns.items(), len(_key(table))):
                if row[at] is not None and (problem := _broken(rule, row[at])) is not None:
                    yield f"{_place(table, row)}: {name} {problem}"
    for log, is_complete in (part.log for part in rules):
        for row in connection.execute(select(log)):
            if (problem := _broken(partial(is_complete, row.kind), row.details)) is not None:
                yield f"{_place(log, row)}: details {problem}"


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
    """Yield the wrong references within one event.

    bots: the size of its field.
    """
    row = connection.execute(select(events).where(events.c.id == event)).one()
    defined = len(json.loads(row.definition)["field"])
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


def json_object(of: type | tuple[type, ...] = object) -> Rule:
    """Return the rule of columns that hold a JSON object whose values have a type."""

    def rule(text: str) -> bool:
        values = json.loads(text)
        return isinstance(values, dict) and all(isinstance(value, of) for value in values.values())

    return rule


def _texts(text: str) -> bool:
    values = json.loads(text)
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _definition(text: str) -> bool:
    """Return whether a definition can be one of arena's."""
    values = Definition.from_json(json.loads(text))
    numbers = (values.rounds, values.seats, values.block, values.matches_at_once, values.behaviour, values.challengers,
               values.stages)  # fmt: skip
    return all(0 <= number < 2**31 for number in numbers)


def hex_text(length: int) -> Rule:
    """Return the rule of columns that hold so many hexadecimal digits."""
    return lambda text: len(text) == length and bytes.fromhex(text)


def _is_complete_decision(kind: str, details: str) -> bool:
    return is_valid_entry(kind, json.loads(details))


def _waits(text: str) -> bool:
    return all(int(place) >= 0 and isinstance(micros, int) for place, micros in json.loads(text).items())


def _utf8(blob: bytes) -> object:
    return decompress(blob).decode()


_COLUMNS: dict[Table, dict[str, Rule]] = {
    events: {
        "options": json_object(str),
        "definition": _definition,
        "secret": hex_text(64),
        "seed": int,
        "versions": json_object(str),
        "created": datetime.fromisoformat,
        "finished": datetime.fromisoformat,
    },
    entrants: {"command": _texts},
    matches: {
        "answers": decompress,
        "times": decompress,
        "deal": (2**31).__gt__,
    },
    faults: {"kind": FAULT_KINDS.__contains__},
    notes: {"packed": lambda blob: unpack_notes(blob, 0) is not None},
    says: {"packed": lambda blob: unpack_says(blob) is not None},
    outputs: {"text": _utf8},
    strains: {"waited": _waits},
    summaries: {"packed": lambda blob: bool(unpack_columns(decompress(blob)))},
    submissions: {"manifest": json_object(), "report": json_object()},
}

TOURNAMENTS = Rules(_COLUMNS, Log(actions, _is_complete_decision))
"""The rules for tournaments, matches and submissions."""
