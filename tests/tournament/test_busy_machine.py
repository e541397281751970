"""A machine that is too busy for fair clocks: the tournament waits and goes on, or stops where that is asked for."""

from collections.abc import Callable
from itertools import pairwise

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from arena.plan.schedule import Plan
from arena.run.backlog import Backlog
from arena.run.busy_machine import BusyMachine
from arena.run.dispatcher import ResultBatch, StageWork
from arena.run.hosting import USUAL
from arena.run.work_units import WorkUnit, units
from arena.values.definition import Definition, TimeControl
from arena.values.errors import ArenaError
from referee.v1.work_pb2 import PhaseEnd, PlayerEnd, Record, WorkResponse

Make = Callable[..., Definition]

SECRET = bytes(32)


class Tournament:
    """The work of a tournament in mode clock, without a referee."""

    def __init__(self, definition: Definition, limit: float | None) -> None:
        self.said: list[str] = []
        self.errors: list[ArenaError] = []
        definition = replace(definition, time=TimeControl(mode="clock", most_lag_ms=100))
        self.backlog = Backlog(units(Plan.of(definition, SECRET), (), 1))

        async def keep(batch: ResultBatch) -> None:
            await trio.lowlevel.checkpoint()

        busy = BusyMachine(limit)
        self.work = StageWork(
            definition, SECRET, USUAL, self.backlog, keep, set(), self.said.append, self.errors.append, busy
        )

    async def play(self, *, void: bool) -> WorkUnit:
        """Play the next unit; all its matches are void, or all but one."""
        unit = await self.backlog.wait()
        assert unit is not None
        end = PhaseEnd(phase=unit.number, lag_us=250_000, players=[PlayerEnd() for _ in unit.players])
        response = WorkResponse(ends=[end])
        if not void:
            seats = len(unit.players)
            response.records.append(
                Record(
                    match=next(iter(unit.left)),
                    scores=[0] * seats,
                    ranks=[1] * seats,
                    decisions=[1] * seats,
                    charged_us=[0] * seats,
                )
            )
        await self.work.take(response, {unit.number: unit})
        return unit


@pytest.fixture
def tournament(cambio: Make) -> Callable[[float | None], Tournament]:
    return lambda limit: Tournament(cambio("random", "cautious", rounds=4, seats=2), limit)


async def test_it_waits_longer_and_longer_and_goes_on(
    tournament: Callable[[float | None], Tournament], autojump_clock: trio.testing.MockClock
) -> None:
    event = tournament(None)
    began = []
    for _ in range(9):
        await event.play(void=True)
        began.append(round(trio.current_time()))
    assert [later - before for before, later in pairwise(began)] == [0, 0, 5, 10, 20, 40, 60, 60]
    assert len(event.said) == 1
    assert event.said[0].startswith(
        "the machine is too busy for fair clocks, and kept an answer waiting 250 ms where 100 ms may be; the "
        "tournament waits and goes on by itself"
    )
    await event.play(void=False)
    assert event.said[1:] == ["clocks are fair again after 255 s; the tournament goes on"]
    assert await event.backlog.take() is not None, "nothing rests any more"
    assert not event.errors


@pytest.mark.parametrize(("limit", "tries"), [(0.0, 3), (60.0, 7)])
async def test_a_limit_ends_it_with_a_sentence(
    tournament: Callable[[float | None], Tournament],
    autojump_clock: trio.testing.MockClock,
    limit: float,
    tries: int,
) -> None:
    event = tournament(limit)
    for _ in range(tries):
        assert not event.errors
        await event.play(void=True)
    (error,) = event.errors
    assert str(error).startswith("4 matches came to no result 3 times in a row: the machine is too busy")
