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
