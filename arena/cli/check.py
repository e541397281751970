"""`arena check`: whether a bot is fit to play."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.hosting import hosting_options
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.checking.report import Report


@click.command("check", context_settings=SETTINGS)
@click.argument("bot", metavar="BOT")
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game it must play  [default: all it claims]")
@click.option(
    "--matches", type=click.IntRange(1, 1000), default=20, show_default=True, help="At usual tables of each game."
)
@hosting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def command(
    bot: str, games: tuple[str, ...], matches: int, sandbox: str, affinity: bool, as_json: bool, db: str
) -> None:
    """Check whether a bot is fit to play.

    The bot is named as in `arena match`. A folder with a bot.toml is played where it lies, as it is built; what
    `arena submit` accepts has passed the same steps, built and packed.

    One process is spoken with directly first: it must start, dial in, say hello, answer in time, tell matches apart,
    bear odd messages and end with its stream. Then it plays matches at a referee, confined as in any tournament:
    legally, in time, the same way again, at the smallest and largest tables and with every preset.

    Exit code 0: it is fit, 1: it is not, 2: there is no such bot.
    """
    from arena.checking.check import CheckSettings, check
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.field import enter, samples
    from arena.tournament.run.hosting import Hosting
    from referee.engine import registry

    hosting = Hosting(sandbox, affinity)
    hosting.settled()
    asked = [registry.game(name) for name in games]
    [entrant] = enter([bot], samples(None), open_roster(db), game=games[0] if games else None)
    rules = tuple(asked) or tuple(registry.game(name) for name in entrant.games)
    report = check(entrant, CheckSettings(rules, matches=matches, hosting=hosting), say)
    if as_json:
        echo(json_text(report.to_json()))
    else:
        print_report(report)
    raise SystemExit(0 if report.passed else 1)


def say(line: str) -> None:
    """Tell what happens on the way."""
    echo(line, err=True)


def print_report(report: "Report") -> None:
    """Print a report."""
    for line in lines(report):
        echo(line)


def lines(report: "Report") -> Iterator[str]:
    """Yield the steps, the verdict, and where one failed what the bot printed."""
    for step in report.steps:
        yield f"{step.number:>3}. {step.verdict:<8}{step.title}: {step.sentence}"
    if not report.passed and (tail := report.tail()):
        yield ""
        yield f"what {report.bot} printed, at the end:"
        yield from (f"    {line}" for line in tail)
    yield ""
    yield f"{report.bot} is fit to play" if report.passed else f"{report.bot} is not fit to play: {report.why}"
