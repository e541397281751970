"""Units that a referee plays beside each other: bots that wait leave the core to others."""

import math
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_pace import (
    LEAST_LATE_SECONDS,
    LEAST_OVERRUN_SECONDS,
    LEAST_THINKING_SECONDS,
    MOST_THINKING_MS,
    SLOWER,
    BatchPace,
)
from arena.league.run.batch_play import SHIFT, BatchPlay
from arena.league.run.league_work import BUSY_LOOKS, IDLE_LOOKS, MOST_BESIDE, MOST_WAITED_US, LeagueWork
from arena.plan.seating import Player
from arena.run import core_load
from arena.run.core_load import CoreLoad
from arena.run.hosting import Hosting
from arena.run.work_units import WorkUnit
from referee.process.cpu_accounting import CpuUse
from referee.v1.work_pb2 import Phase, WorkResponse

PLAYERS = 4


class Play:
    """A batch whose units nobody plays."""

    failed = ""
    is_final = False
    played = 12
    is_closing = is_closed = is_complete = is_busy = is_out = False

    def __init__(self, slot: int, units: int, *, is_slow: bool, mode: str = "fast") -> None:
        self.slot = slot
        self.is_slow = is_slow
        self.slow_entries = {slot} if is_slow else set[int]()
        self.row = SimpleNamespace(league=1, number=slot, entries=(slot, 99), attempt=3)
        self.pace = BatchPace(20.0, thinking_ms=(1500,) * PLAYERS)
        self.began_at: float | None = None
        self.out = set[int]()
        self.memory_bytes = 256 << 20
        self.shares_core = mode == "fast"
        self.work = SimpleNamespace(message=self.message, take=self.take)
        self._units = iter([self.unit(number) for number in range(units)])

    def unit(self, number: int) -> WorkUnit:
        players = {Player(place, 0): place for place in range(PLAYERS)}
        return cast("WorkUnit", SimpleNamespace(number=(self.slot << SHIFT) + number, players=players, left={}))

    def message(self, unit: WorkUnit, assigned: object) -> Phase:
        phase = Phase(id=unit.number)
        for _ in unit.players:
            phase.players.add()
        return phase

    async def take(self, response: WorkResponse, assigned: object) -> None:
        pass

    def begin(self, unit: int, now: float) -> None:
        self.began_at = now if self.began_at is None else self.began_at

    def is_late(self, now: float) -> bool:
        return BatchPlay.is_late(cast("BatchPlay", self), now)

    def overruns(self, now: float) -> bool:
        return BatchPlay.overruns(cast("BatchPlay", self), now)

    def end(self, unit: int, now: float, *, is_played: bool) -> None:
        self.out.remove(unit)

    @property
    def has_lane(self) -> bool:
        return self.is_slow and not self.is_final

    @property
    def units_out(self) -> int:
        return len(self.out)

    def played_after(self, count: int) -> list[Any]:
        return []

    def seconds_left(self, now: float) -> float:
        return 60.0

    def next_unit(self) -> WorkUnit | None:
        return next(self._units, None)

    def hand_out(self, unit: int) -> None:
        self.out.add(unit)


class Load:
    """The shares of a core that are taken from look to look."""

    def __init__(self, *shares: float | None) -> None:
        self.shares = list(shares)
        self.restarts = 0

    def restart(self) -> None:
        self.restarts += 1

    async def look(self, *, with_waits: bool = False) -> float | None:
        self.with_waits = with_waits
        return self.shares.pop(0)


class Bench:
    """One referee of a league whose batches are given as their numbers of units: those of slow ones are negative."""

    def __init__(self, *batches: int, mode: str = "fast") -> None:
        self.plays = [Play(slot, abs(units), is_slow=units < 0, mode=mode) for slot, units in enumerate(batches, 1)]
        self.waiting = list(self.plays)
        self.backlog = LeagueBacklog(self.lease)
        self.backlog.referees = 2
        self.overran: list[BatchPlay] = []
        self.work = LeagueWork(self.backlog, Hosting(), self.nothing, print, self.fail, self.overran.append)
        self.assigned: dict[int, WorkUnit] = {}
        self.room = 1000
        self.messages: list[Phase] = []

    async def lease(self, with_slow: bool) -> BatchPlay | None:
        play = next((play for play in self.waiting if with_slow or not play.is_slow), None)
        if play is not None:
            self.waiting.remove(play)
        return cast("BatchPlay | None", play)

    async def nothing(self, play: BatchPlay) -> None:
        pass

    def fail(self, error: Exception) -> None:
        raise error

    def give(self, unit: WorkUnit | None) -> str:
        if unit is None:
            return ""
        self.messages.append(self.work.message(unit, self.assigned))
        self.assigned[unit.number] = unit
        return f"{unit.number >> SHIFT}.{unit.number & (1 << SHIFT) - 1}"

    async def take(self) -> str:
        self.backlog.wake()
        return self.give(await self.backlog.take())

    async def look(self, load: Load) -> list[str]:
        async def room() -> int:
            return self.room

        self.backlog.wake()
        units = await self.work.beside(self.assigned, cast("CoreLoad", load), room)
        return [self.give(unit) for unit in units]

    async def end(self, name: str, waited_us: int = 0) -> None:
        slot, number = map(int, name.split("."))
        response = WorkResponse()
        response.ends.add(phase=(slot << SHIFT) + number).players.add(waited_us=waited_us)
        await self.work.take(response, self.assigned)
        self.backlog.finish()


