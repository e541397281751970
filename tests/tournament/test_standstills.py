"""Records that tell of a pause of the machine: they count where arena stood still as well."""

from collections.abc import Callable
from time import perf_counter

import pytest
import trio

from arena.plan.schedule import Plan
from arena.run.backlog import Backlog
from arena.run.dispatcher import ResultBatch, StageWork
from arena.run.hosting import USUAL
from arena.run.work_units import units
from arena.values.definition import Definition
from referee.process.awake_clock import AwakeClock, Beat
from referee.v1.work_pb2 import PhaseEnd, PlayerEnd, Record, WorkResponse

SECRET = bytes(32)


@pytest.mark.parametrize(
    ("own", "told", "counts"),
    [
        pytest.param(0.0, 0, True, id="no pause"),
        pytest.param(25.0, 25_020, True, id="a pause of the machine"),
        pytest.param(0.0, 900, True, id="a short one, which not everybody notices"),
        pytest.param(0.0, 25_020, False, id="somebody has stopped the referee"),
        pytest.param(25.0, 60_000, False, id="and that after a pause of the machine"),
    ],
)
def test_a_match_counts_if_arena_stood_still_with_its_referee(
    own: float, told: int, counts: bool, cambio: Callable[..., Definition]
) -> None:
    definition = cambio("random", "cautious", rounds=4, seats=2)
    backlog, said, kept = Backlog(units(Plan.of(definition, SECRET), (), 1)), list[str](), list[ResultBatch]()

    async def keep(batch: ResultBatch) -> None:
        await trio.lowlevel.checkpoint()
        kept.append(batch)

    async def play() -> int:
        work = StageWork(definition, SECRET, USUAL, backlog, keep, set(), said.append, lambda _: None)
        unit = await backlog.wait()
        assert unit is not None
        planned = len(unit.left)
        seats = len(unit.players)
        record = Record(
            match=next(iter(unit.left)),
            scores=[0] * seats,
            ranks=[1] * seats,
            decisions=[1] * seats,
            charged_us=[0] * seats,
            standstill_ms=told,
        )
        ends = [PhaseEnd(phase=unit.number, players=[PlayerEnd() for _ in unit.players])]
        await work.take(WorkResponse(records=[record], ends=ends), {unit.number: unit})
        return planned - len(unit.left)

    clock = AwakeClock()
    now = perf_counter()
    clock.beat(Beat(now - own, 0.0, 0.0, 10), Beat(now, 0.0, 0.0, 11))
    assert trio.run(play, clock=clock) == counts == len(kept[0].rows)
    assert ("a referee process stood still alone" in " ".join(said)) == (not counts)
