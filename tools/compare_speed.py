"""Measure two checkouts in turn, and say whether this one is slower: the load of a machine changes more than code does.

    python -m tools.compare_speed OTHER [--rounds N] [--loss PERCENT] [--only GROUP]... [-- COMMAND...]

OTHER is the folder of another checkout with its own .venv (`git worktree add`, then `make .venv/.dev`). Both run
`arena bench --quick` with the groups of `--only`, or COMMAND, which finds the programs of its own .venv first. They
take turns, N times, and each begins every second round. A figure is what a thing costs: of `arena bench` CPU time per
decision where it has that; of a COMMAND its seconds and the CPU seconds of all its processes.

Of each figure the ratio (here / there) of each round is taken, and of these the median and the interval that holds the
true median with at least 95 %: all but a few at both ends, as the sign test says, and from 6 rounds on. A figure is
*slower* if the median is above the loss and the interval above 1. It is *unclear* if only the interval reaches above
the loss: more rounds would tell. The exit code is 1 if one is slower, and 2 if something cannot be measured.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import monotonic
from typing import Literal, TypeAlias

from tabulate import tabulate

HERE = Path(__file__).resolve().parent.parent
GROUPS = ("engine", "views", "protocol", "tourney")
"""Of `arena bench`: what is measured unless something else is asked for."""

CONFIDENCE = 0.95

Costs: TypeAlias = Mapping[str, float]
"""What one run found, by the names of figures; less is better."""

Run: TypeAlias = Callable[[Path], Costs]
"""Measures a checkout once."""


class CannotMeasure(Exception):
    """A checkout cannot be measured; the text says why."""


@dataclass(frozen=True)
class Comparison:
    """One figure of both checkouts."""

    name: str

    here: Sequence[float]
    there: Sequence[float]
    """What it cost in each round."""

    loss: float
    """The largest loss that is allowed, as a part of 1."""

    @property
    def ratios(self) -> list[float]:
        """Here / there, of each round, in ascending order."""
        return sorted(here / there for here, there in zip(self.here, self.there, strict=True))

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """What holds the true median of the ratios with at least 95 %, if there are enough rounds for that."""
        ratios = self.ratios
        rounds, left_out = len(ratios), 0
        # The true median lies outside the k-th from both ends with the chance that fewer than k of the ratios are
        # below it, or above it: that of fewer than k heads or tails.
        while left_out < (rounds - 1) // 2 and _outside(rounds, left_out + 1) <= 1 - CONFIDENCE:
            left_out += 1
        return ratios[left_out], ratios[rounds - 1 - left_out]

    @property
    def verdict(self) -> Literal["slower", "unclear", ""]:
        """Whether it has become slower."""
        low, high = self.interval
        if self.ratio > 1 + self.loss and low > 1:
            return "slower"
        return "unclear" if high > 1 + self.loss else ""


def _outside(rounds: int, left_out: int) -> float:
    """Return the chance that the median is beyond the values that remain, with `left_out` fewer at each end."""
    return 2.0 ** (1 - rounds) * sum(comb(rounds, heads) for heads in range(left_out + 1))


def compare(other: Path, run: Run, rounds: int, loss: float, here: Path) -> list[Comparison]:
    """Measure both checkouts in turn. Raises CannotMeasure."""
    found: dict[Path, list[Costs]] = {here: [], other: []}
    for number in range(rounds):
        for checkout in (here, other) if number % 2 else (other, here):
            found[checkout].append(run(checkout))
            print(f"round {number + 1} of {rounds}: {checkout} is measured", file=sys.stderr, flush=True)
    names = [name for name in found[here][0] if all(costs.get(name) for costs in (*found[here], *found[other]))]
    if not names:
        raise CannotMeasure("the two checkouts have no figure in common")
    return [
        Comparison(name, [costs[name] for costs in found[here]], [costs[name] for costs in found[other]], loss)
        for name in names
    ]


def benchmark(groups: Sequence[str]) -> Run:
    """Return what measures some groups of `arena bench`."""
    command = ["arena", "bench", "--quick", *(word for group in groups for word in ("--only", group)), "--json", "-"]

    def run(checkout: Path) -> Costs:
        _, _, printed = _timed(command, checkout)
        return {figure["name"]: _cost(figure) for figure in json.loads(printed)["figures"]}

    return run


def _cost(figure: Mapping[str, object]) -> float:
    """Return what a figure of `arena bench` says as a cost: less is better."""
    cpu = figure.get("cpu_us")
    if isinstance(cpu, dict):
        return float(cpu["value"])
    value = float(str(figure["value"]))
    return 1 / value if value and str(figure["unit"]).endswith("/s") else value


def timed(command: Sequence[str]) -> Run:
    """Return what measures how long a command takes."""

    def run(checkout: Path) -> Costs:
        seconds, cpu, _ = _timed(command, checkout)
        return {"seconds": seconds, "CPU seconds": cpu}

    return run


def _timed(command: Sequence[str], checkout: Path) -> tuple[float, float, str]:
    """Run a command in a checkout; return its seconds, those of CPU time of all its processes, and what it printed."""
    programs = checkout / ".venv" / "bin"
    if not programs.is_dir():
        raise CannotMeasure(f"{checkout} has no .venv: run `make .venv/.dev` there")
    env = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    env.pop("PYTHONPATH", None)
    with TemporaryFile("w+") as printed, TemporaryFile("w+") as errors:
        began = monotonic()
        try:
            words = ["env", *command]  # which looks for the program in the new PATH
            process = subprocess.Popen(words, cwd=checkout, env=env, stdout=printed, stderr=errors)
        except OSError as error:
            raise CannotMeasure(f"{checkout}: {error}") from None
        _, status, usage = os.wait4(process.pid, 0)
        seconds = monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        errors.seek(0)
        if process.returncode:
            raise CannotMeasure(
                f"{' '.join(command)} failed in {checkout} with exit code {process.returncode}:\n"
                f"{printed.read()[-1000:]}{errors.read()[-2000:]}"
            )
        return seconds, usage.ru_utime + usage.ru_stime, printed.read()


def table(compared: Sequence[Comparison]) -> str:
    """Return the comparison as people read it."""
    rows = [
        (
            comparison.name,
            f"{median(comparison.here):.4g}",
            f"{median(comparison.there):.4g}",
            f"{comparison.ratio:.3f}",
            f"{comparison.interval[0]:.3f} - {comparison.interval[1]:.3f}",
            comparison.verdict,
        )
        for comparison in compared
    ]
    headers = ("cost", "here", "there", "here / there", "interval", "")
    alignment = ("left", "right", "right", "right", "right", "left")
    return tabulate(rows, headers, disable_numparse=True, colalign=alignment)


def main(words: Sequence[str] | None = None, here: Path = HERE) -> int:
    """Run the command; return its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    own, command = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    parser = argparse.ArgumentParser(description="Measure two checkouts in turn.", epilog="Then: -- COMMAND...")
    parser.add_argument("other", type=Path, metavar="OTHER", help="the folder of the other checkout")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured (default: 7)")
    parser.add_argument("--loss", type=float, default=3.0, metavar="PERCENT", help="what is allowed (default: 3)")
    parser.add_argument(
        "--only", action="append", metavar="GROUP", help=f"of arena bench (default: {' '.join(GROUPS)})"
    )
    options = parser.parse_args(own)
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    run = timed(command) if command else benchmark(options.only or GROUPS)
    try:
        compared = compare(options.other.resolve(), run, options.rounds, options.loss / 100, here)
    except CannotMeasure as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(table(compared))
    slower = [comparison.name for comparison in compared if comparison.verdict == "slower"]
    if slower:
        print(f"slower by more than {options.loss:g} %: {', '.join(slower)}")
    if unclear := [comparison.name for comparison in compared if comparison.verdict == "unclear"]:
        print(f"unclear, more rounds would tell: {', '.join(unclear)}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
