"""Matches as CSV and Parquet: a row for each seat, in parts, with what the records hold."""

import csv
import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from arena.results.archive import result_tables
from arena.results.archive.errors import ArchiveError
from arena.results.archive.result_tables import COLUMNS, results_csv, results_parquet
from arena.store import Store, open_store
from arena.values.installing import how_to_install
from referee.games.cambio import CAMBIO
from referee.games.coch import COCH
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")

MATCHES = 7
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A database with seven matches of Cambio, one of them with faults; the last of the schedule is missing."""
    store = open_store(tmp_path / "arena.db", create=True)
    store.add_tournament(played.tournament(COCH, matches=10))  # so that ids and numbers differ
    number = store.add_tournament(played.tournament(CAMBIO, matches=MATCHES + 1))
    faults = {3: "timeout", 4: "illegal"}
    rows = [played.match(CAMBIO, n, faults=faults if n == 5 else {}) for n in range(MATCHES)]
    store.add_matches(number, rows)
    return store


def rows_of(store: Store, number: int = 2, **how: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(results_csv(store, number, **how)).decode())))


def test_each_seat_of_each_match_has_a_row(store: Store) -> None:
    rows = rows_of(store)
    records = list(store.records(2))
    names = store.tournament(2).names
    assert list(rows[0]) == [column.name for column in COLUMNS]
    assert len(rows) == sum(len(record.seats) for record in records) == MATCHES * 4
    for place, record in enumerate(records):
        for seat, sat in enumerate(record.seats):
            row = rows[place * 4 + seat]
            told = {
                name: row[name]
                for name in ("match", "number", "deal", "rotation", "seed", "phase", "duration_ms", "standstill_ms")
            }
            assert told == {
                "match": str(11 + place),
                "number": str(record.number),
                "deal": str(record.deal),
                "rotation": str(record.rotation),
                "seed": record.seed.hex(),
                "phase": str(record.phase),
                "duration_ms": str(record.duration_ms),
                "standstill_ms": str(record.standstill_ms),
            }
            assert (row["seat"], row["bot"], row["team"]) == (str(seat), names[sat.entrant], str(seat))
            assert (row["score"], row["rank"]) == (str(sat.score), str(sat.rank))
            assert float(row["time_ms"]) == sat.charged_us / 1000
            assert row["forfeit"] == str(sat.forfeit).lower()
            mine = [fault.kind for fault in record.faults if fault.seat == seat]
            assert (row["faults"], row["faults_timeout"]) == (str(len(mine)), str(mine.count("timeout")))
    assert sum(int(row["faults_illegal"]) for row in rows) == 1


def test_names_are_no_formulas_in_csv(store: Store) -> None:
    new = played.tournament(CAMBIO, matches=1)
    first, *others = new.entrants
    number = store.add_tournament(replace(new, entrants=(replace(first, name="=1+1"), *others)))
    store.add_matches(number, [played.match(CAMBIO, 0)])
    assert rows_of(store, number)[0]["bot"] == "'=1+1"


def test_parquet_holds_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_tables, "PART", 3)
    table = pyarrow.parquet.read_table(io.BytesIO(b"".join(results_parquet(store, 2))))
    plain = [{name: str(result_tables._csv_value(value)) for name, value in row.items()} for row in table.to_pylist()]
    assert plain == rows_of(store)
    meanings = {field.name: field.metadata[b"meaning"].decode() for field in table.schema}
    assert meanings == {column.name: column.meaning for column in COLUMNS}


def test_parts_are_of_a_few_matches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_tables, "PART", 3)
    monkeypatch.setattr(result_tables, "CSV_PART", 3)
    parts = list(results_csv(store, 2))
    assert [part.count(b"\n") for part in parts] == [1 + 3 * 4, 3 * 4, 4, 0]
    metadata = pyarrow.parquet.read_metadata(io.BytesIO(b"".join(results_parquet(store, 2))))
    assert [metadata.row_group(place).num_rows for place in range(metadata.num_row_groups)] == [12, 12, 4]


def test_bare_tables_are_without_what_differs_between_runs(store: Store) -> None:
    left = {column.name for column in COLUMNS if column.varies}
    assert left == {"phase", "duration_ms", "standstill_ms", "time_ms"}
    assert [*rows_of(store, bare=True)[0]] == [column.name for column in COLUMNS if column.name not in left]
    assert b"time_ms" not in b"".join(results_parquet(store, 2, bare=True))


def test_seeds_are_withheld(store: Store) -> None:
    assert {row["seed"] for row in rows_of(store, seeds=False)} == {""}


def test_matches_that_the_ranking_omits_are_marked(store: Store) -> None:
    assert {row["counted"] for row in rows_of(store)} == {"true"}
    place = store.tournament(2).names.index("b")
    store.append_decision(2, "Ada", "withdraw", {"place": place, "results": "omit"}, "it cheated")
    rows = rows_of(store)
    met = {row["match"] for row in rows if row["bot"] == "b"}
    assert met
    assert {row["match"] for row in rows if row["counted"] == "false"} == met


def test_scores_are_in_the_unit_of_the_game_and_teams_are_told(tmp_path: Path) -> None:
    store = open_store(tmp_path / "coch.db", create=True)
    number = store.add_tournament(played.planned(played.tournament(COCH, matches=1), team_of=[0, 1, 0, 1]))
    match = played.match(COCH)
    store.add_matches(number, [match])
    rows = rows_of(store, number)
    assert [row["team"] for row in rows] == ["0", "1", "0", "1"]
    assert [float(row["score"]) for row in rows] == [seat.score / 2 for seat in match.seats]


def test_an_empty_tournament_has_a_heading(tmp_path: Path) -> None:
    store = open_store(tmp_path / "empty.db", create=True)
    store.add_tournament(played.tournament(CAMBIO))
    assert b"".join(results_csv(store, 1)).decode().split() == [",".join(column.name for column in COLUMNS)]
    assert pyarrow.parquet.read_table(io.BytesIO(b"".join(results_parquet(store, 1)))).num_rows == 0


def test_without_pyarrow_there_is_a_sentence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArchiveError, match=re.escape(f"not installed: {how_to_install('botarena[parquet]')}")):
        results_parquet(store, 2)


def test_every_column_is_documented() -> None:
    page = (ROOT / "docs/organising.md").read_text()
    for column in COLUMNS:
        if not column.name.startswith("faults_"):
            assert f"| `{column.name}` | {column.meaning}" in page, column.name
