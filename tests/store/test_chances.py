"""Stored chances to win: found by what they depend on, gone with their match, and missing where they are damaged."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store, open_store
from arena.store.blobs import compress
from arena.store.chances import ChancesKey
from tests import played
from tests.guessing import GUESSING

KEY = ChancesKey(None, 1, "random", 64)


SEATS = len(played.match(GUESSING).seats)


def values(seed: int = 0, seat: int | None = None) -> dict[str, Any]:
    """Return chances as an analysis writes them."""
    points = [[frame, [0.5] * SEATS, [0.1] * SEATS] for frame in (0, 2)]
    swing = {"seat": 0, "from": 0, "move": 2, "before": 0.1, "after": 0.9, "error": 0.1}
    return {"seat": seat, "policy": "random", "playouts": 64, "seed": seed, "points": points, "swings": [swing]}


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def test_chances_are_found_by_what_they_depend_on(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    few, many, seat = values(), values() | {"playouts": 128}, values(seat=0)
    assert store.chances.save(match, KEY, few)
    assert store.chances.save(match, replace(KEY, playouts=128), many)
    assert store.chances.save(match, replace(KEY, perspective=0), seat)
    assert store.chances.find(match, KEY, 0) == few
    assert store.chances.find(match, KEY, 1) is None
    assert store.chances.find(match, replace(KEY, policy="other"), 0) is None
    assert store.chances.best(match, None, 1) == many
    assert store.chances.best(match, 0, 1) == seat
    assert store.chances.best(match, 1, 1) is None
    assert store.chances.best(match, None, 2) is None
    again = values(seed=7)
    assert store.chances.save(match, KEY, again)
    assert (store.chances.find(match, KEY, 0), store.chances.find(match, KEY, 7)) == (None, again)


def test_chances_of_another_record_are_not_stored(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    other = replace(match, row=replace(match.row, digest=bytes(8)))
    assert not store.chances.save(other, KEY, values())
    assert store.chances.find(match, KEY, 0) is None


def test_chances_go_with_a_void_match(store: Store) -> None:
    number = store.add_tournament(played.tournament(GUESSING, matches=8))
    store.add_matches(number, [played.match(GUESSING, 0)])
    match = store.match(1)
    assert store.chances.save(match, KEY, values())
    store.append_decision(number, "organiser", "void", {"match": 0, "replay": True})
    store.add_matches(number, [played.match(GUESSING, 0)])
    assert store.chances.best(match, None, 1) is None


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
        assert store.chances.save(match, KEY, values())
        assert store.chances.find(match, KEY, 0) == values()
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE chances SET packed = ?", (blob,))
        connection.close()
        assert store.chances.best(match, None, 1) is None
        return store.chances.find(match, KEY, 0)
