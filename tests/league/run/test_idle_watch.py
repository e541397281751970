"""Looks at the database that a run spares as long as nothing is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from trio.testing import MockClock

from arena.league.run.idle_watch import LOOK_SECONDS, SHARED_SECONDS, IdleWatch, SharedMark
from arena.run.database_retry import DatabaseRetry
from arena.run.remote.tokens import token_hash
from arena.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        yield opened


async def test_it_looks_once_after_each_change_and_again_after_a_while(store: Store, mock_clock: MockClock) -> None:
    marks = iter("aaabbc")
    watch = IdleWatch(SharedMark(lambda: next(marks), DatabaseRetry(store, print)))

    async def looks() -> bool:
        mock_clock.jump(SHARED_SECONDS)
        return await watch.has_changed()

    assert [await looks() for _ in range(5)] == [True, False, False, True, False]
    watch.reset()
    assert await looks()
    mark = SharedMark(lambda: "same", DatabaseRetry(store, print))
    watch, other = IdleWatch(mark), IdleWatch(mark)
    assert [await watch.has_changed(), await watch.has_changed()] == [True, False]
    assert await other.has_changed()
    mock_clock.jump(LOOK_SECONDS)
    assert await watch.has_changed(), "dates pass although nothing is written"


async def test_a_mark_is_read_once_for_all_who_ask(store: Store, mock_clock: MockClock) -> None:
    reads: list[str] = []
    mark = SharedMark(lambda: reads.append("read"), DatabaseRetry(store, print))
    for _ in range(3):
        await mark.read()
    mock_clock.jump(SHARED_SECONDS)
    await mark.read()
    assert len(reads) == 2


def test_a_mark_tells_what_anybody_has_written(database: str) -> None:
    with open_store(database, create=True) as store, open_store(database) as other:
        before = store.mark()
        store.accounts.all()
        assert store.mark() == before, "reading changes nothing"
        store.accounts.add("ann", "author", token_hash("ann"))
        first = store.mark()
        assert first != before, "its own writing does"
        other.accounts.add("bob", "author", token_hash("bob"))
        assert store.mark() not in (before, first)


def test_a_mark_that_cannot_be_read_equals_no_other(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        store._marks._engine.url = store._engine.url.set(database=str(tmp_path / "nowhere" / "b.db"))
        assert store.mark() != store.mark()
