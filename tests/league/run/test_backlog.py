"""Which units of leagues' batches go to referees next: slow batches have a lane of their own."""

from collections.abc import Sequence
from typing import cast

import trio
import trio.testing

from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_play import SHIFT, BatchPlay
from arena.run.work_units import WorkUnit


class Play:
    """A batch whose units nobody plays."""

    failed = ""
    is_final = False

    def __init__(self, slot: int, units: int, *, is_slow: bool) -> None:
        self.slot = slot
        self.is_slow = is_slow
        self.out = set[int]()
        self._units = iter([WorkUnit((slot << SHIFT) + number, {}) for number in range(units)])

    @property
    def has_lane(self) -> bool:
        return self.is_slow and not self.is_final

    @property
    def units_out(self) -> int:
        return len(self.out)

    def next_unit(self) -> WorkUnit | None:
        return next(self._units, None)

    def hand_out(self, unit: int) -> None:
        self.out.add(unit)


class Lanes:
    """A backlog of batches, given as their numbers of units: those of slow ones are negative."""

    def __init__(self, batches: Sequence[int], referees: int) -> None:
        self.plays = [Play(slot, abs(units), is_slow=units < 0) for slot, units in enumerate(batches, 1) if units]
        self.waiting = list(self.plays)
        self.backlog = LeagueBacklog(self.lease)
        self.backlog.referees = referees

    async def lease(self, with_slow: bool) -> BatchPlay | None:
        play = next((play for play in self.waiting if with_slow or not play.has_lane), None)
        if play is not None:
            self.waiting.remove(play)
        return cast("BatchPlay | None", play)

    async def take(self) -> str:
        """Take a unit; return its batch and its number, or "" where a referee has to wait."""
        self.backlog.wake()
        unit = await self.backlog.take()
        return "" if unit is None else f"{unit.number >> SHIFT}.{unit.number & (1 << SHIFT) - 1}"

    def finish(self, name: str) -> None:
        slot, number = map(int, name.split("."))
        self.plays[slot - 1].out.remove((slot << SHIFT) + number)
        self.backlog.finish()


def test_a_slow_batch_has_one_referee_and_the_others_play_the_rest() -> None:
    async def play() -> None:
        lanes = Lanes([-3, 2, 2], referees=3)
        assert [await lanes.take() for _ in range(4)] == ["1.0", "2.0", "2.1", "3.0"]
        lanes.finish("1.0")
        assert [await lanes.take() for _ in range(2)] == ["1.1", "3.1"]
        assert await lanes.take() == "1.2", "nothing else waits, and a referee is left over"
        assert await lanes.take() == ""

    trio.run(play)


def test_a_slow_batch_never_takes_the_last_free_referee() -> None:
    async def play() -> None:
        lanes = Lanes([-3], referees=2)
        assert [await lanes.take() for _ in range(2)] == ["1.0", ""]
        lanes.backlog.limit = 1  # a hand-in is checked
        lanes.finish("1.0")
        assert [await lanes.take() for _ in range(2)] == ["1.1", ""]

    trio.run(play)


def test_all_referees_play_the_parts_of_a_final_with_a_slow_finalist() -> None:
    async def play() -> None:
        lanes = Lanes([-2, -1, 2], referees=3)
        for part in lanes.plays:
            part.is_final = True
        assert [await lanes.take() for _ in range(3)] == ["1.0", "1.1", "2.0"]
        assert await lanes.take() == "3.0"

    trio.run(play)


def test_a_second_slow_batch_waits_for_the_first() -> None:
    async def play() -> None:
        lanes = Lanes([-1, -1, 1], referees=2)
        assert [await lanes.take() for _ in range(3)] == ["1.0", "3.0", ""]
        lanes.finish("1.0")
        assert await lanes.take() == "2.0"

    trio.run(play)


def test_one_referee_spends_half_of_its_time_on_slow_batches(autojump_clock: trio.testing.MockClock) -> None:
    async def play() -> None:
        lanes = Lanes([-2, 9, 9], referees=1)
        order = []
        for _ in range(8):
            order.append(unit := await lanes.take())
            await trio.sleep(30 if unit.startswith("1.") else 10)
            lanes.finish(unit)
        assert order == ["1.0", "2.0", "2.1", "2.2", "1.1", "2.3", "2.4", "2.5"]

    trio.run(play, clock=autojump_clock)


def test_what_waits_is_played_where_one_referee_has_nothing_else(autojump_clock: trio.testing.MockClock) -> None:
    async def play() -> None:
        lanes = Lanes([-2], referees=1)
        assert await lanes.take() == "1.0"
        await trio.sleep(30)
        lanes.finish("1.0")
        assert await lanes.take() == "1.1"

    trio.run(play, clock=autojump_clock)


def test_what_is_dropped_counts_no_longer_as_out() -> None:
    async def none(with_slow: bool) -> None:
        return None

    backlog = LeagueBacklog(none)
    backlog._out = 3
    backlog.drop()
    backlog.limit = 1
    assert backlog._out < backlog.limit
