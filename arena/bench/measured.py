"""Measured figures with the machine that they were measured on, as JSON and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bench.figures import BenchError, Figure

_MACHINE = ("cpu", "cores", "memory_mb", "system", "python")
"""What makes a machine (and the interpreter on it) the same as another."""

_LEAST, _MOST = 1e-9, 1e15
"""What a value of a figure may be, beside 0: nothing that was measured is beyond."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run of `arena bench` measured."""

    machine: Mapping[str, Any]
    """The machine, as `arena.bench.machine_info.describe` returns it."""
    figures: Sequence[Figure]

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {"machine": dict(self.machine), "figures": [figure.to_json() for figure in self.figures]}

    @property
    def yardstick(self) -> int | None:
        """The version of the yardstick that its ratios are to; None where it has none."""
        yardstick = self.machine.get("yardstick")
        version = yardstick.get("version") if isinstance(yardstick, dict) else None
        return version if isinstance(version, int) else None

    def differences(self, other: "Measured") -> list[str]:
        """Return what differs on another machine, with both values; nothing where it seems to be the same."""
        return [
            f"{name}: {self.machine.get(name)}, {other.machine.get(name)}"
            for name in _MACHINE
            if self.machine.get(name) != other.machine.get(name)
        ]


def read_measured(path: Path) -> Measured:
    """Read what `arena bench --json FILE` wrote. Raises BenchError if the file is none."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        machine = values["machine"]
        if not all(isinstance(machine[name], (str, int)) for name in _MACHINE):
            raise ValueError
        return Measured(machine, [_figure(figure) for figure in values["figures"]])
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise BenchError(f"{path} is no file that `arena bench --json FILE` wrote: measure again") from None


def _figure(values: Any) -> Figure:
    conditions = values["conditions"]
    for value in conditions.values():
        if not isinstance(value, (str, int)):
            raise TypeError
    cpu = _runs(values["cpu_us"]["runs"]) if "cpu_us" in values else ()
    yardstick = _runs(values["yardstick_us"]["runs"]) if cpu else ()
    if len(cpu) != len(yardstick) or not all(yardstick):
        raise ValueError
    name, unit, what = (str(values[key]) for key in ("name", "unit", "what"))
    return Figure(name, unit, _runs(values["runs"]), what, conditions, cpu, yardstick)


def _runs(values: Any) -> tuple[float, ...]:
    runs = tuple(map(float, values))
    if not runs or not all(value == 0 or _LEAST < value < _MOST for value in runs):
        raise ValueError
    return runs
