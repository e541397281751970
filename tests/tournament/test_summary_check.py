"""Summaries that are not the sums of their matches are found, and made again."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ratings.integer_columns import pack_columns, unpack_columns
from arena.results import stored_tournament as module
from arena.results import summary_check
from arena.results.meetings import COLUMNS
from arena.results.stored_tournament import StoredTournament
from arena.results.summary import Summary
from arena.results.summary_check import rebuild, summary_errors
from arena.store import Store, StoreError, open_store
from arena.store.engine.blobs import compress, decompress
from arena.values.rows import VerdictRow
from tests import played
from tests.guessing import GUESSING

MATCHES = 40


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have seven matches be many."""
    monkeypatch.setattr(module, "BATCH", 7)
    monkeypatch.setattr(summary_check, "READ_MATCHES", 16)


def test_a_summary_of_another_form_is_a_sentence(store: Store) -> None:
    tournament = store.tournament(1)
    header, columns = unpack_columns(StoredTournament(store, tournament).summary.to_bytes())
    for told, kept in ((header, columns[:-COLUMNS]), ({**header, "efforts": [[0]]}, columns)):
        lot = replace(store.rating_sums(1), parts=(pack_columns(told, kept),))
        with pytest.raises(StoreError, match="arena db rebuild 1"):
            Summary.of(tournament, [lot])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        number = opened.add_tournament(played.tournament(GUESSING, bots=6, matches=50))
        rows = [played.match(GUESSING, n, bots=6, faults={0: "timeout"} if n == 3 else None) for n in range(MATCHES)]
        opened.add_matches(number, rows)
        StoredTournament.load(opened, number).summarise()
        opened.add_matches(number, [played.match(GUESSING, MATCHES, bots=6)])
        yield opened


def found(store: Store) -> list[str]:
    return list(summary_errors(StoredTournament.load(store, 1)))


def execute(store: Store, statement: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(store.file)
    rows = connection.execute(statement, values).fetchall()
    connection.commit()
    connection.close()
    return rows


def spoil(store: Store, how: Callable[[dict[str, object]], object], column: int | None = None) -> None:
    """Change the summary: its header, or the first number of one of its columns."""
    ((packed,),) = execute(store, "SELECT packed FROM summaries")
    assert isinstance(packed, bytes)
    header, columns = unpack_columns(decompress(packed))
    how(header)
    if column is not None:
        columns[column] = columns[column].copy()
        columns[column][0] += 1
    execute(store, "UPDATE summaries SET packed = ?", compress(pack_columns(header, columns)))


def nothing(_: object) -> None:
    pass


def test_summaries_that_are_the_sums_are_right(store: Store) -> None:
    assert found(store) == []


@pytest.mark.parametrize(
    ("how", "column", "told"),
    [
        (lambda header: header["efforts"][0][1].update(decisions=1), None, "decisions of a"),
        (lambda header: header.update(faults=[[4, {"timeout": 3}]]), None, "faults of d, e"),
        (nothing, 3, "results"),
        (nothing, -1, "who met whom"),
        (lambda header: header.update(played=1), None, "results"),
    ],
)
def test_what_is_not_a_sum_is_named(
    store: Store, how: Callable[[dict[str, object]], object], column: int | None, told: str
) -> None:
    spoil(store, how, column)
    (sentence,) = found(store)
    assert sentence == (
        f"its summaries are not the sums of its matches ({told}): `arena db rebuild 1` rebuilds them from the matches"
    )
    rebuild(StoredTournament.load(store, 1))
    assert found(store) == []
    assert StoredTournament.load(store, 1).summary.efforts == store.efforts(1)


def test_matches_that_are_in_no_sum_or_in_several_are_missed(store: Store) -> None:
    execute(store, "DELETE FROM loose")
    (sentence,) = found(store)
    assert "(of 40 instead of 41 matches; decisions of " in sentence
    assert store.count(1) == 40
    rebuild(StoredTournament.load(store, 1))
    assert found(store) == []
    assert store.count(1) == 41
    execute(store, "INSERT INTO loose VALUES (3)")
    assert "(of 42 instead of 41 matches; " in found(store)[0]
    execute(store, "DELETE FROM summaries")
    assert "(of 1 instead of 41 matches; " in found(store)[0]
    rebuild(StoredTournament.load(store, 1))
    assert found(store) == []


@pytest.mark.parametrize("packed", [b"", b"\x00", b"\x01xyz", b"\x00\x00\x00\x00\x02{}"])
def test_a_summary_that_cannot_be_read_is_told(store: Store, packed: bytes) -> None:
    execute(store, "UPDATE summaries SET packed = ?", packed)
    (sentence,) = found(store)
    assert "arena db rebuild" in sentence
    rebuild(StoredTournament.load(store, 1))
    assert found(store) == []


def test_an_end_that_does_not_follow_from_the_matches_is_told(store: Store) -> None:
    store.finish_tournament(1)
    store.save_verdict(1, VerdictRow(5, 20, "H1 accepted", 4))
    rebuild(StoredTournament.load(store, 1))
    assert found(store) == [
        "it is stored to have ended by H1 accepted, and by its matches nothing ended it early: `arena db rebuild 1` "
        "rebuilds them from the matches"
    ]
