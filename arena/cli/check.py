"""`arena check`: check that a bot is fit to play."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.build_network import build_network_option, may_use_network
from arena.cli.check_printer import CheckPrinter, step_line
from arena.cli.found_matches import finding_lines, keep_matches, write_findings
from arena.cli.options import PathType, db_option, hosting_options, json_option, required_games_option
from arena.cli.output import echo, print_progress
from arena.cli.tournament_options import limit_options
from arena.run.hosting import Hosting
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.bots.report import Report
    from arena.values.definition import Entrant, TimeControl


@click.command("check")
@click.argument("bot", metavar="BOT")
@required_games_option
@click.option(
    "--matches",
    type=click.IntRange(1, 1000),
    help="Matches at usual tables, for each game.  [default: 20; 4 of a bot that is slow]",
)
@click.option(
    "--questions",
    type=PathType(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the questions at which it failed, and the logs of their matches, to DIR.",
)
@limit_options()
@build_network_option
@hosting_options
@json_option
@db_option
def command(
    bot: str,
    games: tuple[str, ...],
    matches: int | None,
    questions: Path | None,
    limits: "TimeControl",
    build_network: bool | None,
    hosting: Hosting,
    as_json: bool,
    db: str,
) -> None:
    """Check that a bot is fit to play.

    Name the bot as in `arena match`. A folder with a bot.toml is run in place, as it is built; where it is not built, a
    copy is, in the sandbox. `arena submit` always packs and builds it first, and takes the same steps.

    First the protocol is tested on one process: it must start, connect, say hello, answer in time, tell matches apart,
    tolerate odd messages and end with its stream. Then it plays matches under a referee, confined as in any tournament:
    legally, in time, reproducibly, at the smallest and largest tables and with every preset.

    The matches in which it went wrong are kept in the database, and named with the answer: `arena replay` shows them,
    `arena match --from` asks the question again. With --questions the questions are also written to files for
    `arena ask`.

    Each step is printed as it is finished. Of a bot that thinks for so long that all matches would take more than ten
    minutes, few are played, as at a server; --matches plays as many as it says.

    With --json standard output has one object, at the end, and the steps are printed on standard error.

    Exit code 0: fit, 1: not fit, 2: there is no such bot, or the machine is too
    busy to tell how fast it is.
    """
    from arena.bots.bot_check import CheckSettings, check
    from arena.bots.intake import add_needs
    from arena.bots.match_budget import MATCH_SECONDS, MATCHES
    from arena.values.tournament_errors import MachineBusy
    from referee.engine import registry

    hosting.check_mode()
    asked = [registry.game(name) for name in games]
    seconds = MATCH_SECONDS if matches is None else inf
    with (
        CheckPrinter(steps_aside=as_json) as printer,
        _built(bot, games[0] if games else None, build_network, db) as entrant,
    ):
        rules = tuple(asked) or tuple(registry.game(name) for name in entrant.games)
        settings = CheckSettings(rules, limits, matches or MATCHES, hosting, seconds)
        try:
            report = check(entrant, settings, printer.say, printer.step, printer.progress)
        except MachineBusy as error:
            raise MachineBusy(f"{error}; nothing is known of the bot: check it again when less runs here") from None
    add_needs(report, _needs(bot, db))
    ids = keep_matches(report.found, db)
    if as_json:
        findings = [
            {
                "step": finding.step,
                "sentence": finding.sentence,
                "match": id,
                "move": None if id is None else finding.ply,
            }
            for finding, id in zip(report.found, ids, strict=True)
        ]
        echo(json_text(report.to_json() | {"found": findings}))
    else:
        for line in ending(report):
            echo(line)
        for line in finding_lines(report.found, ids, bot):
            echo(line)
    if questions is not None:
        write_findings(report.found, questions)
    raise SystemExit(0 if report.passed else 1)


def _needs(bot: str, db: str) -> tuple[str, ...]:
    """Return what a bot that was found asks organisers to grant."""
    from arena.packs.manifest import FILE, Manifest, read_manifest
    from arena.packs.roster import open_roster

    path = Path(bot) / FILE if Path(bot).is_dir() else Path(bot)
    if path.suffix == ".toml":
        return read_manifest(path).needs
    row = None if path.exists() else open_roster(db).find(bot)
    return Manifest.from_json(row.manifest).needs if row is not None else ()


@contextmanager
def _built(bot: str, game: str | None, build_network: bool | None, db: str) -> "Iterator[Entrant]":
    """Yield the bot that a user named, or a copy where it is not built or its path not UTF-8.

    game: a game that the bot must play; None: any.
    """
    from arena.bots.intake import built
    from arena.packs.build import BuildTerms
    from arena.packs.candidate import read_candidate
    from arena.packs.errors import NotBuilt
    from arena.packs.roster import open_roster
    from arena.plan.field import entrant_from_manifest, find_bots, samples
    from arena.values.tournament_errors import NotUtf8

    try:
        [entrant] = find_bots([bot], samples(None), open_roster(db), game=game)
    except (NotBuilt, NotUtf8) as error:
        path = Path(bot).expanduser()
        if isinstance(error, NotUtf8) and not path.exists():  # a command line
            raise
        reason = "is not built: building" if isinstance(error, NotBuilt) else "is not at a path in UTF-8: checking"
        candidate = read_candidate(path)
    else:
        yield entrant
        return
    terms = BuildTerms(may_use_network(candidate, build_network))
    print_progress(f"{bot} {reason} a copy of it")
    with built(candidate, terms) as copy:
        if copy.packages:
            print_progress(f"it uses {', '.join(map(str, copy.packages))}")
        yield entrant_from_manifest(candidate.manifest, copy.folder, candidate.path.absolute().stem)


def lines(report: "Report") -> Iterator[str]:
    """Yield all that is printed of a check that has ended."""
    yield from map(step_line, report.steps)
    yield from ending(report)


def ending(report: "Report") -> Iterator[str]:
    """Yield what is printed after the steps: the verdict, and after a failure first the last output of the bot."""
    if not report.passed:
        yield from output_lines(report.bot, report.tail())
    yield ""
    yield f"{report.bot} is fit to play" if report.passed else f"{report.bot} is not fit to play: {report.why}"


def output_lines(bot: str, tail: Sequence[str]) -> Iterator[str]:
    """Yield the last lines that a bot printed, under a heading; nothing if there are none."""
    if tail:
        yield ""
        yield f"last output of {bot}:"
        yield from (f"    {line}" for line in tail)
