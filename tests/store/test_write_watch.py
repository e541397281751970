"""Whoever waits for something new is told that something was written, whoever wrote it."""

from queue import SimpleQueue

import trio

from arena.run.awaited_writes import awaited_writes
from arena.run.remote.tokens import token_hash
from arena.store import StoreUnavailable, open_store
from arena.store.engine.write_watch import WriteWatch

PATIENCE = 60.0


def test_all_who_wait_are_told_of_what_another_program_writes(database: str) -> None:
    told, also_told = SimpleQueue[int](), SimpleQueue[int]()
    with open_store(database, create=True) as store, open_store(database) as other:
        watch = store.writes
        with watch.calling(lambda: told.put(watch.count)):
            first = told.get(timeout=PATIENCE)
            with watch.calling(lambda: also_told.put(watch.count)):
                assert also_told.get(timeout=PATIENCE) > first, "whoever comes later looks once, too"
                told.get(timeout=PATIENCE)
                other.accounts.add("ann", "author", token_hash("ann"))
                told.get(timeout=PATIENCE)
                also_told.get(timeout=PATIENCE)
                thread = watch._thread
        assert thread is not None
        assert not thread.is_alive(), "nobody waits any more"
        assert watch._thread is None
        before = watch.count
        watch.look()
        assert (told.empty(), watch.count) == (True, before), "nothing was written since"


def test_a_mark_that_cannot_be_read_counts_as_a_change_each_time() -> None:
    def mark() -> str:
        raise StoreUnavailable("the server is gone", ": wait")

    watch = WriteWatch(mark)
    for count in (1, 2):
        watch.look()
        assert watch.count == count


async def test_a_task_waits_until_something_is_written_or_its_time_is_over(database: str) -> None:
    with open_store(database, create=True) as store, awaited_writes(store.writes) as writes:
        await writes.wait(PATIENCE)  # what was written before it began
        writes.wake()
        await writes.wait(float("inf"))
        with trio.fail_after(PATIENCE):
            await trio.to_thread.run_sync(store.accounts.add, "ann", "author", token_hash("ann"))
            await writes.wait(float("inf"))
        await writes.wait(0.0)
