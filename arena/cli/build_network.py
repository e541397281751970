"""Whether the build of a bot may use the network: as an option says, or the answer to a question."""

import sys
from typing import TYPE_CHECKING

import click

from arena.values.texts import printable

if TYPE_CHECKING:
    from arena.packs.candidate import Candidate

build_network_option = click.option(
    "--build-network/--no-build-network",
    default=None,
    help="Let builds use the network; otherwise you are asked where a bot needs it.",
)
"""Passes `build_network`, None where neither was given."""


def may_use_network(candidate: "Candidate", build_network: bool | None) -> bool:
    """Return whether the build of a bot may use the network.

    build_network: what the option said; None: it was not given.
    """
    if build_network is not None or not (uses := candidate.network_uses):
        return bool(build_network)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return click.confirm(printable(f"This bot asks for the network, for {uses}. Let it use it?"), err=True)
