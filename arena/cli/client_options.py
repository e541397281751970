"""The options of commands that talk to a server, and the server that they mean."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import PathType, add_options

if TYPE_CHECKING:
    from arena.client.connection import Server

token_file_option = click.option(
    "--token-file",
    metavar="FILE",
    type=PathType(path_type=Path),
    help="File with the token  [default: ARENA_API_TOKEN, or that of `arena login`]",
)

insecure_option = click.option(
    "--insecure", is_flag=True, help="Allow http:// to other machines, which shows your token to the network."
)

server_option = click.option(
    "--to", "url", metavar="URL", help="The server  [default: ARENA_SERVER, or that of `arena login`]"
)


def client_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --token-file and --insecure."""
    return add_options(command, token_file_option, insecure_option)


def open_server(named: str | None, token_file: Path | None, insecure: bool) -> "Server":
    """Return the server that a command means, with its token. Raises ServerError."""
    from arena.client.connection import Server, parse_server
    from arena.client.credentials import find_server, find_token

    address = parse_server(find_server(named), insecure=insecure)
    return Server(address, find_token(address, token_file))
