"""`arena bench`: measure engine, protocol and whole tournaments on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import PathType
from arena.cli.output import echo, table_width
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.bench.measured import Measured
    from arena.bench.peers import Peers

GROUPS = (
    "engine", "views", "protocol", "memory", "tourney", "clock", "sandbox", "start", "languages", "store", "peers"
)  # fmt: skip
"""As `arena.bench.suite` has them, which is imported only to measure."""

_PROGRAM = PathType(exists=True, dir_okay=False, executable=True, path_type=Path)
_FILE = PathType(exists=True, dir_okay=False, path_type=Path)


@click.command("bench")
@click.option("--quick", is_flag=True, help="Shorter and fewer runs: a minute instead of several.")
@click.option("--only", multiple=True, type=click.Choice(GROUPS), help="Measure only this group; repeatable.")
@click.option("--game", default="cambio", show_default=True, metavar="GAME", help="The game to play.")
@click.option("--fastchess", type=_PROGRAM, metavar="PATH", help="Measure this fastchess in turn with arena (peers).")
@click.option("--c-chess-cli", type=_PROGRAM, metavar="PATH", help="Measure this c-chess-cli too.")
@click.option("--cutechess-cli", type=_PROGRAM, metavar="PATH", help="Measure this cutechess-cli too.")
@click.option("--engine", type=_PROGRAM, metavar="PATH", help="The UCI engine that plays for them, instead of arena's.")
@click.option(
    "--compare", "old", type=_FILE, metavar="OLD.json", help="Compare with OLD.json, which --json wrote earlier."
)
@click.option("--with", "new", type=_FILE, metavar="NEW.json", help="Compare NEW.json with OLD.json; measure nothing.")
@click.option(
    "--json",
    "target",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write one JSON object to FILE, or to standard output.",
)
def command(
    quick: bool,
    only: tuple[str, ...],
    game: str,
    fastchess: Path | None,
    c_chess_cli: Path | None,
    cutechess_cli: Path | None,
    engine: Path | None,
    old: Path | None,
    new: Path | None,
    target: str | None,
) -> None:
    """Measure engine, protocol and whole tournaments on this machine.

    Each figure is the median of several runs, printed with the lowest, the highest and the conditions under which it
    holds: mode, matches at once (K), sandbox, rotations. Figures about decisions also have their CPU time per decision,
    and its ratio to that of a small fixed game in plain Python, read in turn with the runs: compare machines by the
    ratios. Keep the machine idle meanwhile: other load spoils wall times and lengthens CPU times, and a warning is
    printed.

    engine: random play and copies; views: encoding what a seat sees; protocol: one referee and its bots; memory: of
    a referee; tourney: whole tournaments; clock: answers delayed by the machine; sandbox: each sandbox mode; start:
    time to the help and to the first match; languages: the sample bots in other languages that are built (`make bots`);
    store: a database of a million matches; peers: match managers of chess, if they are given.
    """
    from arena.bench.comparison import Comparison
    from arena.bench.figure_table import text
    from arena.bench.measured import read_measured

    if new and not old:
        raise click.UsageError("--with NEW.json needs --compare OLD.json: the file to compare it with")
    earlier = read_measured(old) if old else None
    if target and target != "-":
        _check_writable(target)
    if new:
        measured = read_measured(new)
    else:
        measured = _measure(quick, only, game, _peers(only, fastchess, c_chess_cli, cutechess_cli, engine))
    comparison = Comparison(earlier, measured) if earlier else None
    values = {} if new else measured.to_json()
    if comparison:
        values["comparison"] = comparison.to_json()
    if target == "-":
        echo(json_text(values, indent=2))
        return
    if target:
        Path(target).write_text(json_text(values, indent=2) + "\n", encoding="utf-8")
    if not new:
        echo(text(dict(measured.machine), measured.figures, table_width()))
    if comparison:
        echo(("" if new else "\n") + comparison.text(table_width()))


def _peers(
    only: tuple[str, ...],
    fastchess: Path | None,
    c_chess_cli: Path | None,
    cutechess_cli: Path | None,
    engine: Path | None,
) -> Peers:
    """Return the match managers that are given. Raises UsageError where there are none to measure."""
    from arena.bench.peers import MANAGERS, Manager, Peers

    given = zip(MANAGERS, (fastchess, c_chess_cli, cutechess_cli), strict=True)
    managers = tuple(Manager(name, path.absolute()) for name, path in given if path)
    if "peers" in only and not managers:
        raise click.UsageError(
            "--only peers needs a match manager to measure beside arena: build fastchess as its README says "
            "(https://github.com/Disservin/fastchess) and give its program with --fastchess PATH, "
            "or that of another one with --c-chess-cli or --cutechess-cli"
        )
    return Peers(managers, engine)


def _measure(quick: bool, only: tuple[str, ...], game: str, peers: Peers) -> Measured:
    from arena.bench import machine_info
    from arena.bench.figures import FULL, QUICK
    from arena.bench.measured import Measured
    from arena.bench.protocol import BenchTable
    from arena.bench.suite import BenchSuite
    from referee.engine import registry

    rules = registry.game(game)
    description = machine_info.describe()
    table = BenchTable(rules, rules.options(), rules.recommended, description["sandbox"])
    suite = BenchSuite(table, QUICK if quick else FULL, lambda line: echo(line, err=True), peers)
    busy = machine_info.busy_cores()
    figures = []
    for group in [group for group in GROUPS if group in only or not only]:
        if group == "peers" and not peers.managers:
            continue
        echo(f"measuring {group} ...", err=True)
        figures += list(suite.measure(group))
    busy = max(busy, machine_info.busy_cores())
    description["busy_cores"] = round(busy, 2)
    return Measured(description, figures)


def _check_writable(target: str) -> None:
    """Make the folders of the file; raise BadParameter where it cannot be written, before minutes of measuring."""
    try:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).open("a").close()
    except OSError as error:
        raise click.BadParameter(f"{target} cannot be written: {error.strerror}", param_hint="--json") from None
