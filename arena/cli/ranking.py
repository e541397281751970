"""`arena ranking`: rate the bots of a tournament."""

import click

from arena.cli.database import db_option
from arena.cli.heading import heading
from arena.cli.rated import Wish, rating_options, show
from arena.cli.settings import SETTINGS


@click.command("ranking", context_settings=SETTINGS)
@click.argument("tourney", metavar="[TOURNEY]", required=False, type=click.IntRange(min=1))
@rating_options
@db_option
def command(tourney: int | None, wish: Wish, db: str) -> None:
    """Rate the bots of a tournament.

    Rates tournament number TOURNEY, or the latest, by the matches that are stored: one joint Elo
    fit, with 95 % bars from scores summed per deal.
    """
    from arena.store import open_store  # numpy and SQLAlchemy are slow to import: --help need not wait for them
    from arena.tournament.standings import results, standings
    from referee.engine.registry import in_units

    with open_store(db) as store:
        tournament = store.latest() if tourney is None else store.tournament(tourney)
        found = standings(store, tournament, wish.rate)
        frame = {
            "tournament": tournament.id,
            "game": tournament.game,
            "options": tournament.options,
            "rounds": tournament.definition.get("rounds"),
            "matches": found.matches,
            "planned": tournament.matches,
            "decisions": found.decisions,
            "seed_hash": tournament.secret_hash,
            "seed": tournament.seed,
            "verdict": found.verdict.sentence if found.verdict else None,
            "placing": found.placing,
        }
        head = heading(tournament, found.matches, found.decisions, verdict=found.verdict, placing=found.placing)
        scale = 1 / in_units(tournament.game, 1)
        show(wish, found.table, found.conduct, lambda: results(store, tournament), frame, head, scale)
    if found.verdict is None and found.matches < tournament.matches and wish.form == "text":
        click.echo(f"go on with: arena tourney --resume {tournament.id} --db {db}", err=True)
