"""Figures as people read them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import Any

from arena.bench.figures import Figure, number
from arena.values.text_table import Column, TextTable, text_column, word_column

BUSY = 0.1
"""How many cores' worth of work of others makes wall times doubtful."""

_COLUMNS = (
    text_column("figure"),
    Column("median"),
    word_column("unit"),
    text_column("lowest - highest", drop=3),
    Column("runs", drop=1),
)
_CPU_COLUMNS = (Column("CPU µs/decision"), Column("ratio"), text_column("lowest - highest", drop=2))
_CONDITIONS = text_column("")


def text(machine: dict[str, Any], figures: Sequence[Figure], width: int | None = None) -> str:
    """Return the machine, then a table for each group under the conditions that all its figures share.

    width: cells that no line of a table may exceed; None: any number.
    """
    return "\n".join([*_machine(machine), *_tables(figures, width)])


def _machine(machine: dict[str, Any]) -> Iterator[str]:
    yield f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_mb']:,} MB, {machine['system']}"
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    yield f"{machine['python']}, {versions} (protobuf: {machine['protobuf_backend']})"
    yield f"Rules {machine['rules']}, codec {machine['codec']}, sandbox {machine['sandbox']}"
    yardstick = machine["yardstick"]
    yield f"A decision of the yardstick (version {yardstick['version']}) takes {yardstick['us']} µs; ratios are to it"
    if machine["busy_cores"] > BUSY:
        yield f"Something else kept {machine['busy_cores']} cores busy: wall times mean little, CPU times are too long."


def _tables(figures: Sequence[Figure], width: int | None) -> Iterator[str]:
    for group, members in groupby(figures, key=_group):
        listed = list(members)
        common = dict(set.intersection(*(set(figure.conditions.items()) for figure in listed)))
        shared = ", ".join(_conditions({name: common[name] for name in listed[0].conditions if name in common}))
        yield ""
        yield f"{group}: {shared}" if shared else group
        with_cpu = any(figure.cpu for figure in listed)
        columns = (*_COLUMNS, *_CPU_COLUMNS * with_cpu, _CONDITIONS)
        yield TextTable(columns, [_row(figure, common, with_cpu) for figure in listed]).render(width=width)


def _group(figure: Figure) -> str:
    """Return under what a figure is listed: its group, and each peer on its own, as each has its own conditions."""
    words = figure.name.split(".")
    return ".".join(words[:2]) if words[0] == "peers" else words[0]


def _row(figure: Figure, common: dict[str, str | int], with_cpu: bool) -> tuple[str, ...]:
    own = {name: value for name, value in figure.conditions.items() if name not in common}
    cpu: tuple[str, ...] = ("", "", "") if with_cpu else ()
    if figure.cpu:
        cpu = number(median(figure.cpu)), number(median(figure.ratios)), _span(figure.ratios)
    value, span = number(figure.value), _span(figure.runs)
    return figure.name, value, figure.unit, span, str(len(figure.runs)), *cpu, ", ".join(_conditions(own))


def _span(runs: tuple[float, ...]) -> str:
    return f"{number(min(runs))} - {number(max(runs))}" if len(runs) > 1 else ""


def _conditions(conditions: dict[str, str | int]) -> Iterator[str]:
    """Yield conditions as people say them."""
    for name, value in conditions.items():
        if name == "time":
            yield f"{value} time"
        elif name in ("game", "cores", "version"):
            yield str(value)
        elif name in ("K", "mode", "sandbox"):
            yield f"{name} {value}"
        else:
            yield f"{value:,} {name}" if value != 1 else f"{value} {name.removesuffix('s')}"
