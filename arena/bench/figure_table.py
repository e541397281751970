"""Figures as people read them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from tabulate import tabulate

from arena.bench.figures import Figure, rounded

BUSY = 0.1
"""How many cores' worth of work of others makes wall times doubtful."""

_HEADERS = ("figure", "median", "unit", "lowest - highest", "runs", "")


def text(machine: dict[str, Any], figures: Sequence[Figure]) -> str:
    """Return the machine, then a table for each group under the conditions that all its figures share."""
    return "\n".join([*_machine(machine), *_tables(figures)])


def _machine(machine: dict[str, Any]) -> Iterator[str]:
    yield f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_mb']:,} MB, {machine['system']}"
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    yield f"{machine['python']}, {versions} (protobuf: {machine['protobuf_backend']}), rules {machine['rules']}"
    yield f"Sandbox {machine['sandbox']}; a step of a plain Python loop takes {machine['reference_ns']} ns"
    if machine["busy_cores"] > BUSY:
        yield f"Something else kept {machine['busy_cores']} cores busy: wall times mean little, CPU times are too long."


def _tables(figures: Sequence[Figure]) -> Iterator[str]:
    for group, members in groupby(figures, key=lambda figure: figure.name.partition(".")[0]):
        listed = list(members)
        common = dict(set.intersection(*(set(figure.conditions.items()) for figure in listed)))
        shared = ", ".join(_conditions({name: common[name] for name in listed[0].conditions if name in common}))
        yield ""
        yield f"{group}: {shared}" if shared else group
        yield tabulate(
            [_row(figure, common) for figure in listed],
            _HEADERS,
            disable_numparse=True,
            colalign=("left", "right", "left", "left", "right", "left"),
        )


def _row(figure: Figure, common: dict[str, str | int]) -> tuple[str, ...]:
    own = {name: value for name, value in figure.conditions.items() if name not in common}
    span = f"{_number(min(figure.runs))} - {_number(max(figure.runs))}" if len(figure.runs) > 1 else ""
    return figure.name, _number(figure.value), figure.unit, span, str(len(figure.runs)), ", ".join(_conditions(own))


def _number(value: float) -> str:
    return f"{rounded(value):,}"


def _conditions(conditions: dict[str, str | int]) -> Iterator[str]:
    """Yield conditions as people say them."""
    for name, value in conditions.items():
        if name == "time":
            yield f"{value} time"
        elif name in ("game", "cores"):
            yield str(value)
        elif name in ("K", "mode", "sandbox"):
            yield f"{name} {value}"
        else:
            yield f"{value:,} {name}" if value != 1 else f"{value} {name.removesuffix('s')}"
