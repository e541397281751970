"""`arena db`: back up, check or rebuild the database."""

from pathlib import Path

import click

from arena.cli.database import database_faults
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import TOURNAMENT_NUMBER, PathType, db_option
from arena.cli.output import echo


@click.group("db", cls=CommandGroup)
def command() -> None:
    """Back up, check or rebuild the database."""


@command.command("backup")
@click.argument("file", metavar="FILE", type=PathType(path_type=Path))
@db_option
def backup(file: Path, db: str) -> None:
    """Copy the database to a new file.

    Tournaments may run meanwhile: the copy is a consistent snapshot. It is written under another name and checked
    first, so FILE exists only once it is complete. It holds the secrets of unfinished tournaments: keep it as safe as
    the database.
    """
    from arena.store.backup import back_up, database_file

    size = back_up(database_file(db), file)
    echo(f"{file}: {size:,} bytes, sound")


@command.command("check")
@db_option
def check(db: str) -> None:
    """Check that the database is sound.

    Checks every page, index, reference and value. Whether matches obey the rules is checked by `arena tourney verify`.

    Exit code 0: sound, 1: damaged.
    """
    from arena.store.backup import database_file

    file = database_file(db)
    if faults := list(database_faults(db)):
        for fault in faults:
            echo(fault)
        echo(f"{db} is damaged: restore it from a copy (`arena db backup` makes one)", err=True)
        raise SystemExit(1)
    echo(f"{db}: {file.stat().st_size:,} bytes, sound")


@command.command("rebuild")
@click.argument("tourneys", metavar="[TOURNEY]...", nargs=-1, type=TOURNAMENT_NUMBER)
@db_option
def rebuild(tourneys: tuple[int, ...], db: str) -> None:
    """Rebuild the summaries that rankings are computed from.

    Adds up all matches of the tournaments TOURNEY, or of all tournaments; a million matches take a minute or two. Run
    it when `arena tourney verify` reports a wrong summary, or a page says that matches are not summarised yet.
    Tournaments may run meanwhile.
    """
    from arena.results.stored_tournament import StoredTournament
    from arena.results.summary_check import rebuild as rebuilt
    from arena.store import open_store

    with open_store(db, write=True) as store:
        for number in list(dict.fromkeys(tourneys)) or [row.id for row in store.tournaments()]:
            rebuilt(StoredTournament.load(store, number))
            echo(f"tournament {number}: {store.count(number):,} matches added up")
