"""Looks at the database that a run spares as long as nothing is written."""

from pathlib import Path

from trio.testing import MockClock

from arena.league.run.idle_watch import LOOK_SECONDS, IdleWatch
from arena.run.remote.tokens import token_hash
from arena.store import open_store
from arena.store.engine.write_watch import WriteWatch


async def test_it_looks_once_after_each_change_and_again_after_a_while(mock_clock: MockClock) -> None:
    marks = iter("aabbc")
    writes = WriteWatch(lambda: next(marks))
    watch, other = IdleWatch(writes), IdleWatch(writes)

    def looks() -> bool:
        writes.look()
        return watch.has_changed()

    assert [looks() for _ in range(5)] == [True, False, True, False, True]
    assert [other.has_changed(), other.has_changed()] == [True, False]
    assert not watch.has_changed()
    watch.reset()
    assert watch.has_changed()
    mock_clock.jump(LOOK_SECONDS)
    assert watch.has_changed(), "dates pass although nothing is written"


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
