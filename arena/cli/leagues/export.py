"""`arena league export`: export the ended seasons of a league to a file."""

from pathlib import Path

import click

from arena.cli.options import PathType, db_option
from arena.cli.output import echo


@click.command("export")
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="FILE", type=PathType(path_type=Path))
@click.option(
    "--season", metavar="NUMBER", type=click.IntRange(min=1), help="Up to this season  [default: the last that ended]"
)
@click.option("--notes", is_flag=True, help="With the notes of bots, which are for their owners.")
@db_option
def command(name: str, path: Path, season: int | None, notes: bool, db: str) -> None:
    """Export the ended seasons of a league to a file.

    FILE has everything from which they can be verified, as JSON lines: definition, entries, log, secrets, snapshots of
    the ratings, and all batches with their matches. It has no code of bots. Whoever imports it verifies it:

    \b
        arena league export cambio season-1.jsonl --season 1
        arena league import season-1.jsonl --db other.db
        arena league verify cambio --db other.db
    """
    from arena.league.archive.exporting import last_season, league_lines
    from arena.league.store.leagues import Leagues
    from arena.results.archive.errors import ArchiveError
    from arena.results.archive.files import whole_file
    from arena.store import open_store

    with open_store(db) as store, store.snapshot():
        league = Leagues(store).named(name)
        last = last_season(store, league, season)
        try:
            with whole_file(path) as file:
                file.writelines(league_lines(store, league, last, notes=notes))
        except OSError as error:
            raise ArchiveError(f"{path} cannot be written: {error.strerror}; name another file") from None
    echo(f"league {name} is written to {path}, up to season {last}")
