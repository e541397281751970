"""`arena hand-ins`: check hand-ins on another machine than the server's."""

import click

from arena.cli.hand_in_queue import HandInCommands


@click.group("hand-ins", cls=HandInCommands)
def command() -> None:
    """Check hand-ins of a server on other machines.

    `arena serve` checks hand-ins itself; with --check-jobs 0 it leaves them to others.
    """
