"""Figures, and how long to measure for one."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from arena.values.errors import ArenaError


class BenchError(ArenaError):
    """What was to be measured did not happen as it should."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    """Its group and what it measures, as "group.what"."""
    unit: str
    """The unit of the values."""
    runs: tuple[float, ...]
    """One value per run, after a warm-up where one is said."""
    what: str
    """What was counted and timed, in one line."""
    conditions: Mapping[str, str | int]
    """The mode, K, sandbox, rotations and the like, where they matter."""
    cpu: tuple[float, ...] = ()
    """Of a figure about decisions, the CPU time per decision of each run, in µs, of all processes that the figure
    counts; else empty.
    """
    yardstick: tuple[float, ...] = ()
    """For each value of `cpu`, the CPU time of a decision of the yardstick at that time, in µs."""

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
    """How long to measure."""

    runs: int
    """The runs of everything that is measured within this process."""
    whole_runs: int
    """The runs of everything that starts processes."""
    seconds: float
    """The CPU time of each run within this process, in seconds."""
    decisions: Mapping[int, int]
    """About how many decisions are played in each phase, by matches at once."""
    rounds: int
    """The rounds of a whole tournament."""
    pinnings: tuple[str, ...]
    """The cores to measure on: "one core", and "all cores" where that is measured too."""
    starts: int
    """How often a command is started."""
    confined_starts: int
    """How often a program that does nothing is started in each sandbox."""
    stored: int
    """About how many matches a database is filled with."""
    languages: Mapping[int, int]
    """About how many decisions bots of one language play in each phase, by matches at once."""
    yardstick: float
    """The CPU time of each reading of the yardstick, in seconds."""
    alternations: int
    """How often arena and its peers take turns."""
    peer_moves: int
    """About how many moves a peer plays each time."""


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
