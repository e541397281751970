"""One referee process with its bots: questions out, answers in, records back; nothing stored.

The phases are those of a tournament: made by its schedule, played by fresh processes of the sample
bot `random`, clock on. A phase is timed from the start of its first match to its last record, so
that the start of the bots is left out, and the rise and fall of the number of matches under way is in.
"""

import os
import time
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import inf, nan
from operator import itemgetter
from typing import Any, TypeVar

import trio
from msgspec import structs

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.processes import CpuMeter, descendants, off, peak_memory, spare_core
from arena.bench.yardstick import Yardstick
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import Hosting
from arena.run.referees import Referee, running
from arena.run.work_units import WorkUnit
from arena.values.definition import MATCHES_AT_ONCE, Entrant, Settings
from arena.values.tournament_errors import RefereeError
from referee.engine.game import Game
from referee.v1.work_pb2 import Phase, Record

LOOK_SECONDS = 0.02
"""How often the clocks of the processes are read: that much of the bots' start may be counted as play."""

WARM_UP = 64
"""Matches that a fresh referee plays before the first phase that counts."""

EIGHT = 8

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BenchTable:
    """What is played, and how: a game with its options at a table of so many bots, confined by `sandbox`."""

    game: Game
    options: Any
    seats: int
    sandbox: str


@dataclass(frozen=True, slots=True)
class PhaseTimes:
    """One phase: its decisions, the wall time, and the CPU time of the referee and of its bots, in seconds."""

    decisions: int
    seconds: float
    referee: float
    bots: float
    yardstick: float = nan
    """The CPU time of a decision of the yardstick in µs, mean of before and after the phase; NaN: not read."""

    @property
    def cpu(self) -> float:
        """The CPU time of referee and bots together, in seconds."""
        return self.referee + self.bots


def measure(
    table: BenchTable, decisions_per_match: float, sampling: Sampling, say: Callable[[str], None]
) -> Iterator[Figure]:
    """Yield the figures of the protocol at every number of matches at once."""
    for pinning in sampling.pinnings:
        for at_once, decisions in sampling.decisions.items():
            matches = max(2 * at_once, round(decisions / decisions_per_match))
            sizes = [matches] * sampling.whole_runs
            runs = run_measurement(_phases, table, at_once, sizes, _core(pinning), say, sampling.yardstick)
            conditions = _conditions(table, at_once, pinning) | {"matches": matches, "time": "wall"}
            name = f"protocol.{'pinned' if pinning == 'one core' else 'free'}.k{at_once}"
            yield from _figures(name, runs, conditions)


def _figures(name: str, runs: list[PhaseTimes], conditions: dict[str, str | int]) -> Iterator[Figure]:
    yardstick = tuple(run.yardstick for run in runs)
    rates = tuple(run.decisions / run.seconds for run in runs)
    cpu = tuple(run.cpu * 1e6 / run.decisions for run in runs)
    what = "decisions of one phase by the time from its first match to its last record"
    yield Figure(name, "decisions/s", rates, what, conditions, cpu, yardstick)
    for who, spent in (("referee", [run.referee for run in runs]), ("bots", [run.bots for run in runs])):
        cpu = tuple(seconds * 1e6 / run.decisions for seconds, run in zip(spent, runs, strict=True))
        what = f"CPU time, user and system, of the {who} in that time"
        yield Figure(f"{name}.{who}", "µs/decision", cpu, what, conditions | {"time": "CPU"}, cpu, yardstick)


def measure_memory(table: BenchTable, sampling: Sampling, say: Callable[[str], None]) -> Iterator[Figure]:
    """Yield the memory of a referee with eight bots (or as many as the game seats) in a phase of a tournament."""
    table = replace(table, seats=min(EIGHT, table.game.most_seats(table.options)))
    matches = 2 * MATCHES_AT_ONCE
    runs = tuple(
        run_measurement(_peak, table, MATCHES_AT_ONCE, matches, _core("one core"), say) / 2**20
        for _ in range(sampling.whole_runs)
    )
    conditions = _conditions(table, MATCHES_AT_ONCE, "one core") | {"matches": matches}
    yield Figure(
        "memory.referee", "MiB", runs, f"largest resident size of a referee with {table.seats} bots", conditions
    )


