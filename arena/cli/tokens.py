"""`arena tokens`: manage the tokens of remote bots."""

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders, print_token
from arena.values.text_table import text_column, word_column


@click.group("tokens", cls=CommandGroup)
def command() -> None:
    """Create, list or revoke the tokens of remote bots.

    A bot that plays from its owner's machine presents its token to `arena tourney --listen`; see docs/remote.md.
    """


@command.command("create")
@click.argument("name", metavar="NAME")
@json_option
@db_option
def create(name: str, as_json: bool, db: str) -> None:
    """Create a token for a remote bot and print it, once.

    NAME is the bot, as in `--bots remote:NAME`. Only the token's hash is stored; to replace a lost token, revoke it and
    create a new one.
    """
    from arena.packs.names import check_name
    from arena.run.remote.errors import RemoteError
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store

    check_name(name)
    token = new_token()
    with open_store(db, create=True) as store:
        if not store.tokens.add(name, token_hash(token)):
            raise RemoteError(
                f"{name} has a token, which cannot be shown again; to replace it, first run: arena tokens revoke {name}"
            )
    print_token({"name": name}, token, "Its owner sets ARENA_TOKEN to it.", as_json)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the remote bots that have a token."""
    tokens = [{"name": row.name, "created": row.created} for row in read_rows(db, lambda store: store.tokens.all())]
    none = "no remote bot has a token; create one with: arena tokens create NAME"
    print_holders("tokens", tokens, (text_column("remote bot"), word_column("token created")), none, as_json)


@command.command("revoke")
@click.argument("name", metavar="NAME")
@db_option
def revoke(name: str, db: str) -> None:
    """Revoke the token of a remote bot."""
    from arena.run.remote.errors import RemoteError
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.tokens.remove(name):
            raise RemoteError(f"there is no token of a remote bot {name}; `arena tokens list` lists them")
    echo(f"the token of {name} is revoked", err=True)
