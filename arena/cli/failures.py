"""`arena failures`: list bot processes that failed."""

from typing import TYPE_CHECKING

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option, json_option, limit_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from arena.values.versioned_names import is_version_of
from referee.engine.near import did_you_mean

if TYPE_CHECKING:
    from arena.store import Store
    from arena.values.failure_rows import ListedProcessFailure

COLUMNS = (
    word_column("when (UTC)", drop=2),
    Column("tourney", drop=1),
    text_column("bot"),
    word_column("kind"),
    text_column("ended by", drop=4),
    text_column("asked in matches", drop=3),
    text_column("printed last"),
)

WIDEST = 40
"""Characters of the last output that the table shows."""


@click.command("failures")
@click.option("--tourney", type=TOURNAMENT_NUMBER, metavar="N", help="Only failures in tournament N.")
@click.option("--bot", metavar="NAME", help="Only failures of this bot.")
@click.option("--owner", metavar="NAME", help="Only failures of this owner's bots: club owns club/owl.")
@limit_option
@click.option("--output", "whole", is_flag=True, help="Print all details of each failure, with the last output.")
@json_option
@db_option
def command(
    tourney: int | None, bot: str | None, owner: str | None, limit: int, whole: bool, as_json: bool, db: str
) -> None:
    """List bot processes that failed.

    Newest first. A process fails when it exits, hangs, uses too much memory or breaks the protocol while it still has
    matches to play; a remote bot fails when its connection is lost. With exactly one question open, that match gets a
    fault. With several or none open no match is blamed, and the failure is listed only here.
    """
    from arena.run.failure_report import failure_lines, listed_failure_value
    from arena.store import open_store

    with open_store(db) as store:
        if tourney is not None:
            store.tournament(tourney)
        bots = _chosen(store, bot, owner)
        failures = store.process_failures.listed(tournament=tourney, bots=bots, limit=limit + 1 if limit else None)
    more = bool(limit) and len(failures) > limit
    failures = failures[:limit] if limit else failures
    if as_json:
        echo(json_text({"failures": list(map(listed_failure_value, failures)), "more": more}))
        return
    if not failures:
        echo("no process has failed", err=True)
        return
    if whole:
        for number, failure in enumerate(failures):
            echo("\n" * (number > 0) + "\n".join(failure_lines(failure)))
    else:
        print_table(COLUMNS, list(map(_row, failures)))
    if more:
        echo(f"more than {limit} failures: list all with --limit 0", err=True)


def _chosen(store: "Store", bot: str | None, owner: str | None) -> list[str] | None:
    """Return the names of the bots to list; None for all. Raises BadParameter for a name that has not played."""
    from arena.replay.owner_view import owns

    if bot is None and owner is None:
        return None
    names = store.names()
    if bot is not None and not any(is_version_of(name, bot) for name in names):
        hint = did_you_mean(bot, names)
        raise click.BadParameter(f'no bot "{bot}" has played in {store.where}{hint}', param_hint="--bot")
    if owner is not None:
        names = [name for name in names if owns(owner, name)]
        if not names:
            raise click.BadParameter(f"no bot of {owner} has played in {store.where}", param_hint="--owner")
    return names if bot is None else [name for name in names if is_version_of(name, bot)]


def _row(listed: "ListedProcessFailure") -> tuple[str, ...]:
    from arena.run.failure_report import asked_in, ended_by, last_line, time_text

    row = listed.row
    words = last_line(row)
    return (
        time_text(row),
        "-" if listed.tournament is None else str(listed.tournament),
        listed.bot,
        row.kind,
        ended_by(row),
        asked_in(listed),
        words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…",
    )