def run_measurement(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Run `function` under trio; what goes wrong comes out by itself, not in the groups that nurseries make of it."""
    try:
        return trio.run(function, *arguments)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


def play_phases(
    table: BenchTable,
    at_once: int,
    sizes: list[int],
    say: Callable[[str], None],
    yardstick: float,
    sandbox: str = "auto",
) -> list[PhaseTimes]:
    """Play phases of so many matches with one referee on one core, its bots confined by `sandbox`.

    yardstick: CPU time of each reading of the yardstick, before and after each phase, in seconds.
    """
    return run_measurement(_phases, table, at_once, sizes, _core("one core"), say, yardstick, sandbox)


async def _phases(
    table: BenchTable,
    at_once: int,
    sizes: list[int],
    core: int | None,
    say: Callable[[str], None],
    yardstick_seconds: float,
    sandbox: str = "auto",
) -> list[PhaseTimes]:
    """Play phases of so many matches with one referee, after one that warms it up."""
    with off(core) if core is not None else nullcontext():
        async with trio.open_nursery() as nursery, running(nursery, core, say) as referee:
            await _play(referee, phase(table, at_once, WARM_UP, sandbox))
            yardstick = Yardstick(yardstick_seconds, core)
            phases = []
            for matches in sizes:
                phases.append(await _play(referee, phase(table, at_once, matches, sandbox)))
                yardstick.read()
            return [replace(phase, yardstick=beside) for phase, beside in zip(phases, yardstick.beside, strict=True)]


async def _peak(table: BenchTable, at_once: int, matches: int, core: int | None, say: Callable[[str], None]) -> int:
    """Play one phase with a fresh referee and return its largest resident size in bytes."""
    with off(core) if core is not None else nullcontext():
        async with trio.open_nursery() as nursery, running(nursery, core, say) as referee:
            await _play(referee, phase(table, at_once, matches))
            return peak_memory(referee.process.pid)


def phase(
    table: BenchTable, at_once: int, matches: int, sandbox: str = "auto", bots: tuple[Entrant, ...] = ()
) -> Phase:
    """Return a phase of so many matches of different deals, all seats held by processes of `bots`, else of `random`."""
    field = bots or find_bots(["random", "random"], samples(table.game.name))
    definition = define(table.game, table.options, field, Settings(rounds=matches, seats=table.seats))
    definition = structs.replace(definition, block=matches, matches_at_once=at_once)
    secret = new_secret(1)
    first = next(Plan.of(definition, secret).iter_phases())
    return WorkUnit(first.id, {match.number: match for match in first.matches}).message(
        definition, secret, (), Hosting(sandbox)
    )


async def _play(referee: Referee, order: Phase) -> PhaseTimes:
    """Have a phase played and read the clocks meanwhile."""
    watched = await watch_phase(referee, order)
    referee_seconds, bot_seconds = watched.clocks.between(watched.began, inf)
    return PhaseTimes(watched.decisions, watched.ended - watched.began, referee_seconds, bot_seconds)


@dataclass(frozen=True, slots=True)
class WatchedPhase:
    """A phase that was played, with the clocks of its processes. Moments are those of `time.perf_counter`."""

    ordered: float
    """The moment at which the referee was told to play it."""
    records: list[tuple[float, Record]]
    """The records of its matches, each with the moment at which it arrived."""
    clocks: "PhaseClocks"

    @property
    def began(self) -> float:
        """When the first match started."""
        return min(moment - record.duration_ms / 1000 for moment, record in self.records)

    @property
    def ended(self) -> float:
        """When the last record arrived."""
        return max(moment for moment, _ in self.records)

    @property
    def decisions(self) -> int:
        """The decisions of all its matches."""
        return sum(sum(record.decisions) for _, record in self.records)


async def watch_phase(referee: Referee, order: Phase) -> WatchedPhase:
    """Have a phase played and read the clocks meanwhile. Raises BenchError if a bot has a fault."""
    clocks = PhaseClocks(referee.process.pid)
    records: list[tuple[float, Record]] = []
    ordered = time.perf_counter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clocks.watch)
        referee.play(order)
        async for response in referee.messages:
            now = time.perf_counter()
            if response.error:
                raise BenchError(f"the referee could not play: {response.error}")
            records += [(now, record) for record in response.records]
            if response.ends:
                break
        else:
            raise RefereeError("the referee ended in the middle of a measurement" + await referee.why())
        nursery.cancel_scope.cancel()
    clocks.look()
    for _, record in records:
        for fault in record.faults:
            raise BenchError(f"a bot had a fault, so the figures are worth nothing: {fault.sentence}")
    return WatchedPhase(ordered, records, clocks)


class PhaseClocks:
    """The CPU time of a referee and its bots, read over and over.

    memory: the largest resident size that each process of the bots has had, in bytes, by process id.
    """

    def __init__(self, pid: int) -> None:
        self.memory: dict[int, int] = {}
        self._pid = pid
        self._referee, self._bots = CpuMeter(), CpuMeter()
        self._readings: list[tuple[float, float, float]] = []
        self.look()

    async def watch(self) -> None:
        """Read the clocks until cancelled."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Read the clocks now."""
        bots = descendants(self._pid)
        self._referee.look([self._pid])
        self._bots.look(bots)
        self.memory.update((bot, size) for bot in bots if (size := peak_memory(bot)))
        self._readings.append((time.perf_counter(), self._referee.seconds, self._bots.seconds))

    def between(self, start: float, end: float) -> tuple[float, float]:
        """Return the CPU seconds that the referee and the bots have used from one moment to another."""
        _, referee, bots = self._reading(start)
        _, referee_end, bots_end = self._reading(end)
        return referee_end - referee, bots_end - bots

    def _reading(self, moment: float) -> tuple[float, float, float]:
        """Return the last reading up to a moment."""
        return self._readings[max(0, bisect_right(self._readings, moment, key=itemgetter(0)) - 1)]


def _core(pinning: str) -> int | None:
    return spare_core() if pinning == "one core" else None


def _conditions(table: BenchTable, at_once: int, pinning: str) -> dict[str, str | int]:
    return {
        "game": table.game.name,
        "seats": table.seats,
        "mode": "fast",
        "K": at_once,
        "rotations": 1,
        "sandbox": table.sandbox,
        "cores": pinning if pinning == "one core" else f"all {len(os.sched_getaffinity(0))} cores",
    }
