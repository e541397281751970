"""`arena league`: run a league."""

import click

from arena.cli.leagues import Leagues


@click.group("league", cls=Leagues)
def command() -> None:
    """Run a league: a standing competition that plays by itself.

    Submitted bots of the game enter when they are accepted, are placed among the others, and play on. A bot's newest
    version is active; older ones keep their ratings.

    \b
        arena league create cambio --game cambio
        arena league run
        arena submit ./mybot --name club/owl
        arena league board cambio
    """
