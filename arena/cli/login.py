"""`arena login`: store a token for a server."""

from pathlib import Path

import click

from arena.cli.client_options import client_options
from arena.cli.output import echo


@click.command("login")
@click.argument("url", metavar="URL")
@client_options
def command(url: str, token_file: Path | None, insecure: bool) -> None:
    """Store a token for a server.

    It is asked for, tried, and kept in a file that only you can read; `arena submit --to` and `arena watch` use it. The
    organiser makes tokens with `arena accounts tokens create`.
    """
    from arena.client.answers import TOKEN
    from arena.client.connection import Server, parse_server
    from arena.client.credentials import check_token, read_token, store_token

    address = parse_server(url, insecure=insecure)
    if token_file is not None:
        token = read_token(token_file)
    else:
        token = check_token(click.prompt(f"Token for {address}", hide_input=True, err=True).strip())
    holder = Server(address, token).get("/token", TOKEN)
    path = store_token(address, token)
    echo(f"you are {holder['account']} at {address}; the token ({', '.join(holder['scopes'])}) is kept in {path}")
