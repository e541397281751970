"""`arena tourney import`: import an exported tournament."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO

import click

from arena.cli.options import PathType, db_option
from arena.cli.output import echo
from arena.values.near_path import did_you_mean_path

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
    from arena.results.archive.errors import ArchiveError
    from arena.results.archive.files import read
    from arena.results.archive.importing import Archive
    from arena.store import open_store

    try:
        source = path.open("rb")
    except OSError as error:
        hint = did_you_mean_path(path) if isinstance(error, FileNotFoundError) else ""
        raise ArchiveError(f"{path} cannot be read: {error.strerror}{hint}") from None
    with source, TemporaryFile() as copy, open_store(db, create=True) as store:
        file: BinaryIO = source
        if not source.seekable():  # a pipe can be read only once
            copyfileobj(source, copy)
            file = copy

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
