"""`arena league verify`: verify a league."""

import click

from arena.cli.options import db_option
from arena.cli.output import echo


@click.command("verify")
@click.argument("name", metavar="NAME")
@click.option("--no-replay", is_flag=True, help="Check everything but the matches themselves, which takes longest.")
@db_option
def command(name: str, no_replay: bool, db: str) -> None:
    """Verify a league: its draws, records and secrets.

    Each batch is drawn again from its snapshot and secret, each match is replayed, and the sums from which the ratings
    follow are added up again. The secrets must lead to the published commitment.

    Exit code 0: all is as it should be, 1: something is not.
    """
    from arena.league.verification import league_problems
    from arena.store import open_store

    with open_store(db) as store:
        league = store.leagues.named(name)
        problems = 0
        for problem in league_problems(store, league, replay=not no_replay):
            echo(problem)
            problems += 1
    if problems:
        raise click.exceptions.Exit(1)
    echo(f"league {name}: {league.results:,} batches follow from its definition and its secrets")
