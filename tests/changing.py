"""Changes every value of a database, one by one, to see which changes a verification finds."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import LargeBinary, Table

from arena.cli.database import database_faults
from arena.store import Store, StoreError, StoreUnavailable, open_store
from arena.store.engine.blobs import compress, decompress
from arena.values.errors import ArenaError
from referee.engine.errors import EngineError

Verify = Callable[[Store], Iterable[str]]
"""Yields what is wrong with a database."""


class Change(NamedTuple):
    """A statement that changes one row."""

    column: str
    """The column that is changed, as table.column; for a row that is deleted, its first key. Those of void matches,
    which have negative ids, are called "void matches.round" and so on.
    """
    statement: str
    values: tuple[Any, ...]


def changes(connection: sqlite3.Connection, table: Table) -> Iterator[Change]:
    """Yield changes of each column of a table, and the deletion of a row. It must have rows."""
    key = [column.name for column in table.primary_key.columns]
    where = " AND ".join(f"{name} = ?" for name in key)
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    rows = cursor.execute(f"SELECT * FROM {table.name}").fetchall()
    assert rows, f"{table.name} has no rows, so no change of its columns is looked at"
    for column in table.columns:
        of_column = [row for row in rows if row[column.name] is not None]
        others = [None] if column.nullable and of_column else []
        for row, takes in _rows_to_change(of_column or rows):
            for value in (*_others(column, row[column.name])[takes], *others):
                if value != row[column.name]:
                    statement = f"UPDATE {table.name} SET {column.name} = ? WHERE {where}"
                    void = "void " if row[key[0]] < 0 else ""
                    keys = [row[name] for name in key]
                    yield Change(f"{void}{table.name}.{column.name}", statement, (value, *keys))
    last = tuple(rows[-1][name] for name in key)
    yield Change(f"{table.name}.{key[0]}", f"DELETE FROM {table.name} WHERE {where}", last)


def _rows_to_change(rows: Sequence[sqlite3.Row]) -> list[tuple[sqlite3.Row, slice]]:
    """Return the first and the last row, each with which of the other values of a column it gets.

    The first one gets the nearest value, the last one the farthest; a row that is both gets all.
    """
    first, last = rows[0], rows[-1]
    return [(first, slice(None))] if tuple(first) == tuple(last) else [(first, slice(1)), (last, slice(-1, None))]


def findings(store: Store, verify: Verify) -> list[str]:
    """Return the sentences that a user sees of a verification.

    Raises what would be a traceback: an exception that is none of ours, where no value of the database is invalid.
    Raises StoreUnavailable where the database cannot be used now, which says nothing of its values.
    """
    try:
        return list(verify(store))
    except StoreUnavailable:
        raise
    except (ArenaError, EngineError) as error:
        return [str(error)]
    except Exception:
        fault = next(iter(database_faults(store.where)), None)
        if fault is None:
            raise
        return [fault]


def unfound(whole: Path, folder: Path, table: Table, verify: Verify, unverified: Collection[str]) -> list[Change]:
    """Return the changes of a table that a verification does not find, and that it does not say it cannot find.

    folder: for the copy that is changed.
    unverified: the columns that it says it cannot verify.
    """
    left = []
    path = folder / "changed.db"
    with closing(sqlite3.connect(whole)) as source, closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA synchronous = OFF")
        with open_store(path) as store:
            for change in changes(source, table):
                if change.column in unverified:
                    continue
                source.backup(copy)
                try:
                    with copy:
                        assert copy.execute(change.statement, change.values).rowcount == 1, change
                except sqlite3.IntegrityError:  # there is such a row already
                    continue
                try:
                    found = findings(store, verify)
                except Exception as error:
                    error.add_note(f"after {change}")
                    raise
                if not found:
                    left.append(change)
            source.backup(copy)
            assert findings(store, verify) == []  # nothing of one change is left with the next
    return left


def _others(column: Any, value: Any) -> list[Any]:
    """Return other values that a column could have."""
    if isinstance(column.type, LargeBinary):
        return [_other_bytes(value or b"")]
    kind = column.type.python_type
    if kind is bool:
        return [not value]
    if kind in (int, float):
        return [(value or 0) + 1, (value or 0) + 1000]
    return [_other_text(value or "")]


def _other_bytes(value: bytes) -> bytes:
    try:
        content = decompress(value)
    except StoreError:
        return value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"
    return compress(content[:-1] + bytes([content[-1] ^ 1]) if content else b"x")


def _other_text(value: str) -> str:
    """Return a text of the same kind: a JSON value, a time, hex digits or words."""
    try:
        decoded = json.loads(value)
    except ValueError:
        decoded = None
    if isinstance(decoded, dict):
        return json.dumps(decoded | {"another": "1"}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if isinstance(decoded, list):
        return json.dumps([*decoded[:-1], *([decoded[-1] + decoded[-1]] if decoded else [1])])
    if value[:2] == "20" and value[4:5] == "-":
        return f"2019{value[4:]}"
    if len(value) == 64 and value[-1:] in "0123456789abcdef":
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return f"{value}x"
