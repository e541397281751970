"""Versions for practice alone: stored, left out where bots play, let enter later."""

from collections.abc import Iterator

import pytest

from arena.packs.roster import Roster
from arena.store import Store, open_store
from arena.store.people.submissions import PackRow, StaysInPractice, SubmissionRow

MANIFEST = {"games": ["cambio"], "language": "python"}


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def add(store: Store, files: str, *, practice_only: bool = False) -> SubmissionRow:
    pack = PackRow(files * 64, files.encode(), 1, 1)
    return store.submissions.add("club/owl", pack, pack, MANIFEST, {}, "2026-01-01", practice_only=practice_only)


def test_they_are_left_out_where_bots_play(store: Store) -> None:
    add(store, "a")
    practising = add(store, "b", practice_only=True)
    assert (practising.version, practising.practice_only) == (2, True)
    assert [row.version for row in store.submissions.all()] == [1]
    assert [row.version for row in store.submissions.all(practice=True)] == [1, 2]
    assert [row.version for row in store.submissions.newest()] == [1]
    assert [row.version for row in store.submissions.shown_versions("club/owl")] == [1]
    assert [row.version for row in store.submissions.shown_versions("club/owl", practice=True)] == [1, 2]
    found = Roster(store.where, store.submissions.all()).find("club/owl")
    assert found is not None
    assert found.version == 1


def test_one_that_is_let_enter_is_received_at_that_moment(store: Store) -> None:
    add(store, "a")
    add(store, "b", practice_only=True)
    before = store.submissions.state()
    store.submissions.let_enter("club/owl", 2)
    [row] = store.submissions.newest()
    assert (row.version, row.practice_only) == (2, False)
    assert row.received > "2026-01-01", "it was practising while the deadline passed"
    assert store.submissions.state() != before, "leagues look again"


def test_what_may_not_enter_says_why(store: Store) -> None:
    add(store, "a")
    add(store, "b", practice_only=True)
    add(store, "c")
    add(store, "d", practice_only=True)
    store.submissions.retire("club/owl", [4])
    for version, why in ((1, "is no version for"), (2, "owl@3 is newer"), (4, "is retired"), (9, "is no version for")):
        with pytest.raises(StaysInPractice, match=why):
            store.submissions.let_enter("club/owl", version)
    assert [row.version for row in store.submissions.newest()] == [3]
