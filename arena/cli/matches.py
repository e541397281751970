"""`arena matches`: list stored matches."""

from dataclasses import asdict
from typing import Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option, json_option, limit_option
from arena.cli.output import echo
from arena.store.rows import FAULT_KINDS, ListedMatch
from arena.store.versioned_names import is_version_of
from arena.texts import json_text
from referee.engine.near import did_you_mean
from referee.engine.registry import in_units

HEADERS = ("id", "tourney", "game", "deal", "players by seat", "scores", "ranks", "faults")


@click.command("matches")
@click.option("--tourney", type=TOURNAMENT_NUMBER, metavar="N", help="Only the matches of tournament N.")
@click.option("--bot", metavar="NAME", help="Only matches of this bot.")
@click.option("--against", metavar="NAME", help="Only matches in which this bot sat too.")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only matches with seat N; with --bot or --fault, in that seat.",
)
@click.option(
    "--fault",
    type=click.Choice(["any", *FAULT_KINDS]),
    help="Only matches with such a fault; with --bot or --seat, one of theirs.",
)
@limit_option
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help="List the N lowest scores of --bot instead.")
@json_option
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

    Newest first; with --worst, lowest score first. `arena match show ID` shows one match, `arena replay ID --text`
    prints its log.
    """
    from arena.store import open_store  # SQLAlchemy is slow to import: --help need not wait for it

    if worst is not None and bot is None:
        raise click.UsageError("--worst lists the scores of one bot: name it with --bot NAME")
    limit = worst or limit
    with open_store(db) as store:
        names = store.names()
        for option, name in (("--bot", bot), ("--against", against)):
            if name is not None and not any(is_version_of(each, name) for each in names):
                hint = did_you_mean(name, names)
                raise click.BadParameter(f'no bot "{name}" has played in {store.where}{hint}', param_hint=option)
        matches = store.matches(
            tournament=tourney,
            bot=bot,
            seat=seat,
            against=against,
            fault=fault,
            worst=worst is not None,
            limit=limit + 1 if limit else None,
        )
    more = bool(limit) and len(matches) > limit
    matches = matches[:limit] if limit else matches
    if as_json:
        echo(json_text({"matches": [_object(match) for match in matches], "more": more}))
        return
    if not matches:
        echo("no matches found", err=True)
        return
    from tabulate import tabulate

    echo(tabulate([_row(match) for match in matches], HEADERS, "simple", disable_numparse=True))
    if more and worst is None:
        echo(f"more than {limit} matches: list all with --limit 0", err=True)


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
