"""What a bot costs in each language: `random` of every sample library, at tables of its own kind.

A phase is split, so that no figure mixes the start of a process, its warm-up and its steady play:

    start    until the first match starts
    warm-up  what the first part of the play costs beyond the steady rate: compilers at run time, caches, page faults
    steady   the middle of the phase, when as many matches are under way as ever
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import median

import trio
from msgspec import structs

from arena.bench.figures import Figure, Sampling
from arena.bench.processes import off, spare_core
from arena.bench.protocol import BenchTable, WatchedPhase, phase, run_measurement, watch_phase
from arena.bench.yardstick import Yardstick
from arena.packs.errors import ManifestError
from arena.packs.manifest import FILE, read_manifest
from arena.plan.field import entrant_from_manifest, find_bots, samples
from arena.run.referees import running
from arena.values.definition import Entrant
from referee.v1.work_pb2 import Phase

SEATS = 4

STEADY = (0.4, 0.8)
"""The part of a phase's decisions that counts as steady play: before the last matches start to run out."""

ONE_AT_A_TIME = 8
"""A bot that plays one match at a time plays so many times fewer decisions: each costs it more."""

WARM_UP = 4
"""Matches that a fresh referee plays with bots in Python before the first phase that counts."""


@dataclass(frozen=True, slots=True)
class LanguageBot:
    """The bot `random` of a language."""

    language: str
    entrant: Entrant
    limit: int = 0
    """The most matches at once that it plays; 0: any number."""


@dataclass(frozen=True, slots=True)
class PhaseCosts:
    """What one phase cost."""

    ready: float
    """Seconds from the order until the first match started."""
    start: float
    """CPU seconds of one process until the first match started."""
    warm_up: float
    """CPU seconds of one process for its first decisions, beyond what as many take in steady play."""
    decision: float
    """CPU seconds of the bots per decision of steady play."""
    rate: float
    """Decisions per second of steady play."""
    memory: int
    """The largest memory of a process of the bots, in bytes."""


def folder() -> Path:
    """Return the folder of the sample bots: that of the checkout that is the current folder, else the installed one."""
    here = Path("sample_bots").absolute()
    return here if here.is_dir() else samples(None)["random"].parents[1]


def find_language_bots(game: str, root: Path, say: Callable[[str], None]) -> Iterator[LanguageBot]:
    """Yield the bots that are built, Python's first; `say` is told which are skipped and why."""
    (python,) = find_bots(["random"], samples(game))
    yield LanguageBot("python", python)
    for path in sorted(root.glob(f"*/{FILE}")):
        language = path.parent.name
        manifest = read_manifest(path)
        try:
            entrant = entrant_from_manifest(manifest, path.parent, language)
        except ManifestError as error:
            say(f"skipped {language}: {error}")
            continue
        entrant = structs.replace(entrant, command=(*entrant.command, "random"), games=())
        yield LanguageBot(language, entrant, manifest.limits.matches_at_once or 0)


def measure(
    table: BenchTable, decisions_per_match: float, sampling: Sampling, say: Callable[[str], None]
) -> Iterator[Figure]:
    """Yield the figures of every language whose bot is built."""
    table = replace(table, seats=min(SEATS, table.game.most_seats(table.options)))
    for bot in find_language_bots(table.game.name, folder(), say):
        yield from measure_bot(bot, table, decisions_per_match, sampling, say)


