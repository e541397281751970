"""The options of servers: which addresses webhooks may reach beside the internet."""

from collections.abc import Sequence

import click

from arena.cli.open_site import parse_networks


def server_options() -> Sequence[click.Option]:
    """Return the options."""
    return [
        click.Option(
            ["--webhook-network", "webhook_networks"],
            metavar="NETWORK",
            multiple=True,
            callback=parse_networks,
            help="Let webhooks reach this network, too, though it is not public; repeatable.",
        ),
        click.Option(
            ["--local-webhooks"],
            is_flag=True,
            help="Let webhooks reach this machine, also by http://: for tests.",
        ),
    ]
