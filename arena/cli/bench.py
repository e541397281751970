"""`arena bench`: measure engine, protocol and whole tournaments on this machine."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.bench.figures import Figure

GROUPS = ("engine", "views", "protocol", "memory", "tourney", "start")

BUSY = 0.1
"""How many cores' worth of work of others makes wall times doubtful."""


@click.command("bench")
@click.option("--quick", is_flag=True, help="Shorter and fewer runs: under a minute instead of several.")
@click.option(
    "--only", multiple=True, type=click.Choice(GROUPS), help="Measure only this group; may be given several times."
)
@click.option("--game", default="cambio", show_default=True, metavar="GAME", help="The game that is played.")
@click.option(
    "--json",
    "target",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write one JSON object, without FILE to standard output.",
)
def command(quick: bool, only: tuple[str, ...], game: str, target: str | None) -> None:
    """Measure engine, protocol and whole tournaments on this machine.

    Each figure is the median of several runs, with the lowest and the highest beside it and the
    conditions under which it holds: mode, matches at once (K), sandbox, rotations. CPU times hold on a busy
    machine too; wall times do not, and a line says so where something else is running.

    engine: random play and copies; views: encoding what a seat sees; protocol: one referee and its
    bots; memory: of a referee; tourney: whole tournaments; start: time to the help and to the first match.
    """
    from arena.bench import machine
    from arena.bench.figures import FULL, QUICK
    from arena.bench.protocol import Table
    from arena.bench.suite import Suite
    from referee.engine import registry

    rules = registry.game(game)
    if target not in (None, "-"):
        _check_writable(target)
    here = machine.describe()
    table = Table(rules, rules.options(), rules.recommended, here["sandbox"])
    suite = Suite(table, QUICK if quick else FULL, lambda line: click.echo(line, err=True))
    busy = machine.busy_cores()
    figures = []
    for group in [group for group in GROUPS if group in only or not only]:
        click.echo(f"measuring {group} ...", err=True)
        figures += list(suite.measure(group))
    busy = max(busy, machine.busy_cores())
    here["busy_cores"] = round(busy, 2)
    measured = {"machine": here, "figures": [figure.to_json() for figure in figures]}
    if target == "-":
        click.echo(json.dumps(measured, indent=2, ensure_ascii=False))
        return
    if target:
        Path(target).write_text(json.dumps(measured, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    _print(here, figures)


def _check_writable(target: str | None) -> None:
    """Raise BadParameter now, and not after minutes of measuring, where the file cannot be written."""
    try:
        Path(target or "").open("a").close()
    except OSError as error:
        raise click.BadParameter(f"{target} cannot be written: {error.strerror}", param_hint="--json") from None


def _print(machine: dict[str, Any], figures: "Sequence[Figure]") -> None:
    from tabulate import tabulate

    click.echo(f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_mb']:,} MB, {machine['system']}")
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    click.echo(f"{machine['python']}, {versions} (protobuf: {machine['protobuf_backend']})")
    click.echo(f"Sandbox {machine['sandbox']}; a step of a plain Python loop takes {machine['reference_ns']} ns")
    if machine["busy_cores"] > BUSY:
        click.echo(f"Something else keeps {machine['busy_cores']} cores busy: trust the CPU times, not the wall times.")
    click.echo()
    rows = [
        (
            figure.name,
            _number(figure.value),
            figure.unit,
            f"{_number(min(figure.runs))} - {_number(max(figure.runs))}" if len(figure.runs) > 1 else "",
            len(figure.runs),
            ", ".join(_condition(name, value) for name, value in figure.conditions.items()),
        )
        for figure in figures
    ]
    headers = ("figure", "median", "unit", "lowest - highest", "runs", "conditions")
    click.echo(tabulate(rows, headers, disable_numparse=True, colalign=("left", "right", "left", "left", "right")))
    click.echo()
    for figure in figures:
        click.echo(f"{figure.name}: {figure.what}")


def _number(value: float) -> str:
    from arena.bench.figures import rounded

    shown = rounded(value)
    return f"{shown:,}"


def _condition(name: str, value: str | int) -> str:
    """Return a condition as people say it."""
    if name == "time":
        return f"{value} time"
    if name in ("game", "cores"):
        return str(value)
    if name in ("K", "mode", "sandbox"):
        return f"{name} {value}"
    return f"{value:,} {name}" if isinstance(value, int) else f"{name} {value}"
