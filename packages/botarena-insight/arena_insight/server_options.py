"""The options of servers: what analyses in idle time may take."""

from collections.abc import Sequence

import click

from arena.cli.options import Duration


def server_options() -> Sequence[click.Option]:
    """Return the options."""
    return [
        click.Option(
            ["--analysis-cpu"],
            metavar="TIME",
            type=Duration(),
            default="0",
            show_default=True,
            help="CPU time that estimates of chances to win, of matches that somebody opens, may take on a day (UTC) "
            "while nothing is played or checked, as 60min; 0: none are made unless somebody asks.",
        )
    ]
