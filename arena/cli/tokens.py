"""`arena tokens`: what remote bots prove their names with."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders, print_token


@click.group("tokens")
def command() -> None:
    """Give tokens to remote bots, list or revoke them.

    A bot that plays from its owner's machine shows its token to `arena tourney --listen`. docs/remote.md tells more.
    """


@command.command("create")
@click.argument("name", metavar="NAME")
@json_option
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
    print_token({"name": name}, token, "Its owner sets ARENA_TOKEN to it.", as_json)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the remote bots that have a token."""
    told = [{"name": row.name, "created": row.created} for row in read_rows(db, lambda store: store.tokens.all())]
    nobody = "no remote bot has a token: arena tokens create NAME"
    print_holders("tokens", told, ("remote bot", "token made"), nobody, as_json)


@command.command("revoke")
@click.argument("name", metavar="NAME")
@db_option
def revoke(name: str, db: str) -> None:
    """Take back the token of a remote bot: nobody is let in with it any more."""
    from arena.remote.errors import RemoteError
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.tokens.remove(name):
            raise RemoteError(f"no remote bot {name} has a token (`arena tokens list`)")
    echo(f"the token of {name} is revoked", err=True)
