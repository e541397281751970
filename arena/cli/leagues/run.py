"""`arena league run`: run leagues until stopped."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.bots.hand_ins import HandIns
from arena.cli.leagues.open_leagues import find_leagues
from arena.cli.leagues.run_options import archives_option, keep_notes_option, quiet_option
from arena.cli.options import db_option, rated_hosting_options
from arena.cli.output import echo, print_progress
from arena.cli.tournament_options import RefereeOptions, open_executor, referee_options
from arena.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.league.run.quiet_hours import QuietHours

STOPPED = 130
"""Exit code after a signal, as shells have it for Ctrl-C."""


@click.command("run")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--batches", "most_batches", type=click.IntRange(min=1), help="Stop after so many batches  [default: never]"
)
@quiet_option
@keep_notes_option
@archives_option
@referee_options()
@rated_hosting_options
@db_option
def command(
    names: tuple[str, ...],
    most_batches: int | None,
    quiet: "QuietHours | None",
    note_days: int,
    archives: Path | None,
    referees: RefereeOptions,
    hosting: Hosting,
    db: str,
) -> None:
    """Run leagues until stopped.

    Without a NAME all open leagues are played. Accepted bots are entered and placed, and batches of matches are drawn,
    played and stored, until Ctrl-C, or until all leagues are closed. Ctrl-C lets the batches under way end, a second
    one stops at once. After a kill at any moment the same command goes on: what was under way is played again, with the
    same deals. Several programs, also on other machines, may run the leagues of one database.

    Exit code 0: all leagues are closed, or --batches were played, 2: an error, 130: stopped by Ctrl-C.
    """
    from arena.league.run.runner import LeagueRunner, run_leagues
    from arena.league.run.scheduler import LeagueScheduler
    from arena.league.run.season_archives import SeasonArchives
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    hosting = referees.host_leagues(hosting)
    with open_store(db, write=True) as store:
        if not names:
            schedulers = find_leagues(store, db, hosting, print_progress, set())
            if not schedulers:
                raise click.UsageError(f"{store.where} has no open league to run: begin one with `arena league create`")
        else:
            leagues = [Leagues(store).named(name) for name in dict.fromkeys(names)]
            if over := [league.name for league in leagues if Leagues(store).is_over(league.id)]:
                raise click.UsageError(f"the league {over[0]} is closed: create another one")
            schedulers = [LeagueScheduler(store, db, league, hosting, print_progress) for league in leagues]
            for scheduler, league in zip(schedulers, leagues, strict=True):
                if league.state != "closed":
                    scheduler.check_bots()
        with open_executor(referees, store) as (executor, room):
            print_progress(f"running {', '.join(scheduler.name for scheduler in schedulers)}; stop with Ctrl-C")
            runner = LeagueRunner(
                store,
                schedulers,
                hosting,
                print_progress,
                executor,
                most_batches=most_batches,
                checks_here=HandIns(store).checks_here,
                quiet=quiet,
                note_days=note_days,
                archives=None if archives is None else SeasonArchives(store, db, archives, print_progress),
            )
            done = run_leagues(runner, referees.jobs or room)
    speed = f", {done.decisions / done.seconds:,.0f} decisions/s" if done.seconds and done.decisions else ""
    echo(f"{done.batches:,} batches, {done.matches:,} matches, {done.decisions:,} decisions{speed}")
    if done.stopped is not None:
        raise click.exceptions.Exit(STOPPED)
