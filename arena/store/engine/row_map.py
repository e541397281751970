"""Rows of tables as values, and back: a field of a class is the column of its name, unless its map says otherwise."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Table

from arena.store.engine.blobs import compress, decompress
from arena.values.canonical_json import canonical_json
from arena.values.texts import printable

Value = TypeVar("Value")


def _same(value: Any) -> Any:
    return value


class Stored(NamedTuple):
    """How a field is stored."""

    load: Callable[..., Any] = _same
    """Returns the value of the field from those of its columns."""
    save: Callable[[Any], Any] = _same
    """Returns what its column holds from the value of the field."""
    columns: tuple[ColumnElement[Any], ...] = ()
    """Its columns; none: the one of its name. A field of several columns, or of another table, is not saved."""


JSON = Stored(json.loads)
"""A value stored as JSON, which is written elsewhere."""

TUPLE = Stored(lambda text: tuple(json.loads(text)), json.dumps)
"""A tuple stored as JSON."""

PACKED = Stored(decompress, compress)
"""Compressed bytes."""

CLEANED = Stored(printable)
"""A text without control characters, which a database from elsewhere may hold."""

DETAILS = Stored(json.loads, canonical_json)
"""The details of a decision, as canonical JSON."""


class RowMap(Generic[Value]):
    """Makes values of rows, and rows of values.

    columns: what a query selects so that its rows can be loaded; more columns may follow.
    """

    def __init__(self, make: type[Value], table: Table, **stored: Stored) -> None:
        """Map the fields of a dataclass or a named tuple.

        table: which has a column for each field that `stored` does not describe.
        """
        self._make: Callable[..., Value] = make
        names = getattr(make, "_fields", None) or [field.name for field in dataclasses.fields(make)]  # type: ignore[arg-type]
        columns: list[ColumnElement[Any]] = []
        self._loads: list[tuple[int, int, Callable[..., Any]]] = []
        self._saves: list[tuple[str, str, Callable[[Any], Any]]] = []
        for name in names:
            field = stored.get(name, Stored())
            wanted = field.columns or (table.c[name],)
            if field.load is not _same or len(wanted) > 1:
                self._loads.append((len(columns), len(columns) + len(wanted), field.load))
            if len(wanted) == 1 and getattr(wanted[0], "table", None) is table:
                self._saves.append((wanted[0].name, name, field.save))
            columns += wanted
        self._loads.reverse()  # those before keep their places
        self.columns = tuple(columns)

    def load(self, row: Sequence[Any]) -> Value:
        """Return the value of a row whose first columns are those of the map."""
        values = list(row[: len(self.columns)])
        for start, end, load in self._loads:
            values[start:end] = (load(*values[start:end]),)
        return self._make(*values)

    def values(self, value: Value) -> dict[str, Any]:
        """Return what the columns of the table hold for a value, by name."""
        return {column: save(getattr(value, name)) for column, name, save in self._saves}
