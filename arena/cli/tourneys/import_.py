"""`arena tourney import`: take in a tournament that was exported."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO

import click

from arena.cli.options import db_option
from arena.cli.output import echo

if TYPE_CHECKING:
    from referee.v1.archive_pb2 import ArchiveItem


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@db_option
def command(path: Path, db: str) -> None:
    """Take in a tournament that was exported.

    FILE is JSON lines or protobuf of `arena tourney export`. It becomes a tournament of the database, with matches
    that can be listed, replayed, rated and verified like those that were played here.

    The file is looked at before anything is stored; then its matches are stored portion by portion, so that a
    tournament that is played into the same database goes on. What is there already stays as it is, so the same command
    goes on with what was interrupted; but bare results (`export --results`) become another tournament each time.
    """
    from arena.archive.errors import ArchiveError
    from arena.archive.files import read
    from arena.archive.importing import Archive
    from arena.store import open_store

    try:
        given = path.open("rb")
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}") from None
    with given, TemporaryFile() as copy, open_store(db, create=True) as store:
        file: BinaryIO = given
        if not given.seekable():  # a pipe, which is read once only
            copyfileobj(given, copy)
            file = copy

        def again() -> "Iterator[ArchiveItem]":
            file.seek(0)
            return read(file, str(path))

        archive = Archive.of(again, str(path))
        number = archive.place(store)
        try:
            added = archive.take_in(store, number)
        except BaseException:
            told = f"tournament {number} is not whole yet: {store.count(number):,} matches are stored"
            echo(told if archive.bare else f"{told}; the same command goes on", err=True)
            raise
        there = store.count(number) - added
        were = f", {there:,} were there" if there else ""
        echo(f"tournament {number}: {added:,} matches taken in from {path}{were}")
