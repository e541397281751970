"""`arena league import`: import an exported league."""

from pathlib import Path

import click

from arena.cli.options import PathType, db_option
from arena.cli.output import echo
from arena.values.texts import shell_line


@click.command("import")
@click.argument("path", metavar="FILE", type=PathType(path_type=Path))
@db_option
def command(path: Path, db: str) -> None:
    """Import an exported league, to verify it.

    All of FILE is checked before anything is stored, and it is stored whole or not at all. The league is closed there:
    it can be shown and verified, and its matches replayed, but not played on, as the code of its bots is not in FILE.
    It needs a database of its own (--db), which is made, or one without accounts and open leagues; bots of the same
    name and version with other files are refused.
    """
    from arena.league.archive.importing import LeagueArchive
    from arena.league.run.rating import rate_closed
    from arena.league.store.leagues import Leagues
    from arena.results.archive.files import open_archive
    from arena.store import hide_password, open_store

    with open_archive(path) as file:
        archive = LeagueArchive.of(file, str(path))
        with open_store(db, create=True, write=True) as store:
            results = archive.take_in(store)
            rate_closed(store, Leagues(store).named(archive.new.name))
    echo(f"league {archive.new.name} is imported: {results:,} batches; verify it with:")
    echo(shell_line("arena", "league", "verify", archive.new.name, "--db", hide_password(db)))
    if published := archive.new.published_log_hash:
        echo(f"the names of closed accounts are replaced in it, so its log hash is not the published {published}")
