"""`arena hand-ins`: list hand-ins, or check them: on other machines, or again."""

import click

from arena.cli.hand_in_queue import HandInCommands


@click.group("hand-ins", cls=HandInCommands)
def command() -> None:
    """List hand-ins, or check them: on other machines, or again.

    `arena serve` checks hand-ins itself; with --check-jobs 0 it leaves them to `arena hand-ins check`.
    """
