import trio
import trio.testing

from arena.run.backlog import Backlog
from arena.run.work_units import WorkUnit


async def test_units_are_handed_out_until_none_can_come_back() -> None:
    first, second = WorkUnit(0, {}), WorkUnit(1, {})
    backlog = Backlog(iter([first, second]))
    assert await backlog.take() is first
    assert await backlog.wait() is second
    assert await backlog.take() is None
    backlog.give_back(first)
    assert await backlog.wait() is first
    backlog.finish()
    backlog.finish()
    assert await backlog.wait() is None


async def test_who_waits_gets_what_another_gives_back() -> None:
    unit = WorkUnit(0, {})
    backlog = Backlog(iter([unit]))
    await backlog.take()
    got: list[WorkUnit | None] = []

    async def wait() -> None:
        got.append(await backlog.wait())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        backlog.give_back(unit)
        await trio.testing.wait_all_tasks_blocked()
        assert got == [unit]
        backlog.finish()
    assert got == [unit, None]


async def test_a_closed_backlog_hands_out_nothing_and_is_over_with_what_is_out() -> None:
    out, waiting = WorkUnit(0, {}), WorkUnit(1, {})
    backlog = Backlog(iter([out, waiting, WorkUnit(2, {})]))
    assert [await backlog.take(), await backlog.take()] == [out, waiting]
    backlog.give_back(waiting)
    got: list[WorkUnit | None] = []

    async def wait() -> None:
        got.append(await backlog.wait())

    backlog.rest(60)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        backlog.close()
        await trio.testing.wait_all_tasks_blocked()
        assert got == [], "one is out"
        backlog.give_back(out)
    assert got == [None]
    assert await backlog.take() is None


async def test_a_unit_that_begins_while_the_backlog_is_closed_is_not_handed_out() -> None:
    asked = trio.Event()

    async def begin(_: WorkUnit) -> bool:
        asked.set()
        await trio.testing.wait_all_tasks_blocked()
        return True

    backlog = Backlog(iter([WorkUnit(0, {})]), begin)
    async with trio.open_nursery() as nursery:

        async def wait() -> None:
            assert await backlog.wait() is None

        nursery.start_soon(wait)
        await asked.wait()
        backlog.close()
