"""`arena ranking`: rate the bots of a tournament."""

import json

import click

from arena.cli.database import db_option
from arena.cli.heading import heading
from arena.cli.settings import SETTINGS


@click.command("ranking", context_settings=SETTINGS)
@click.argument("tourney", metavar="[TOURNEY]", required=False, type=click.IntRange(min=1))
@click.option("--los", is_flag=True, help="Print how likely each bot is better than each other instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with the matrix of --los.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV instead.")
@db_option
def command(tourney: int | None, los: bool, as_json: bool, as_csv: bool, db: str) -> None:
    """Rate the bots of a tournament.

    Rates tournament number TOURNEY, or the latest, by the matches that are stored: one joint Elo
    fit, with 95 % bars from scores summed per deal.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    from arena.ratings import output  # numpy and SQLAlchemy are slow to import: --help need not wait for them
    from arena.store import open_store
    from arena.tournament.standings import standings

    with open_store(db) as store:
        tournament = store.latest() if tourney is None else store.tournament(tourney)
        found = standings(store, tournament)
    table = found.table
    if as_csv:
        click.echo(output.los_csv(table) if los else output.ranking_csv(table, found.conduct), nl=False)
        return
    if not as_json:
        for line in heading(tournament, found.matches, found.decisions):
            click.echo(line)
        click.echo()
        click.echo(output.los_text(table) if los else output.ranking_text(table, found.conduct))
        if found.matches < tournament.matches:
            click.echo(f"go on with: arena tourney --resume {tournament.id} --db {db}", err=True)
        return
    told = {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": tournament.options,
        "rounds": tournament.definition.get("rounds"),
        "matches": found.matches,
        "planned": tournament.matches,
        "decisions": found.decisions,
        "seed_hash": tournament.secret_hash,
        "seed": tournament.seed,
        "ranking": output.ranking_json(table, found.conduct),
        "notes": table.notes,
        **output.los_json(table),
    }
    click.echo(json.dumps(told, ensure_ascii=False))
