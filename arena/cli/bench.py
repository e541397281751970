"""`arena bench`: measure engine, protocol and whole tournaments on this machine."""

from pathlib import Path

import click

from arena.cli.output import echo
from arena.texts import json_text

GROUPS = ("engine", "views", "protocol", "memory", "tourney", "clock", "sandbox", "start", "store")
"""As `arena.bench.suite` has them, which is imported only to measure."""


@click.command("bench")
@click.option("--quick", is_flag=True, help="Shorter and fewer runs: a minute instead of several.")
@click.option("--only", multiple=True, type=click.Choice(GROUPS), help="Measure only this group; repeatable.")
@click.option("--game", default="cambio", show_default=True, metavar="GAME", help="The game to play.")
@click.option(
    "--json",
    "target",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write one JSON object to FILE, or to standard output.",
)
def command(quick: bool, only: tuple[str, ...], game: str, target: str | None) -> None:
    """Measure engine, protocol and whole tournaments on this machine.

    Each figure is the median of several runs, printed with the lowest, the highest and the conditions under which it
    holds: mode, matches at once (K), sandbox, rotations. Keep the machine idle meanwhile: other load spoils wall times
    and lengthens CPU times, and a warning is printed.

    engine: random play and copies; views: encoding what a seat sees; protocol: one referee and its bots; memory: of
    a referee; tourney: whole tournaments; clock: answers delayed by the machine; sandbox: each sandbox mode; start:
    time to the help and to the first match; store: a database of a million matches.
    """
    from arena.bench import machine_info
    from arena.bench.figure_table import text
    from arena.bench.figures import FULL, QUICK
    from arena.bench.protocol import BenchTable
    from arena.bench.suite import BenchSuite
    from referee.engine import registry

    rules = registry.game(game)
    if target not in (None, "-"):
        _check_writable(target)
    description = machine_info.describe()
    table = BenchTable(rules, rules.options(), rules.recommended, description["sandbox"])
    suite = BenchSuite(table, QUICK if quick else FULL, lambda line: echo(line, err=True))
    busy = machine_info.busy_cores()
    figures = []
    for group in [group for group in GROUPS if group in only or not only]:
        echo(f"measuring {group} ...", err=True)
        figures += list(suite.measure(group))
    busy = max(busy, machine_info.busy_cores())
    description["busy_cores"] = round(busy, 2)
    measured = {"machine": description, "figures": [figure.to_json() for figure in figures]}
    if target == "-":
        echo(json_text(measured, indent=2))
        return
    if target:
        Path(target).write_text(json_text(measured, indent=2) + "\n", encoding="utf-8")
    echo(text(description, figures))


def _check_writable(target: str | None) -> None:
    """Raise BadParameter where the file cannot be written, before minutes of measuring."""
    try:
        Path(target or "").open("a").close()
    except OSError as error:
        raise click.BadParameter(f"{target} cannot be written: {error.strerror}", param_hint="--json") from None
