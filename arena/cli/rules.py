"""`arena rules`: print the rules of a game."""

import sys

import click

from arena.cli.output import echo
from arena.replay.rule_pages import page
from referee.engine.registry import game as find_game
from referee.engine.registry import installed

WIDTH = 110
"""The most columns of a page on a terminal: longer lines are hard to read."""


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
    text, _ = page(find_game(name))
    if sys.stdout.isatty():
        _print_formatted(text)
    else:
        echo(text, nl=False)


def _print_formatted(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, hyperlinks=False), width=min(WIDTH, console.width))
