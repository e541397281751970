"""`arena tokens`: what remote bots prove their names with."""

import json

import click

from arena.cli.database import db_option
from arena.cli.settings import SETTINGS


@click.group("tokens", context_settings=SETTINGS)
def command() -> None:
    """Give tokens to remote bots, list or revoke them.

    A bot that plays from its owner's machine shows its token to `arena tourney --listen`. docs/remote.md tells more.
    """


@command.command("create", context_settings=SETTINGS)
@click.argument("name", metavar="NAME")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def create(name: str, as_json: bool, db: str) -> None:
    """Make a token for a remote bot and print it, once.

    NAME is that of the bot, as in `--bots remote:NAME`. Only the token's hash is kept: who loses a token gets a new
    one, after `arena tokens revoke`.
    """
    from arena.remote.errors import RemoteError
    from arena.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.submissions.names import check_name

    check_name(name)
    token = new_token()
    with open_store(db, create=True) as store:
        if not store.tokens.add(name, token_hash(token)):
            raise RemoteError(
                f"{name} has a token, which cannot be shown again: `arena tokens revoke {name}` takes it back"
            )
    if as_json:
        click.echo(json.dumps({"name": name, "token": token}))
    else:
        click.echo(token)
        click.echo(f"This is the token of {name}, and is not shown again. Its owner sets ARENA_TOKEN to it.", err=True)


@command.command("list", context_settings=SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the remote bots that have a token."""
    from arena.store import NoDatabase, open_store

    try:
        with open_store(db) as store:
            rows = store.tokens.all()
    except NoDatabase:
        rows = []
    if as_json:
        click.echo(json.dumps({"tokens": [{"name": row.name, "created": row.created} for row in rows]}))
    elif rows:
        from tabulate import tabulate

        click.echo(tabulate([(row.name, row.created) for row in rows], ("remote bot", "token made"), "simple"))
    else:
        click.echo("no remote bot has a token: arena tokens create NAME", err=True)


@command.command("revoke", context_settings=SETTINGS)
@click.argument("name", metavar="NAME")
@db_option
def revoke(name: str, db: str) -> None:
    """Take back the token of a remote bot: nobody is let in with it any more."""
    from arena.remote.errors import RemoteError
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.tokens.remove(name):
            raise RemoteError(f"no remote bot {name} has a token (`arena tokens list`)")
    click.echo(f"the token of {name} is revoked", err=True)