def measure_bot(
    bot: LanguageBot, table: BenchTable, decisions_per_match: float, sampling: Sampling, say: Callable[[str], None]
) -> Iterator[Figure]:
    """Yield the figures of one bot."""
    conditions: dict[str, str | int] = {
        "game": table.game.name, "seats": table.seats, "mode": "fast", "sandbox": table.sandbox, "cores": "one core"
    }  # fmt: skip
    name = f"languages.{bot.language}"
    played: list[PhaseCosts] = []
    for at_once, decisions in sampling.languages.items():
        if bot.limit and at_once > bot.limit:
            continue
        share = ONE_AT_A_TIME if bot.limit == 1 else 1
        matches = max(4 * at_once, round(decisions / share / decisions_per_match))
        orders = [phase(table, at_once, matches, bots=(bot.entrant, bot.entrant))] * sampling.whole_runs
        warm_up = phase(table, 1, WARM_UP)
        watched, yardstick = run_measurement(_play_phases, warm_up, orders, say, sampling.yardstick)
        costs = [phase_costs(process, table.seats) for process in watched]
        played += costs
        own = conditions | {"K": at_once, "matches": matches}
        steady = "in the middle of a phase, with as many matches under way as ever"
        values = tuple(cost.rate for cost in costs)
        yield Figure(f"{name}.k{at_once}", "decisions/s", values, f"decisions {steady}", own | {"time": "wall"})
        values = tuple(cost.decision * 1e6 for cost in costs)
        what = f"CPU time of the bots {steady}"
        cpu_time = own | {"time": "CPU"}
        yield Figure(f"{name}.k{at_once}.bots", "µs/decision", values, what, cpu_time, values, yardstick)
    cpu, wall = conditions | {"time": "CPU"}, conditions | {"time": "wall"}
    values = tuple(cost.warm_up * 1e3 for cost in costs)
    what = "CPU time of one process in the first 40 % of the decisions beyond what they would cost at the later rate"
    yield Figure(f"{name}.warm_up", "ms", values, what, cpu | {"K": own["K"]})
    values = tuple(cost.start * 1e3 for cost in played)
    yield Figure(f"{name}.start", "ms", values, "CPU time of one process until the first match starts", cpu)
    values = tuple(cost.ready * 1e3 for cost in played)
    what = f"from the order of a phase until its first match starts: {table.seats} processes started on one core"
    yield Figure(f"{name}.ready", "ms", values, what, wall)
    memory = (median(cost.memory for cost in costs) / 2**20,)
    yield Figure(f"{name}.memory", "MiB", memory, "largest resident size of a process (or of its bridge)", conditions)


async def _play_phases(
    warm_up: Phase, orders: list[Phase], say: Callable[[str], None], yardstick_seconds: float
) -> tuple[list[WatchedPhase], tuple[float, ...]]:
    """Play phases after one that warms the referee up; return them, and beside each what the yardstick costs."""
    core = spare_core()
    with off(core):
        async with trio.open_nursery() as nursery, running(nursery, core, say) as referee:
            await watch_phase(referee, warm_up)
            yardstick = Yardstick(yardstick_seconds, core)
            watched = []
            for order in orders:
                watched.append(await watch_phase(referee, order))
                yardstick.read()
            return watched, yardstick.beside


def phase_costs(watched: WatchedPhase, processes: int) -> PhaseCosts:
    """Split the CPU time of a phase into the parts that its bots' start, warm-up and steady play took."""
    began, ended = watched.began, watched.ended
    moments = [began + (ended - began) * step / 1000 for step in range(1001)]
    progress = [_decisions_until(watched, moment) for moment in moments]
    first, last = (bisect_left(progress, part * watched.decisions) for part in STEADY)
    seconds, decisions = moments[last] - moments[first], progress[last] - progress[first]
    _, steady = watched.clocks.between(moments[first], moments[last])
    _, start = watched.clocks.between(-inf, began)
    _, early = watched.clocks.between(began, moments[first])
    return PhaseCosts(
        ready=began - watched.ordered,
        start=start / processes,
        warm_up=(early - progress[first] * steady / decisions) / processes,
        decision=steady / decisions,
        rate=decisions / seconds,
        memory=max(watched.clocks.memory.values(), default=0),
    )


def _decisions_until(watched: WatchedPhase, moment: float) -> float:
    """Return how many decisions were played up to a moment, those of a match spread evenly over its duration."""
    total = 0.0
    for ended, record in watched.records:
        duration = record.duration_ms / 1000
        share = 1.0 if moment >= ended else max(0.0, 1 - (ended - moment) / duration) if duration else 0.0
        total += sum(record.decisions) * share
    return total