async def test_the_rotations_of_a_bot_that_sleeps_are_played_at_once_and_others_beside_them() -> None:
    bench = Bench(-4, 3)
    assert await bench.take() == "1.0"
    load = Load(None, 0.02, None, 0.02)
    assert await bench.look(load) == [], "at first nothing is known"
    assert await bench.look(load) == ["1.1", "1.2", "1.3"]
    assert load.restarts == 1, "what starts is no measure of what follows"
    assert await bench.look(load) == []
    assert await bench.look(load) == ["2.0"]
    assert await bench.look(load) == [], "one of others beside slow ones; the next ones follow it as usual"
    assert all(message.shares_core for message in bench.messages)
    await bench.end("2.0")
    assert await bench.look(Load(0.02)) == ["2.1"]


async def test_a_bot_that_computes_plays_one_rotation_at_a_time_and_others_beside_it() -> None:
    bench = Bench(-4, 3)
    assert await bench.take() == "1.0"
    load = Load(*[1.0] * BUSY_LOOKS)
    taken = [await bench.look(load) for _ in range(BUSY_LOOKS)]
    assert taken == [[]] * (BUSY_LOOKS - 1) + [["2.0"]]
    await bench.end("2.0")
    assert await bench.look(Load(0.0)) == ["2.1"], "it has computed in this batch: no more of it at once"


async def test_who_claims_to_sleep_and_computes_later_shares_no_core_any_more() -> None:
    bench = Bench(-4, -4)
    bench.plays[1].row.entries = (1, 99)
    assert await bench.take() == "1.0"
    assert len(await bench.look(Load(0.0))) == 3
    for number in range(4):
        await bench.end(f"1.{number}", waited_us=MOST_WAITED_US + 1)
    assert await bench.take() == "2.0"
    assert await bench.look(Load(0.0)) == []


@pytest.mark.parametrize(("room", "units"), [(1000, MOST_BESIDE), (2 * PLAYERS * 2, 1), (2 * 23, 3), (PLAYERS, 1)])
async def test_what_is_played_at_once_is_bounded(room: int, units: int) -> None:
    bench = Bench(-50)
    bench.room = room
    await bench.take()
    await bench.look(Load(0.0))
    bench.room = 1000 if room == 1000 else 0
    await bench.look(Load(0.0))
    assert len(bench.assigned) == units


async def test_in_mode_clock_no_core_is_shared() -> None:
    bench = Bench(-4, 3, mode="clock")
    await bench.take()
    assert await bench.look(Load()) == []
    assert not bench.messages[0].shares_core


async def test_a_referee_takes_no_quick_unit_as_long_as_slow_ones_may_be_played_at_once() -> None:
    bench = Bench(-2, 3)
    quick = bench.plays[1].unit(9)
    assert await bench.take() == "1.0"
    assigned = bench.assigned | {quick.number: quick}
    assert not bench.work.overlaps(quick, assigned)
    assert await bench.look(Load(0.0)) == ["1.1"]
    await bench.look(Load(0.0))
    assert bench.work.overlaps(quick, assigned)
    assert not bench.work.overlaps(bench.assigned[1 << SHIFT], assigned)


async def test_quick_units_are_ordered_as_ever() -> None:
    bench = Bench(3)
    assert [await bench.take() for _ in range(2)] == ["1.0", "1.1"]
    assert await bench.look(Load()) == []
    assert not any(message.shares_core for message in bench.messages)
    assert {player.thinking_ms for message in bench.messages for player in message.players} == {1500}


async def test_others_are_played_beside_a_batch_that_becomes_slow(autojump_clock: trio.testing.MockClock) -> None:
    bench = Bench(4, 2)
    assert [await bench.take() for _ in range(2)] == ["1.0", "1.1"]
    await trio.sleep(LEAST_OVERRUN_SECONDS - 1)
    assert await bench.look(Load(1.0)) == [], "its bots compute, or wait for a core"
    await trio.sleep(2)
    assert await bench.look(Load(None)) == []
    assert [play.slot for play in bench.overran] == [1]
    unit = await bench.backlog.take()
    assert unit is not None
    assert unit.number >> SHIFT == 2, "another referee does not go on with it"
    assert await bench.look(Load(0.0)) == ["1.2", "1.3"]
    assert await bench.look(Load(0.0)) == ["2.1"]


