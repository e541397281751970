"""The outbox: written with what it tells, read once by each listener in whatever order transactions end, pruned."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from arena.store import Store, open_store
from arena.store.engine.outbox import (
    GAPS_FOR,
    KEPT_FOR,
    PRUNE_EVERY,
    OutboxEvent,
    add_event,
    has_events,
    listen,
    prune,
    read_events,
)
from arena.store.engine.schema import outbox, outbox_cursors


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def begin(store: Store, *names: str) -> None:
    with store.write() as connection:
        for name in names:
            listen(connection, name)


def happen(store: Store, *words: str) -> None:
    with store.write() as connection:
        for word in words:
            add_event(connection, "test", "club", {"word": word})


def read(store: Store, name: str = "one", limit: int = 500) -> list[str] | None:
    """Return the words of the events that a listener reads."""
    with store.write() as connection:
        events = read_events(connection, name, limit)
    return None if events is None else [event.data["word"] for event in events]


def stored(store: Store) -> list[int]:
    with store.read() as connection:
        return list(connection.scalars(select(outbox.c.id).order_by(outbox.c.id)))


def gaps_of(store: Store, name: str) -> str:
    with store.read() as connection:
        query = select(outbox_cursors.c.gaps).where(outbox_cursors.c.name == name)
        return str(connection.execute(query).scalar_one())


def waits(store: Store, name: str = "one") -> bool:
    with store.read() as connection:
        return has_events(connection, name)


def test_each_listener_reads_each_event_once_in_order(store: Store) -> None:
    happen(store, "before")
    begin(store, "one", "two")
    begin(store, "one")
    assert not waits(store)
    happen(store, "a", "b", "c")
    assert waits(store)
    assert [read(store, limit=2), read(store), read(store)] == [["a", "b"], ["c"], []]
    assert not waits(store)
    assert read(store, "two") == ["a", "b", "c"]
    assert read(store, "nobody") is None
    assert not waits(store, "nobody")


def test_an_event_says_what_happened_to_whom_and_when(store: Store) -> None:
    begin(store, "one")
    happen(store, "a")
    with store.write() as connection:
        events = read_events(connection, "one")
        assert events is not None
        [event] = events
        assert event == OutboxEvent(event.id, "test", "club", {"word": "a"}, event.created)
        assert datetime.now(UTC) - datetime.fromisoformat(event.created) < timedelta(minutes=5)


def test_what_is_rolled_back_is_no_event_and_what_a_listener_fails_to_do_comes_again(store: Store) -> None:
    begin(store, "one")

    def fail(*, reads: bool) -> None:
        with store.write() as connection:
            add_event(connection, "test", "club", {"word": "never"})
            if reads:
                read_events(connection, "one")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail(reads=False)
    happen(store, "a")
    with pytest.raises(ZeroDivisionError):
        fail(reads=True)
    assert read(store) == ["a"]


def test_an_id_below_the_cursor_that_is_committed_late_is_read(store: Store) -> None:
    """Two transactions on a server, of which the one that began first ends last; in a file there is one writer."""
    if store._engine.dialect.name == "sqlite":
        pytest.skip("one writer at a time")
    begin(store, "one", "two")
    with store._engine.begin() as slow:
        add_event(slow, "test", "club", {"word": "first"})
        with store._engine.begin() as undone:
            add_event(undone, "test", "club", {"word": "never"})
            add_event(undone, "test", "club", {"word": "never"})
            undone.rollback()
        with store._engine.begin() as other_slow:
            add_event(other_slow, "test", "club", {"word": "second"})
            happen(store, "last")
            assert read(store) == ["last"]
            assert not waits(store)
            with store.write() as connection:
                prune(connection)
        assert waits(store)
        assert read(store) == ["second"]
        assert read(store, "two") == ["second", "last"]
    assert [read(store), read(store)] == [["first"], []]
    assert read(store, "two") == ["first"]
    gaps = gaps_of(store, "one")
    first = stored(store)[0]
    assert [gap[:2] for gap in json.loads(gaps)] == [[first + 1, first + 2]], "those of what was rolled back"
    a_day_ago = [[*gap[:2], gap[2] - 1000 * GAPS_FOR.total_seconds() - 1] for gap in json.loads(gaps)]
    with store.write() as connection:
        connection.execute(update(outbox_cursors).values(gaps=json.dumps(a_day_ago)))
    assert read(store) == []
    gaps = gaps_of(store, "one")
    assert gaps == "[]"


def test_an_id_that_was_passed_unseen_is_read_once_it_is_there(store: Store) -> None:
    """As on a server, by the hand of the test: it holds for a file too."""
    begin(store, "one")
    with store.write() as connection:
        row = {"kind": "test", "account": "club", "created": "2100-01-01T00:00:00+00:00"}
        connection.execute(outbox.insert().values(id=5, data='{"word": "five"}', **row))
    assert read(store) == ["five"]
    with store.write() as connection:
        connection.execute(outbox.insert().values(id=3, data='{"word": "three"}', **row))
    assert waits(store)
    assert [read(store), read(store)] == [["three"], []]
    with store.write() as connection:
        prune(connection)
        assert connection.scalar(select(func.count()).select_from(outbox)) == 2, "1, 2 and 4 may still come"


def test_events_are_kept_until_every_listener_has_read_them(store: Store) -> None:
    begin(store, "one", "two")
    happen(store, *map(str, range(PRUNE_EVERY + 5)))
    assert len(stored(store)) == PRUNE_EVERY + 5
    assert len(read(store) or ()) == PRUNE_EVERY + 5
    assert len(stored(store)) == PRUNE_EVERY + 5
    assert len(read(store, "two") or ()) == PRUNE_EVERY + 5
    assert stored(store) == []
    happen(store, "after")
    assert (read(store), read(store, "two")) == (["after"], ["after"]), "no id comes again"


def test_without_a_listener_few_events_are_kept(store: Store) -> None:
    happen(store, *map(str, range(2 * PRUNE_EVERY + 5)))
    assert len(stored(store)) == 5


def test_a_listener_that_does_not_come_back_is_forgotten_after_a_month(store: Store) -> None:
    begin(store, "one", "gone")
    happen(store, "old", "older")
    assert read(store) == ["old", "older"]
    happen(store, "new")
    long_ago = (datetime.now(UTC) - KEPT_FOR - timedelta(hours=1)).isoformat(timespec="seconds")
    with store.write() as connection:
        newest = select(func.max(outbox.c.id)).scalar_subquery()
        connection.execute(update(outbox).where(outbox.c.id < newest).values(created=long_ago))
        prune(connection)
    assert len(stored(store)) == 1
    assert read(store, "gone") is None
    assert read(store) == ["new"]
