"""`arena db`: look after the database."""

from pathlib import Path

import click

from arena.cli.database import database_faults
from arena.cli.options import db_option
from arena.cli.output import echo


@click.group("db")
def command() -> None:
    """Copy the database, check that it is sound, or make its summaries again."""


@command.command("backup")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@db_option
def backup(file: Path, db: str) -> None:
    """Copy the database to a new file.

    Tournaments may go on meanwhile: the copy is the database as it was at one moment. It is checked before it gets
    its name, so that FILE is there only once it is whole. It holds the secrets of tournaments under way: keep it as
    safe as the database.
    """
    from arena.store.backup import back_up, database_file

    size = back_up(database_file(db), file)
    echo(f"{file}: {size:,} bytes, sound")


@command.command("check")
@db_option
def check(db: str) -> None:
    """Check that the database is sound.

    Looks at every page, index, reference and value. That the matches in it are true to the rules is another question:
    `arena tourney verify`. Exit code 1 where anything is wrong.
    """
    from arena.store.backup import database_file

    file = database_file(db)
    if found := list(database_faults(db)):
        for fault in found:
            echo(fault)
        echo(f"{db} is damaged: restore it from a copy (arena db backup makes them)", err=True)
        raise SystemExit(1)
    echo(f"{db}: {file.stat().st_size:,} bytes, sound")


@command.command("rebuild")
@click.argument("tourneys", metavar="[TOURNEY]...", nargs=-1, type=click.IntRange(min=1))
@db_option
def rebuild(tourneys: tuple[int, ...], db: str) -> None:
    """Make the summaries again, from which rankings are made.

    Adds up all matches of the tournaments with these numbers, or of all: a million take a minute or two. Of use where
    `arena tourney verify` finds a summary that is wrong, and after an upgrade that threw the summaries away.
    Tournaments may go on meanwhile.
    """
    from arena.store import open_store
    from arena.tournament.results.recount import rebuild as rebuilt

    with open_store(db, write=True) as store:
        for number in list(dict.fromkeys(tourneys)) or [each.id for each in store.tournaments() if each.id]:
            tournament = store.tournament(number)
            rebuilt(store, tournament)
            echo(f"tournament {tournament.id}: {store.count(tournament.id or 0):,} matches added up")
