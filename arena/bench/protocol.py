"""One referee process with its bots: questions out, answers in, records back; nothing stored.

The phases are those of a tournament: made by its schedule, played by fresh processes of the sample
bot `random`, clock on. A phase is timed from the start of its first match to its last record, so
that the start of the bots is left out, and the rise and fall of the number of matches under way is in.
"""

import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import trio

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.processes import CpuMeter, descendants, off, peak_memory, spare_core
from arena.tournament.errors import RefereeError
from arena.tournament.plan.definition import MATCHES_AT_ONCE
from arena.tournament.plan.definition_builder import define
from arena.tournament.plan.field import find_bots, samples
from arena.tournament.plan.schedule import Plan
from arena.tournament.plan.secret import new_secret
from arena.tournament.run.exception_groups import unwrap_group
from arena.tournament.run.hosting import Hosting
from arena.tournament.run.referees import Referee, running
from arena.tournament.run.work_units import WorkUnit
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
    """One phase: its decisions, the wall time, and the CPU time of the referee and of its bots. In seconds."""

    decisions: int
    seconds: float
    referee: float
    bots: float


def measure(
    table: BenchTable, decisions_per_match: float, sampling: Sampling, say: Callable[[str], None]
) -> Iterator[Figure]:
    """Yield the figures of the protocol at every number of matches at once."""
    for pinning in sampling.pinnings:
        for at_once, decisions in sampling.decisions.items():
            matches = max(2 * at_once, round(decisions / decisions_per_match))
            runs = _run(_phases, table, at_once, [matches] * sampling.whole_runs, _core(pinning), say)
            conditions = _conditions(table, at_once, pinning) | {"matches": matches, "time": "wall"}
            name = f"protocol.{'pinned' if pinning == 'one core' else 'free'}.k{at_once}"
            yield Figure(
                name,
                "decisions/s",
                tuple(run.decisions / run.seconds for run in runs),
                "decisions of one phase by the time from its first match to its last record",
                conditions,
            )
            for who, spent in (("referee", [run.referee for run in runs]), ("bots", [run.bots for run in runs])):
                yield Figure(
                    f"{name}.{who}",
                    "µs/decision",
                    tuple(seconds * 1e6 / run.decisions for seconds, run in zip(spent, runs, strict=True)),
                    f"CPU time, user and system, of the {who} in that time",
                    conditions | {"time": "CPU"},
                )


def measure_memory(table: BenchTable, sampling: Sampling, say: Callable[[str], None]) -> Iterator[Figure]:
    """Yield the memory of a referee with eight bots (or as many as the game seats) in a phase of a tournament."""
    table = replace(table, seats=min(EIGHT, table.game.most_seats(table.options)))
    matches = 2 * MATCHES_AT_ONCE
    runs = tuple(
        _run(_peak, table, MATCHES_AT_ONCE, matches, _core("one core"), say) / 2**20 for _ in range(sampling.whole_runs)
    )
    conditions = _conditions(table, MATCHES_AT_ONCE, "one core") | {"matches": matches}
    yield Figure(
        "memory.referee", "MiB", runs, f"largest resident size of a referee with {table.seats} bots", conditions
    )


def _run(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Run `function` under trio; what goes wrong comes out by itself, not in the groups that nurseries make of it."""
    try:
        return trio.run(function, *arguments)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


def play_phases(
    table: BenchTable, at_once: int, sizes: list[int], say: Callable[[str], None], sandbox: str = "auto"
) -> list[PhaseTimes]:
    """Play phases of so many matches with one referee on one core, its bots confined by `sandbox`."""
    return _run(_phases, table, at_once, sizes, _core("one core"), say, sandbox)


async def _phases(
    table: BenchTable,
    at_once: int,
    sizes: list[int],
    core: int | None,
    say: Callable[[str], None],
    sandbox: str = "auto",
) -> list[PhaseTimes]:
    """Play phases of so many matches with one referee, after one that warms it up."""
    with off(core) if core is not None else nullcontext():
        async with trio.open_nursery() as nursery, running(nursery, core, say) as referee:
            await _play(referee, phase(table, at_once, WARM_UP, sandbox))
            return [await _play(referee, phase(table, at_once, matches, sandbox)) for matches in sizes]


async def _peak(table: BenchTable, at_once: int, matches: int, core: int | None, say: Callable[[str], None]) -> int:
    """Play one phase with a fresh referee and return its largest resident size in bytes."""
    with off(core) if core is not None else nullcontext():
        async with trio.open_nursery() as nursery, running(nursery, core, say) as referee:
            await _play(referee, phase(table, at_once, matches))
            return peak_memory(referee.process.pid)


def phase(table: BenchTable, at_once: int, matches: int, sandbox: str = "auto") -> Phase:
    """Return a phase of so many matches of different deals, all seats held by processes of `random`."""
    field = find_bots(["random", "random"], samples(table.game.name))
    definition = define(table.game, table.options, field, rounds=matches, seats=table.seats)
    definition = replace(definition, block=matches, matches_at_once=at_once)
    secret = new_secret(1)
    first = next(Plan.of(definition, secret).iter_phases())
    return WorkUnit(first.id, {match.number: match for match in first.matches}).message(
        definition, secret, (), Hosting(sandbox)
    )


async def _play(referee: Referee, order: Phase) -> PhaseTimes:
    """Have a phase played and read the clocks meanwhile."""
    clocks = _Clocks(referee.process.pid)
    records: list[Record] = []
    began, ended = float("inf"), 0.0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clocks.watch)
        referee.play(order)
        async for response in referee.messages:
            now = time.perf_counter()
            if response.error:
                raise BenchError(f"the referee could not play: {response.error}")
            if response.records:
                ended = now
                began = min([began, *(now - record.duration_ms / 1000 for record in response.records)])
            records += response.records
            if response.ends:
                break
        else:
            raise RefereeError("the referee ended in the middle of a measurement" + await referee.why())
        nursery.cancel_scope.cancel()
    for record in records:
        for fault in record.faults:
            raise BenchError(f"a bot had a fault, so the figures are worth nothing: {fault.sentence}")
    referee_seconds, bot_seconds = clocks.since(began)
    return PhaseTimes(sum(sum(record.decisions) for record in records), ended - began, referee_seconds, bot_seconds)


class _Clocks:
    """The CPU time of a referee and its bots, over and over."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._referee, self._bots = CpuMeter(), CpuMeter()
        self._seen: list[tuple[float, float, float]] = []
        self._look()

    async def watch(self) -> None:
        while True:
            await trio.sleep(LOOK_SECONDS)
            self._look()

    def _look(self) -> None:
        self._referee.look([self._pid])
        self._bots.look(descendants(self._pid))
        self._seen.append((time.perf_counter(), self._referee.seconds, self._bots.seconds))

    def since(self, moment: float) -> tuple[float, float]:
        """Return what the referee and the bots have used since `moment`."""
        self._look()
        _, referee, bots = max(seen for seen in self._seen if seen[0] <= moment)
        return self._referee.seconds - referee, self._bots.seconds - bots


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
