"""Whose turn it is to have a page read."""

import trio
import trio.testing

from arena.server.live.reading_turns import ReadingTurns, Viewers


def test_visitors_share_their_weight_among_their_pages() -> None:
    viewers = Viewers()
    for page in range(4):
        viewers.add(page, "greedy")
    viewers.add("board", "ann")
    viewers.add("board", "ben")
    viewers.add("board", "greedy")
    assert [viewers.weight(page) for page in (0, "board", "nobody's")] == [1 / 5, 2 + 1 / 5, 0]
    assert [viewers.count(page) for page in (0, "board", "nobody's")] == [1, 3, 0]
    for page in range(4):
        viewers.remove(page, "greedy")
    assert (viewers.weight("board"), viewers.count(0)) == (3, 0)


async def test_the_turn_goes_to_whom_it_is_worth_most(autojump_clock: trio.testing.MockClock) -> None:
    viewers = Viewers()
    turns, order = ReadingTurns(viewers), list[str]()
    for page, visitor in (("a", "x"), ("b", "x"), ("c", "y")):
        viewers.add(page, visitor)

    async def read(page: str, after: float) -> None:
        await trio.sleep(after)
        async with turns.take(page):
            order.append(page)
            await trio.sleep(10)

    async with trio.open_nursery() as nursery:
        for page, after in (("a", 0), ("a", 1), ("b", 2), ("c", 3)):  # after 10 s, c has waited 7, a 9 / 2
            nursery.start_soon(read, page, after)
    assert order == ["a", "c", "a", "b"]


async def test_who_gives_up_takes_no_turn(autojump_clock: trio.testing.MockClock) -> None:
    turns, taken = ReadingTurns(Viewers()), list[int]()

    async def read(number: int, patience: float) -> None:
        with trio.move_on_after(patience):
            async with turns.take("page"):
                taken.append(number)
                await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        # The second gives up while it waits, the third at the very moment at which it has its turn.
        for number, patience in enumerate((9, 0.5, 1, 9)):
            nursery.start_soon(read, number, patience)
            await trio.testing.wait_all_tasks_blocked()
    assert taken[0] == 0
    assert set(taken) - {2} == {0, 3}
    async with turns.take("page"):
        pass
