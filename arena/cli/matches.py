"""`arena matches`: list stored matches."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, Duration, db_option, json_option, limit_option
from arena.cli.output import echo, print_table
from arena.values.rows import FAULT_KINDS, ListedMatch
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from arena.values.versioned_names import is_version_of
from referee.engine.near import did_you_mean
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.store import Store

SLOW_COLUMNS = (
    Column("id"),
    Column("tourney", drop=1),
    word_column("game", drop=3),
    Column("slow answers", drop=2),
    Column("slowest"),
    Column("answer", drop=4),
    text_column("of"),
    text_column("move"),
)
COLUMNS = (
    Column("id"),
    Column("tourney", drop=2),
    word_column("game", drop=4),
    Column("deal", drop=1),
    text_column("players by seat"),
    text_column("scores"),
    text_column("ranks", drop=3),
    text_column("faults"),
)


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
@click.option(
    "--slower",
    type=Duration(),
    help="Only matches with an answer that took so long; with --bot or --seat, one of theirs.",
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
    slower: int | None,
    limit: int,
    worst: int | None,
    as_json: bool,
    db: str,
) -> None:
    """List stored matches.

    Newest first; with --worst, lowest score first. `arena match show ID` shows one match, `arena replay ID --text`
    prints its log.

    With --slower 200ms the slowest answer of each match is listed too; `arena replay ID --slower 200ms` prints all of
    them. Times are stored in steps of 7.5 %.
    """
    from arena.results.stage_names import StageNames
    from arena.store import open_store  # SQLAlchemy is slow to import: --help need not wait for it

    if worst is not None and bot is None:
        raise click.UsageError("--worst lists the scores of one bot: name it with --bot NAME")
    if worst is not None and slower is not None:
        raise click.UsageError("--worst and --slower exclude each other")
    limit = worst or limit
    with open_store(db) as store:
        names = store.names()
        for option, name in (("--bot", bot), ("--against", against)):
            if name is not None and not any(is_version_of(played, name) for played in names):
                hint = did_you_mean(name, names)
                raise click.BadParameter(f'no bot "{name}" has played in {store.where}{hint}', param_hint=option)
        filters: dict[str, Any] = {"tournament": tourney, "bot": bot, "seat": seat, "against": against, "fault": fault}
        if slower is not None:
            _print_slow(store, slower, filters, limit, as_json)
            return
        matches = store.matches(**filters, worst=worst is not None, limit=limit + 1 if limit else None)
        more = bool(limit) and len(matches) > limit
        matches = matches[:limit] if limit else matches
        named = StageNames(store)
        stages = [named.of(match.tournament, match.deal) for match in matches]
    if as_json:
        listed = [_object(match) | {"stage": stage} for match, stage in zip(matches, stages, strict=True)]
        echo(json_text({"matches": listed, "more": more}))
        return
    if not matches:
        echo("no matches found", err=True)
        return
    rows, columns = [[*_row(match)] for match in matches], [*COLUMNS]
    if any(stages):
        columns.insert(2, text_column("stage", drop=5))
        for row, stage in zip(rows, stages, strict=True):
            row.insert(2, str(stage or "-"))
    print_table(columns, rows)
    if more and worst is None:
        echo(f"more than {limit} matches: list all with --limit 0", err=True)


def _print_slow(store: "Store", slower: int, filters: dict[str, Any], limit: int, as_json: bool) -> None:
    """Print the matches with an answer that took `slower` ms or more, each with its slowest."""
    from itertools import islice

    from arena.record.text import duration
    from arena.replay.slow_answers import matches_with_slow_answers

    slow_matches = matches_with_slow_answers(store, slower * 1000, **filters)
    slow = list(islice(slow_matches, limit or None))
    more = next(slow_matches, None) is not None
    if as_json:
        matches = [_object(match) | {"slow": [asdict(answer) for answer in answers]} for match, answers in slow]
        echo(json_text({"matches": matches, "more": more}))
        return
    if not slow:
        echo("no matches found", err=True)
        return
    rows = []
    for match, answers in slow:
        slowest = max(answers, key=lambda answer: answer.micros)
        rows.append(
            (
                str(match.id),
                "-" if match.tournament is None else str(match.tournament),
                match.game,
                str(len(answers)),
                duration(slowest.micros),
                str(slowest.ply),
                f"seat {slowest.seat}, {slowest.bot}",
                slowest.move,
            )
        )
    print_table(SLOW_COLUMNS, rows)
    if more:
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
