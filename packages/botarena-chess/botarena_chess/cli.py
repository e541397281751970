"""The command botarena-chess: stored matches as PGN, and the opening books of this machine."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.values.errors import ArenaError
from botarena_chess.family import rules_of
from botarena_chess.openings import SUFFIXES, add_book, folder, load_book
from referee.engine.errors import EngineError

SAID_EVERY = 100_000
"""Openings after which it is said how many were read."""


class _Failure(click.ClickException):
    exit_code = 2


class _Sentences(click.Group):
    """A group that prints errors raised on purpose as one sentence."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise _Failure(str(error)) from None


@click.group(cls=_Sentences)
def main() -> None:
    """Chess in arena: PGN and opening books. Play with `arena tourney --game chess`."""


@main.command()
@click.option("--tourney", type=click.IntRange(min=1), metavar="ID", help="All matches of a tournament.")
@click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to FILE, not stdout."
)
@click.argument("matches", nargs=-1, type=click.IntRange(min=1))
@db_option
def pgn(tourney: int | None, to: Path | None, matches: tuple[int, ...], db: str) -> None:
    """Print stored MATCHES, or those of a tournament, as PGN."""
    from arena.store import open_store
    from botarena_chess.pgn import match_pgn, tournament_pgn

    if (tourney is None) == (not matches):
        raise click.UsageError("name matches by their numbers, or a tournament with --tourney ID")
    with open_store(db) as store:
        games = (
            tournament_pgn(store, tourney) if tourney is not None else (match_pgn(store.match(id)) for id in matches)
        )
        with click.open_file(str(to) if to is not None else "-", "w", encoding="utf-8") as file:
            for game in games:
                file.write(game + "\n")


@main.group()
def books() -> None:
    """Opening books: files of positions (EPD, FEN) or games (PGN), or Polyglot books (.bin)."""


@books.command()
@click.option("--game", default="chess", show_default=True, help="The game whose openings FILE holds: chess:atomic.")
@click.argument("file", type=click.Path(path_type=Path))
def add(file: Path, game: str) -> None:
    """Copy FILE into the books of this machine, and print the option that plays it.

    Each opening is played through, at some 7,000 a second.
    """
    rules = rules_of(game)

    def tell(count: int) -> None:
        if count % SAID_EVERY == 0:
            click.echo(f"{count:,} openings read ...", err=True)

    name = add_book(file, tell, rules)
    click.echo(f"{load_book(name, rules).summary}: -o book={name}")


@books.command("list")
def list_books() -> None:
    """List the books of this machine."""
    kept = sorted(path.name for path in folder().glob("*@*") if path.suffix in SUFFIXES) if folder().is_dir() else []
    for name in (*rules_of("chess").books, *kept):
        click.echo(f"{name}  {load_book(name).summary}")
