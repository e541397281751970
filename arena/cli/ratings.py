"""`arena ratings`: rate the players of matches played elsewhere."""

from contextlib import suppress
from pathlib import Path

import click

from arena.cli.options import PathType
from arena.cli.ranking_request import RankingRequest, rating_options, show


@click.command("ratings")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PathType(path_type=Path))
@rating_options
def command(files: tuple[Path, ...], request: RankingRequest) -> None:
    """Rate the players of matches played elsewhere.

    Reads chess games (.pgn), CSV (.csv: white,black,result, or match,bot,rank with a line for each player) and JSON
    lines (.jsonl: {"bots": [...], "ranks": [...]}, with any number of players), and rates all of them together, as
    `arena ranking` rates a tournament. Matches of the same deal are summed before error bars are computed, and so are
    games that repeat others or begin from the same opening (the tag FEN, or "opening" and "log"); all others count as
    independent. An archive (`arena tourney export`) that was cut off, or of which a line contradicts the record in it,
    is refused; the records are not replayed: `arena tourney import` and `verify` do that.
    """
    from arena.ratings.experiments import Experiments
    from arena.ratings.reading import read
    from arena.ratings.source import ResultSource

    for path in files:
        _check_archive(path)
    matches = list(read(files))
    if len({match.opening for match in matches}) == 1:
        matches = [match._replace(opening="") for match in matches]
    if any(match.opening or match.log is not None for match in matches):
        source = ResultSource(lambda: Experiments().add(matches), lambda: Experiments().tally(matches))
    else:
        results = [match.result for match in matches]
        source = ResultSource(lambda: results)
    table = request.rate(source)
    deals = f" of {table.experiments}" if table.deals < table.matches else ""
    head = [f"{table.matches:,} matches{deals}, {len(table.rows):,} players"]
    frame = {"files": [str(file) for file in files], "matches": table.matches, "deals": table.deals}
    show(request, table, {}, source, frame, head)


def _check_archive(path: Path) -> None:
    """Raise ArchiveError for an archive that is cut off, or contradicts its records.

    What cannot be read is told elsewhere.
    """
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return
    from arena.results.archive.files import check_results

    with suppress(OSError), path.open("rb") as file:
        check_results(file, str(path))
