"""The matches of a tournament as CSV and Parquet, for spreadsheets and statistics: one row per seat of each match.

Rows are read and written in parts, so that a tournament of any size takes little memory, and no transaction stays open
while a part is written.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.results.archive.errors import ArchiveError
from arena.store import Store
from arena.values.installing import how_to_install
from arena.values.rows import FAULT_KINDS
from arena.values.texts import csv_value
from referee.engine.registry import in_units

TABLE_FORMATS = ("csv", "parquet")
"""The formats of a table."""

PART = 8192
"""Matches that are read and written at a time in Parquet, which packs many rows better."""

CSV_PART = 1024
"""The same in CSV: a part is in memory until it was sent."""


class Column(NamedTuple):
    """A column of the table of results."""

    name: str
    type: str
    """The name of its Arrow type."""
    meaning: str
    varies: bool = False
    """Whether its values differ between runs of the same bots."""


COLUMNS = (
    Column("tournament", "int32", "number of the tournament"),
    Column("game", "string", "game"),
    Column("match", "int64", "number of the match in the database: arena replay MATCH"),
    Column("number", "int64", "place of the match in the schedule, from 0"),
    Column("round", "int32", "round, from 0"),
    Column("table", "int32", "table within the round, from 0"),
    Column("deal", "int64", "deal, from 0: matches of one deal have the same cards and dice"),
    Column("rotation", "int32", "rotation of the deal, from 0: which bot sits where"),
    Column("seed", "string", "match seed in hex, from which the deal follows; empty where it is withheld"),
    Column("phase", "int32", "set of processes that played the match", varies=True),
    Column("duration_ms", "int64", "time from the first question of the match to its last answer", varies=True),
    Column("standstill_ms", "int64", "how long the machine stood still meanwhile; not in duration_ms", varies=True),
    Column("seat", "int32", "seat, from 0"),
    Column("bot", "string", "bot in the seat"),
    Column("team", "int32", "team of the seat; the seat itself where everybody plays for themselves"),
    Column("score", "double", "score in the unit of the game"),
    Column("rank", "int32", "rank in the match, 1 is best; equal seats share it"),
    Column("decisions", "int32", "answers that the bot gave itself"),
    Column("time_ms", "double", "time charged to the bot for them", varies=True),
    Column("forfeit", "bool", "whether the seat ran out of strikes and was ranked last"),
    Column("counted", "bool", "whether the ranking counts the match"),
    Column("faults", "int32", "faults of the seat, of all kinds"),
    *(Column(f"faults_{kind}", "int32", f"faults of the kind {kind}") for kind in FAULT_KINDS),
)
"""The columns, in order."""


def results_csv(store: Store, number: int, *, bare: bool = False, seeds: bool = True) -> Iterator[bytes]:
    """Yield the parts of a CSV file with a heading.

    bare: leave out the columns that differ between runs of the same bots.
    seeds: whether to tell the match seeds.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns(bare)
    writer.writerow([column.name for column in columns])
    for part in _parts(store, number, columns, seeds, CSV_PART):
        writer.writerows([[_csv_value(value) for value in row] for row in part])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def results_parquet(store: Store, number: int, *, bare: bool = False, seeds: bool = True) -> Iterator[bytes]:
    """Yield the parts of a Parquet file whose fields tell their meaning; parameters as in `results_csv`.

    Raises ArchiveError at once where pyarrow is not installed.
    """
    pyarrow = load_pyarrow()
    columns = _columns(bare)
    schema = _schema(columns)

    def parts() -> Iterator[bytes]:
        sink = _Sink()
        with pyarrow.parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
            for part in _parts(store, number, columns, seeds, PART):
                writer.write_batch(_batch(part, schema))
                yield sink.take()
        yield sink.take()

    return parts()


def results_table(store: Store, number: int) -> Any:
    """Return all rows as a `pyarrow.Table` whose fields tell their meaning.

    Raises ArchiveError as `results_parquet`.
    """
    schema = _schema(COLUMNS)
    batches = [_batch(part, schema) for part in _parts(store, number, COLUMNS, True, PART)]
    return load_pyarrow().Table.from_batches(batches, schema)


def load_pyarrow() -> Any:
    """Return the module pyarrow, with its Parquet. Raises ArchiveError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ArchiveError(
            f"the table needs pyarrow, which is not installed: {how_to_install('botarena[parquet]')}; or write CSV"
        ) from None
    return pyarrow


def arrow_types() -> dict[str, Any]:
    """Return the Arrow types of columns by their names. Raises ArchiveError as `load_pyarrow`."""
    arrow = load_pyarrow()
    return {
        "int32": arrow.int32(),
        "int64": arrow.int64(),
        "double": arrow.float64(),
        "string": arrow.string(),
        "bool": arrow.bool_(),
    }


def _schema(columns: Sequence[Column]) -> Any:
    types, arrow = arrow_types(), load_pyarrow()
    return arrow.schema(
        [arrow.field(column.name, types[column.type], False, {"meaning": column.meaning}) for column in columns]
    )


def _batch(rows: Sequence[tuple[Any, ...]], schema: Any) -> Any:
    """Return rows as a record batch."""
    arrow = load_pyarrow()
    columns = zip(zip(*rows, strict=True), schema, strict=True)
    arrays = [arrow.array(values, field.type) for values, field in columns]
    return arrow.record_batch(arrays, schema=schema)


class _Sink(io.RawIOBase):
    """A file that hands on what is written to it."""

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, content: Any) -> int:
        self._written.append(bytes(content))
        self._position += len(self._written[-1])
        return len(self._written[-1])

    def take(self) -> bytes:
        """Return what was written since the last time."""
        content = b"".join(self._written)
        self._written.clear()
        return content


def _columns(bare: bool) -> Sequence[Column]:
    return [column for column in COLUMNS if not (bare and column.varies)]


def _parts(
    store: Store, number: int, columns: Sequence[Column], seeds: bool, matches: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows in parts of so many matches that hold at least one row."""
    frame = store.tournament(number)
    counted = store.counted_matches(number)
    names, game, unit = frame.names, frame.game, in_units(frame.game, 1)
    team_of = frame.definition.team_of
    chosen = [place for place, column in enumerate(COLUMNS) if column in columns]
    for start in range(0, frame.matches, matches):
        seats = store.seat_results(number, range(start, start + matches))
        if any(seat.entrant >= len(names) for seat in seats):  # bots that have entered meanwhile
            names = store.tournament(number).names
        omitted = {seat.id for seat in seats if seat.entrant in counted.omitted}
        rows = []
        for seat in seats:
            place = seat.id - frame.first_match
            row = (
                number,
                game,
                seat.id,
                place,
                seat.round,
                seat.table,
                seat.deal,
                seat.rotation,
                seat.seed.hex() if seeds else "",
                seat.phase,
                seat.duration_ms,
                seat.standstill_ms,
                seat.seat,
                names[seat.entrant],
                team_of[seat.seat] if team_of else seat.seat,
                seat.score * unit,
                seat.rank,
                seat.decisions,
                seat.charged_us / 1000,
                seat.forfeit,
                seat.id not in omitted and (counted.limit is None or place < counted.limit),
                sum(seat.faults.values()),
                *[seat.faults.get(kind, 0) for kind in FAULT_KINDS],
            )
            rows.append(tuple([row[place] for place in chosen]))
        if rows:
            yield rows


def _csv_value(value: Any) -> Any:
    """Return a value as CSV files hold it: truth as true and false, whole numbers without a fraction."""
    if isinstance(value, bool):
        return str(value).lower()
    return int(value) if isinstance(value, float) and value.is_integer() else csv_value(value)
