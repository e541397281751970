"""`arena matches`: list stored matches."""

from dataclasses import asdict
from typing import Any

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.store.rows import FAULT_KINDS, ListedMatch
from arena.texts import json_text
from referee.engine.near import did_you_mean
from referee.engine.registry import in_units

HEADERS = ("id", "tourney", "game", "deal", "players by seat", "scores", "ranks", "faults")


@click.command("matches", context_settings=SETTINGS)
@click.option("--tourney", type=click.IntRange(min=1), metavar="N", help="Only the matches of tournament N.")
@click.option("--bot", metavar="NAME", help="Only matches in which that bot sat.")
@click.option("--against", metavar="NAME", help="Only matches in which that bot sat too.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Only that seat; with --bot, its bot.")
@click.option(
    "--fault",
    type=click.Choice(["any", *FAULT_KINDS]),
    help="Only matches with a fault of that kind; with --bot or --seat, only where it was theirs.",
)
@click.option(
    "--limit", type=click.IntRange(min=0), default=20, show_default=True, help="How many to list; 0 lists all."
)
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help="The N lowest scores of --bot instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def command(
    tourney: int | None,
    bot: str | None,
    against: str | None,
    seat: int | None,
    fault: str | None,
    limit: int,
    worst: int | None,
    as_json: bool,
    db: str,
) -> None:
    """List stored matches.

    The newest come first, with --worst the lowest score of the bot.

    `arena match show ID` shows one, `arena replay ID --text` tells its story.
    """
    from arena.store import open_store  # SQLAlchemy is slow to import: --help need not wait for it

    if worst is not None and bot is None:
        raise click.UsageError("--worst needs the bot whose scores are meant: --bot NAME")
    limit = worst or limit
    with open_store(db) as store:
        names = store.names()
        for option, name in (("--bot", bot), ("--against", against)):
            if name is not None and name not in names:
                hint = did_you_mean(name, names)
                raise click.BadParameter(f'no bot "{name}" has played in {store.where}{hint}', param_hint=option)
        found = store.matches(
            tournament=tourney,
            bot=bot,
            seat=seat,
            against=against,
            fault=fault,
            worst=worst is not None,
            limit=limit + 1 if limit else None,
        )
    more = bool(limit) and len(found) > limit
    found = found[:limit] if limit else found
    if as_json:
        echo(json_text({"matches": [_object(match) for match in found], "more": more}))
        return
    if not found:
        echo("no match fits", err=True)
        return
    from tabulate import tabulate

    echo(tabulate([_row(match) for match in found], HEADERS, "simple", disable_numparse=True))
    if more and worst is None:
        echo(f"there are more than these {limit}: --limit 0 lists all", err=True)


def _object(match: ListedMatch) -> dict[str, Any]:
    return asdict(match) | {"scores": [in_units(match.game, score) for score in match.scores]}


def _row(match: ListedMatch) -> tuple[str, ...]:
    return (
        str(match.id),
        "-" if match.tournament is None else str(match.tournament),
        match.game,
        str(match.deal),
        ", ".join(match.players),
        " ".join(str(in_units(match.game, score)) for score in match.scores),
        " ".join(map(str, match.ranks)),
        match.faults_text(),
    )
