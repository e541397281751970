"""Figures, and how long to measure for one."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from arena.errors import ArenaError


class BenchError(ArenaError):
    """What was to be measured did not happen as it should."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number.

    name: "group.what". unit: of the values. runs: one value per run, after a warm-up where one is said.
    what: what was counted and timed, in one line. conditions: mode, K, sandbox, rotations and the
    like, where they matter. cpu: of a figure about decisions, the CPU time per decision of each run, in µs, of all
    processes that the figure counts. yardstick: beside each of these, the CPU time of a decision of the yardstick.
    """

    name: str
    unit: str
    runs: tuple[float, ...]
    what: str
    conditions: Mapping[str, str | int]
    cpu: tuple[float, ...] = ()
    yardstick: tuple[float, ...] = ()

    @property
    def value(self) -> float:
        """The median of the runs."""
        return median(self.runs)

    @property
    def ratios(self) -> tuple[float, ...]:
        """CPU time per decision of each run by that of the yardstick."""
        return tuple(spent / beside for spent, beside in zip(self.cpu, self.yardstick, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        values = {
            "name": self.name,
            **_spread(self.runs),
            "unit": self.unit,
            "what": self.what,
            "conditions": dict(self.conditions),
        }
        if self.cpu:
            values["cpu_us"] = _spread(self.cpu)
            values["yardstick_us"] = _spread(self.yardstick)
            values["ratio"] = _spread(self.ratios)
        return values


@dataclass(frozen=True, slots=True)
class Sampling:
    """How long to measure.

    runs: of everything within this process; whole_runs: of everything that starts processes.
    seconds: CPU time of each run within this process.
    decisions: about how many are played in each phase, by matches at once.
    rounds: of a whole tournament. pinnings: "one core", and "all cores" where that is measured too.
    starts: how often a command is started; confined_starts: and a program that does nothing.
    stored: about how many matches a database is filled with.
    languages: about how many decisions bots of one language play in each phase, by matches at once.
    yardstick: CPU time of each reading of the yardstick, in seconds.
    alternations: how often arena and its peers take turns; peer_moves: about how many moves a peer plays each time.
    """

    runs: int
    whole_runs: int
    seconds: float
    decisions: Mapping[int, int]
    rounds: int
    pinnings: tuple[str, ...]
    starts: int
    confined_starts: int
    stored: int
    languages: Mapping[int, int]
    yardstick: float
    alternations: int
    peer_moves: int


FULL = Sampling(
    runs=5,
    whole_runs=3,
    seconds=1.0,
    decisions={1: 8_000, 16: 60_000, 64: 150_000, 256: 300_000, 512: 300_000},
    rounds=500,
    pinnings=("one core", "all cores"),
    starts=9,
    confined_starts=60,
    stored=1_000_000,
    languages={1: 8_000, 16: 60_000, 512: 400_000},
    yardstick=0.5,
    alternations=5,
    peer_moves=200_000,
)
QUICK = Sampling(
    runs=3,
    whole_runs=1,
    seconds=0.3,
    decisions={1: 2_000, 16: 15_000, 64: 40_000, 256: 100_000, 512: 150_000},
    rounds=50,
    pinnings=("one core",),
    starts=3,
    confined_starts=20,
    stored=20_000,
    languages={1: 1_000, 16: 10_000, 128: 100_000},
    yardstick=0.2,
    alternations=2,
    peer_moves=40_000,
)


def _spread(runs: tuple[float, ...]) -> dict[str, Any]:
    return {"value": rounded(median(runs)), "runs": [rounded(value) for value in runs]}


def rounded(value: float) -> float:
    """Return a value with four significant digits, whole numbers from 1000 up."""
    return round(value) if value >= 1000 else float(f"{value:.4g}")


def number(value: float) -> str:
    """Return a value as people read it: four significant digits, thousands apart."""
    return f"{rounded(value):,}"
