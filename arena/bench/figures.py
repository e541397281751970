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
    like, where they matter.
    """

    name: str
    unit: str
    runs: tuple[float, ...]
    what: str
    conditions: Mapping[str, str | int]

    @property
    def value(self) -> float:
        """The median of the runs."""
        return median(self.runs)

    def to_json(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        return {
            "name": self.name,
            "value": rounded(self.value),
            "unit": self.unit,
            "runs": [rounded(value) for value in self.runs],
            "what": self.what,
            "conditions": dict(self.conditions),
        }


@dataclass(frozen=True, slots=True)
class Sampling:
    """How long to measure.

    runs: of everything within this process; whole_runs: of everything that starts processes.
    seconds: CPU time of each run within this process.
    decisions: about how many are played in each phase, by matches at once.
    rounds: of a whole tournament. pinnings: "one core", and "all cores" where that is measured too.
    starts: how often a command is started; confined_starts: and a program that does nothing.
    stored: about how many matches a database is filled with.
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
)


def rounded(value: float) -> float:
    """Return a value with four significant digits, whole numbers from 1000 up."""
    return round(value) if value >= 1000 else float(f"{value:.4g}")
