"""`arena tourney import`: take in a tournament that was exported."""

from pathlib import Path

import click

from arena.cli.database import db_option
from arena.cli.settings import SETTINGS


@click.command("import", context_settings=SETTINGS)
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@db_option
def command(path: Path, db: str) -> None:
    """Take in a tournament that was exported.

    FILE is JSON lines or protobuf of `arena tourney export`. It becomes a new tournament of the database, with matches
    that can be listed, replayed, rated and verified like those that were played here.
    """
    from arena.archive.errors import ArchiveError
    from arena.archive.files import read
    from arena.archive.taking import take_in
    from arena.store import open_store

    try:
        file = path.open("rb")
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}") from None
    with file, open_store(db, create=True) as store:
        number = take_in(store, read(file, str(path)), str(path))
        click.echo(f"tournament {number}: {store.count(number):,} matches taken in from {path}")
