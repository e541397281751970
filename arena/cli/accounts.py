"""`arena accounts`: manage the accounts of `arena web --sign-in`."""

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders, print_token
from arena.errors import ArenaError


class AccountError(ArenaError):
    """An account exists already, or does not exist."""


@click.group("accounts", cls=CommandGroup)
def command() -> None:
    """Manage the accounts of `arena web --sign-in`.

    An author submits bots under their own name and reads those bots' notes and output. An organiser may do everything.
    """


@command.command("create")
@click.argument("name", metavar="NAME")
@click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="What the account may do.",
)
@json_option
@db_option
def create(name: str, role: str, as_json: bool, db: str) -> None:
    """Create an account and print its token, once.

    NAME is also the owner in the names of an author's bots: club submits club/owl. Only the token's hash is stored; to
    replace a lost token, revoke the account and create it again.
    """
    from arena.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.submissions.errors import BadName
    from arena.submissions.names import check_name

    if "/" in check_name(name):
        raise BadName(f"{name} is no account name, as it has a slash: use {name.partition('/')[0]}")
    token = new_token()
    with open_store(db, create=True) as store:
        if not store.accounts.add(name, role, token_hash(token)):
            raise AccountError(
                f"{name} has an account, and its token cannot be shown again; to replace it, "
                f"first run: arena accounts revoke {name}"
            )
    print_token({"name": name, "role": role}, token, "The sign-in page asks for it.", as_json)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the accounts."""
    rows = read_rows(db, lambda store: store.accounts.all())
    accounts = [{"name": row.name, "role": row.role, "created": row.created} for row in rows]
    none = "no accounts; create one with: arena accounts create NAME"
    print_holders("accounts", accounts, ("account", "role", "created"), none, as_json)


@command.command("revoke")
@click.argument("name", metavar="NAME")
@db_option
def revoke(name: str, db: str) -> None:
    """Revoke an account.

    Whoever is signed in with it is signed out at once. Its submissions stay.
    """
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.accounts.remove(name):
            raise AccountError(f"there is no account {name}; `arena accounts list` lists them")
    echo(f"the account of {name} is revoked", err=True)
