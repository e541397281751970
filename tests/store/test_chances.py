"""Stored chances to win: found by what they depend on, and gone with their match."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.store import Store, open_store
from arena.store.chances import ChancesKey
from tests import played
from tests.guessing import GUESSING

KEY = ChancesKey(None, 1, "random", 64)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def test_chances_are_found_by_what_they_depend_on(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    few, many, seat = ({"seed": 0, "points": [number]} for number in range(3))
    assert store.chances.save(match, KEY, few)
    assert store.chances.save(match, replace(KEY, playouts=128), many)
    assert store.chances.save(match, replace(KEY, perspective=0), seat)
    assert store.chances.find(match.id, KEY, 0) == few
    assert store.chances.find(match.id, KEY, 1) is None
    assert store.chances.find(match.id, replace(KEY, policy="other"), 0) is None
    assert store.chances.best(match.id, None, 1) == many
    assert store.chances.best(match.id, 0, 1) == seat
    assert store.chances.best(match.id, 1, 1) is None
    assert store.chances.best(match.id, None, 2) is None
    again = {"seed": 7, "points": []}
    assert store.chances.save(match, KEY, again)
    assert (store.chances.find(match.id, KEY, 0), store.chances.find(match.id, KEY, 7)) == (None, again)


def test_chances_of_another_record_are_not_stored(store: Store) -> None:
    match = store.match(store.add_single(played.tournament(GUESSING, matches=1), played.match(GUESSING)))
    other = replace(match, row=replace(match.row, digest=bytes(8)))
    assert not store.chances.save(other, KEY, {"seed": 0})
    assert store.chances.find(match.id, KEY, 0) is None


def test_chances_go_with_a_void_match(store: Store) -> None:
    number = store.add_tournament(played.tournament(GUESSING, matches=8))
    store.add_matches(number, [played.match(GUESSING, 0)])
    match = store.match(1)
    assert store.chances.save(match, KEY, {"seed": 0})
    store.append_decision(number, "organiser", "void", {"match": 0, "replay": True})
    store.add_matches(number, [played.match(GUESSING, 0)])
    assert store.chances.best(match.id, None, 1) is None
