"""`arena tourney export`: export a tournament to a file."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click

from arena.cli.options import TOURNAMENT_NUMBER, PathType, db_option
from arena.cli.output import echo


@click.command("export")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "parquet"]),
    default="jsonl",
    show_default=True,
    help="Format of the file.",
)
@click.option(
    "--results", "bare", is_flag=True, help="Leave out what differs between runs: times, processes, output, dates."
)
@click.option("--to", "path", type=PathType(path_type=Path), metavar="FILE", help="Write to FILE  [default: stdout]")
@db_option
def command(id: int | None, form: str, bare: bool, path: Path | None, db: str) -> None:
    """Export a tournament with all its matches to a file.

    Exports tournament ID, or the latest: its definition, its secret, its matches with all answers, and the output of
    its bots. `arena tourney import` imports it elsewhere; `arena ratings` reads it too.
    protos/referee/v1/archive.proto explains every field.

    csv and parquet are for spreadsheets and statistics: one row for each seat of each match, with deal, rotation, seed,
    bot, score, rank, time and faults, and cannot be imported again. docs/organising.md explains the columns.

    The deals follow from the secret: do not publish the export of an unfinished tournament.
    """
    from arena.results.archive.errors import ArchiveError
    from arena.results.archive.exporting import items
    from arena.results.archive.files import whole_file, write
    from arena.results.archive.result_tables import TABLE_FORMATS, results_csv, results_parquet
    from arena.store import open_store

    if path is None and form == "parquet" and sys.stdout.isatty():
        raise click.UsageError("parquet output is binary: write it to a file with --to FILE")
    with open_store(db) as store:
        tournament = store.tournament(id)
        save: Callable[[BinaryIO], object]
        if form in TABLE_FORMATS:
            make_table = results_parquet if form == "parquet" else results_csv
            save = partial(_write_parts, make_table(store, tournament.id, bare=bare))
        else:
            save = partial(write, items(store, tournament.id, bare=bare))
        if path is None:
            save(sys.stdout.buffer)
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as file:
                save(file)
        except OSError as error:
            raise ArchiveError(f"{path} cannot be written: {error.strerror}; name another file with --to") from None
        matches = store.count(tournament.id)
    echo(f"tournament {tournament.id}: {matches:,} matches written to {path}", err=True)


def _write_parts(parts: Iterable[bytes], file: BinaryIO) -> None:
    for part in parts:
        file.write(part)