async def test_a_batch_leaves_the_quick_lane_once_it_should_be_over_and_its_bots_only_wait(
    autojump_clock: trio.testing.MockClock,
) -> None:
    bench = Bench(4, 2)
    assert await bench.take() == "1.0"
    pace = bench.plays[0].pace
    assert pace.late_seconds == pace.usual_seconds == 20.0
    await trio.sleep(pace.late_seconds)
    load = Load()
    assert await bench.look(load) == []
    assert load.restarts == 1, "it is in time"
    await trio.sleep(1)
    load = Load(None, *[0.0] * (IDLE_LOOKS - 1), 0.9, *[0.0] * IDLE_LOOKS)
    for _ in range(2 * IDLE_LOOKS):
        assert await bench.look(load) == []
        assert bench.overran == [], "one look in between found that they compute"
    assert load.with_waits
    assert await bench.look(load) == []
    assert [play.slot for play in bench.overran] == [1]
    assert (load.shares, load.restarts) == ([], 0)
    assert await bench.look(Load(0.0)) == ["1.1", "1.2", "1.3"]
    assert await bench.look(Load(0.0)) == ["2.0"]


async def test_what_waits_for_a_core_can_be_counted_with_what_ran(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    uses = [CpuUse(1.0, 5.0), CpuUse(1.5, 8.0), CpuUse(2.0, 11.0), None]
    monkeypatch.setattr(core_load, "use_since_start", lambda *_: uses.pop(0))
    load = CoreLoad(1)
    assert await load.look() is None
    for with_waits, share in ((False, 0.05), (True, 0.35)):
        await trio.sleep(10)
        assert await load.look(with_waits=with_waits) == pytest.approx(share)
    assert await load.look() == math.inf


async def test_while_a_hand_in_is_checked_others_are_played_beside_bots_that_sleep() -> None:
    bench = Bench(-1, 3)
    assert await bench.take() == "1.0"
    bench.backlog.limit = 1
    assert await bench.take() == "", "another referee leaves its core to the check"
    assert await bench.look(Load(0.0)) == ["2.0"]
    assert await bench.look(Load(0.0)) == []


async def test_how_far_batches_are_is_told_by_league(autojump_clock: trio.testing.MockClock) -> None:
    bench = Bench(4, 1)
    await bench.take()
    for play in bench.plays:
        play.row.league = play.slot
    now = datetime.now(UTC)
    [report] = bench.work.progress()[1]
    assert report[:3] == (1, 3, 12)
    assert report.expected is not None
    assert timedelta(seconds=58) < datetime.fromisoformat(report.expected) - now < timedelta(minutes=5)
    assert list(bench.work.progress()) == [1], "the other one has not been leased"


def test_how_long_a_batch_still_takes_follows_from_its_matches_or_what_its_slowest_bot_took() -> None:
    play: Any = object.__new__(BatchPlay)
    play.began_at, play._plan, play._out = None, SimpleNamespace(matches=80, phases=4), {1}
    play._results = SimpleNamespace(kept=SimpleNamespace(rows=[]))
    play.pace = BatchPace(20.0, slowest_seconds=48.0)
    assert play.seconds_left(1000.0) is None, "it has not begun"
    play.began_at = 1000.0
    assert play.seconds_left(1010.0) == 4 * 48 - 10
    play._out = {1, 2, 3, 4}
    assert play.seconds_left(1010.0) == 48 - 10
    assert play.seconds_left(1060.0) is None, "it should have ended"
    play._results.kept.rows += range(20)
    assert play.seconds_left(1060.0) == 3 * 60


def test_a_bot_may_take_ten_times_as_long_as_before_and_ten_minutes_at_least() -> None:
    entries = [RatedEntry(number, "", 0, 50, 9, 9, micros) for number, micros in ((5, 40_000_000), (7, 1000), (9, 0))]
    played: Any = SimpleNamespace(tables=((0, 1), (0, 2), (1, 2)), rounds=25)
    pace = BatchPace.of(Snapshot(1, entries), (5, 7, 9), played, 22.4)
    assert pace.slowest_seconds == pytest.approx(40.0 * 50 / 2)
    assert pace.answer_seconds == pytest.approx(40.0 * 50 + 0.001 * 50)
    least = LEAST_THINKING_SECONDS * 1000
    assert pace.thinking_ms == (SLOWER * 40_000 * 50 / 2, least, least)
    thinks = Snapshot(1, [RatedEntry(5, "", 0, 50, 9, 9, 10**11)])
    assert BatchPace.of(thinks, (5, 7, 9), played, 22.4).thinking_ms[0] == MOST_THINKING_MS
    assert pace.overrun_seconds == pytest.approx(3 * pace.answer_seconds)
    assert pace.late_seconds == pytest.approx(pace.answer_seconds)
    assert BatchPace(8.0).overrun_seconds == LEAST_OVERRUN_SECONDS
    assert BatchPace(8.0).late_seconds == LEAST_LATE_SECONDS
