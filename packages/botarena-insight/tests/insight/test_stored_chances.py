"""Stored chances to win: found by what they depend on, void with their match, and missing where they are damaged."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena_insight.stored_chances import ChancesKey, StoredChances, is_whole
from arena_insight.tables import chances as table
from sqlalchemy import inspect, select

from arena.store import Store, StoreError, open_store
from arena.store.engine.blobs import compress
from tests import played
from tests.guessing import GUESSING

KEY = ChancesKey(None, 1, "random", 64)


SEATS = len(played.match(GUESSING).seats)


def values(seed: int = 0, seat: int | None = None) -> dict[str, Any]:
    """Return chances as an analysis writes them."""
    points = [[frame, [0.5] * SEATS, [0.1] * SEATS] for frame in (0, 2)]
    swing = {"seat": 0, "from": 0, "move": 2, "before": 0.1, "after": 0.9, "error": 0.1}
    common = {"seat": seat, "policy": "random", "playouts": 64, "seed": seed, "points": points, "swings": [swing]}
    return common | {"costly": {"compared": 3, "moves": [MOVE]}}


MOVE = {"frame": 0, "seat": 0, "move": "1", "better": "2", "chance": 0.2, "better_chance": 0.4, "cost": 0.2} | {
    "error": 0.05
}


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def test_chances_are_found_by_what_they_depend_on(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    few, many, seat = values(), values() | {"playouts": 128}, values(seat=0)
    assert StoredChances(store).save(match, KEY, few)
    assert StoredChances(store).save(match, replace(KEY, playouts=128), many)
    assert StoredChances(store).save(match, replace(KEY, perspective=0), seat)
    assert StoredChances(store).find(match, KEY, 0) == few
    assert StoredChances(store).find(match, KEY, 1) is None
    assert StoredChances(store).find(match, replace(KEY, policy="other"), 0) is None
    assert StoredChances(store).best(match, None, 1) == many
    assert StoredChances(store).best(match, 0, 1) == seat
    assert StoredChances(store).best(match, 1, 1) is None
    assert StoredChances(store).best(match, None, 2) is None
    again = values(seed=7)
    assert StoredChances(store).save(match, KEY, again)
    assert (StoredChances(store).find(match, KEY, 0), StoredChances(store).find(match, KEY, 7)) == (None, again)


def test_chances_of_before_are_found_without_costly_moves(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    before = {name: value for name, value in values().items() if name != "costly"}
    assert StoredChances(store).save(match, KEY, before)
    assert StoredChances(store).best(match, None, 1) == before
    assert not is_whole(before)
    assert is_whole(values())


def test_chances_of_another_record_are_not_stored(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    other = replace(match, row=replace(match.row, digest=bytes(8)))
    assert not StoredChances(store).save(other, KEY, values())
    assert StoredChances(store).find(match, KEY, 0) is None


def test_chances_go_with_a_void_match(store: Store) -> None:
    number = store.add_tournament(played.tournament(GUESSING, matches=8))
    store.add_matches(number, [played.match(GUESSING, place) for place in (0, 1)])
    chances = StoredChances(store)
    assert all(chances.save(store.match(id), KEY, values()) for id in (1, 2))
    store.append_decision(number, "organiser", "void", {"match": 0, "replay": True})
    with pytest.raises(StoreError):
        store.match(1)
    assert chances.best(store.match(2), None, 1) == values()
    store.add_matches(number, [replace(played.match(GUESSING, 0), digest=bytes(16))])
    assert chances.best(store.match(1), None, 1) is None
    assert chances.find(store.match(1), KEY, 0) is None
    assert stored(store) == [1, 2]
    assert chances.save(store.match(2), replace(KEY, perspective=0), values(seat=0))
    assert stored(store) == [2, 2]
    assert chances.save(store.match(1), KEY, values(seed=3))
    assert chances.best(store.match(1), None, 1) == values(seed=3)


def test_those_of_a_match_that_is_not_played_again_go_when_others_are_stored(store: Store) -> None:
    number = store.add_tournament(played.tournament(GUESSING, matches=8))
    store.add_matches(number, [played.match(GUESSING, place) for place in (0, 1)])
    assert StoredChances(store).save(store.match(1), KEY, values())
    store.append_decision(number, "organiser", "void", {"match": 0, "replay": False})
    assert StoredChances(store).save(store.match(2), KEY, values())
    assert stored(store) == [2]


def stored(store: Store) -> list[int]:
    """Return the match of each row."""
    with store.read() as connection:
        return list(connection.scalars(select(table.c.match_id).order_by(table.c.match_id)))


def test_nothing_is_written_before_the_first_are_stored(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    assert StoredChances(store).best(match, None, 1) is None
    with store.read() as connection:
        assert not inspect(connection).has_table("chances")


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {"points": []},
        {"points": [[0, [0.5], [0.1]]]},
        {"points": [[2, [0.5] * SEATS, [0.1] * SEATS], [0, [0.5] * SEATS, [0.1] * SEATS]]},
        {"points": [[0, ["x"] * SEATS, [0.1] * SEATS]]},
        {"points": [[0, [float("nan")] * SEATS, [0.1] * SEATS]]},
        {"points": 7},
        {"swings": [{"seat": SEATS, "from": 0, "move": 2, "before": 0.1, "after": 0.9, "error": 0.1}]},
        {"swings": [{"seat": 0, "from": 0, "move": 1, "before": 0.1, "after": 0.9, "error": 0.1}]},
        {"swings": [{"seat": 0, "from": [], "move": 2, "before": 0.1, "after": 0.9, "error": 0.1}]},
        {"seat": SEATS},
        {"costly": {}},
        {"costly": {"compared": 3, "moves": [MOVE | {"frame": 2}]}},
        {"costly": {"compared": 3, "moves": [MOVE | {"seat": SEATS}]}},
        {"costly": {"compared": 3, "moves": [MOVE | {"better": 7}]}},
        {"costly": {"compared": 3, "moves": [MOVE | {"cost": "much"}]}},
        {"policy": 1},
        {"playouts": 0},
    ],
)
def test_damaged_values_count_as_missing(damaged: dict[str, Any], tmp_path: Path) -> None:
    changed = json.dumps({**values(), **damaged} if damaged else []).encode()
    assert _find(tmp_path / "arena.db", compress(changed)) is None


@pytest.mark.parametrize(
    "blob", [b"", b"\x00", b"\x01\xff", b"\x00\xff", b"\x00" + b"[" * 100_000], ids=lambda blob: repr(blob[:4])
)
def test_damaged_blobs_count_as_missing(blob: bytes, tmp_path: Path) -> None:
    assert _find(tmp_path / "arena.db", blob) is None


def _find(path: Path, blob: bytes) -> dict[str, Any] | None:
    """Store chances, replace their blob, and look for them."""
    with open_store(path, create=True) as store:
        match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
        assert StoredChances(store).save(match, KEY, values())
        assert StoredChances(store).find(match, KEY, 0) == values()
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE chances SET packed = ?", (blob,))
        connection.close()
        assert StoredChances(store).best(match, None, 1) is None
        return StoredChances(store).find(match, KEY, 0)
