"""`arena rules`: print the rules of a game."""

import sys
from importlib.resources import files
from pathlib import Path

import click

from arena.cli.output import echo
from arena.errors import ArenaError
from referee.engine.game import Game
from referee.engine.registry import game as find_game
from referee.engine.registry import installed

WIDTH = 110
"""The most columns of a page on a terminal: longer lines are hard to read."""


class NoPage(ArenaError):
    """A game that has no page of rules."""


@click.command("rules")
@click.argument("name", metavar="[GAME]", required=False)
def command(name: str | None) -> None:
    """Print the rules of a game.

    On a terminal the page is formatted; elsewhere the Markdown source is printed. Without GAME, list the games.
    """
    if name is None:
        for game in installed()[0]:
            echo(f"{game.name:<10} {game.title}")
        return
    text = page(find_game(name))
    if sys.stdout.isatty():
        _print_formatted(text)
    else:
        echo(text, nl=False)


def page(game: Game) -> str:
    """Return the rules of a game as Markdown.

    The pages of arena's own games are in its documents; a game from elsewhere has a file `rules.md`, or NAME.md in a
    folder `rules`, in the package of its class. Raises NoPage where there is none.
    """
    module = type(game).__module__
    package = module.rpartition(".")[0] or module
    if package == "referee.games":
        return (_own_pages() / f"{game.name}.md").read_text("utf-8")
    home = files(package)
    for place in (home / "rules" / f"{game.name}.md", home / "rules.md"):
        if place.is_file():
            return place.read_text("utf-8")
    raise NoPage(
        f"{game.name} comes without a page of rules (rules.md in {package}); "
        f"see its options and moves with: arena games {game.name}"
    )


def _own_pages() -> Path:
    """Return the folder of our pages: inside the installed package, or among the documents of a checkout."""
    package = Path(str(files("arena")))
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "docs" / "rules"


def _print_formatted(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, hyperlinks=False), width=min(WIDTH, console.width))
