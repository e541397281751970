"""Tables of Arrow: what pandas, polars, DuckDB and others take without a copy, and none of them is needed here."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from arena.results.archive.result_tables import arrow_types, load_pyarrow

Frame: TypeAlias = Any
"""A `pyarrow.Table`. pyarrow has no types, and is an extra."""


def make_frame(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> Frame:
    """Return rows as a table.

    columns: names, with the names of their Arrow types; all may be null.

    Raises ArchiveError where pyarrow is not installed.
    """
    pyarrow = load_pyarrow()
    types = arrow_types()
    schema = pyarrow.schema([pyarrow.field(name, types[type_name]) for name, type_name in columns.items()])
    return pyarrow.Table.from_pylist(rows, schema)
