"""`arena tourney import`: import an exported tournament."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import PathType, db_option
from arena.cli.output import echo

if TYPE_CHECKING:
    from referee.v1.archive_pb2 import ArchiveItem


@click.command("import")
@click.argument("path", metavar="FILE", type=PathType(path_type=Path))
@db_option
def command(path: Path, db: str) -> None:
    """Import an exported tournament.

    FILE is JSON lines of `arena tourney export`. It becomes a tournament of the database, whose matches can be listed,
    replayed, rated and verified like any other.

    The file is checked before anything is stored; then its matches are stored in batches, so that a tournament that is
    played into the same database can continue. Stored matches are skipped: repeat the command to resume an interrupted
    import. Bare results (`export --results`) become a new tournament each time.
    """
    from arena.results.archive.files import open_archive, read
    from arena.results.archive.importing import Archive
    from arena.store import open_store

    with open_archive(path) as file, open_store(db, create=True) as store:

        def read_items() -> "Iterator[ArchiveItem]":
            file.seek(0)
            return read(file, str(path))

        archive = Archive.of(read_items, str(path))
        number = archive.place(store)
        try:
            added = archive.take_in(store, number)
        except BaseException:
            message = f"tournament {number} is incomplete: {store.count(number):,} matches are stored"
            echo(message if archive.bare else f"{message}; repeat the command to resume", err=True)
            raise
        there = store.count(number) - added
        skipped = f", {there:,} were stored already" if there else ""
        echo(f"tournament {number}: {added:,} matches imported from {path}{skipped}")
        if published := archive.head.published_definition_hash:
            echo(f"the names of closed accounts are replaced in it, so its hash is not the published {published}")
