"""`arena league verify`: verify a league."""

import click

from arena.cli.options import db_option
from arena.cli.output import echo
from arena.cli.verify_progress import VerifyProgress
from arena.league.store.league_rows import BatchRow


@click.command("verify")
@click.argument("name", metavar="NAME")
@click.option("--no-replay", is_flag=True, help="Check everything but the matches themselves, which takes longest.")
@click.option("--jobs", type=click.IntRange(min=1), help="Verifying processes  [default: one per core]")
@db_option
def command(name: str, no_replay: bool, jobs: int | None, db: str) -> None:
    """Verify a league: its draws, records and secrets.

    Each batch is drawn again from its snapshot and secret, each match is replayed, and the sums from which the ratings
    follow are added up again. The secrets must lead to the published commitment. The league may be played meanwhile.

    Exit code 0: all is as it should be, 1: something is not.
    """
    from arena.league.row_verification import UNVERIFIED_OF_LEAGUES
    from arena.league.store.batches import Batches
    from arena.league.store.leagues import Leagues
    from arena.league.verification import league_problems
    from arena.record.unverified import unverified_text
    from arena.store import open_store
    from referee.sandbox.cpu_supply import usable_cores

    matches, problems = 0, 0
    with open_store(db) as store:
        league = Leagues(store).named(name, practice=True)
        batches = Batches(store).of(league.id)
        progress = VerifyProgress(sum(row.matches for row in batches if row.state == "stored"))

        def on_batch(batch: BatchRow) -> None:
            nonlocal matches
            matches += batch.matches if batch.state == "stored" else 0
            progress.update(matches)

        cores = jobs or usable_cores()
        reported = league_problems(
            store,
            league,
            replay=not no_replay,
            where=db,
            jobs=cores,
            on_batch=on_batch,
            say=lambda what: echo(what, err=True),
        )
        for problem in reported:
            echo(problem)
            problems += 1
    echo(unverified_text(UNVERIFIED_OF_LEAGUES), err=True)
    if problems:
        raise click.exceptions.Exit(1)
    echo(f"league {name}: {league.results:,} batches follow from its definition and its secrets")
