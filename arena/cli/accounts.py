"""`arena accounts`: who may sign in to the pages."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders, print_token
from arena.errors import ArenaError


class AccountError(ArenaError):
    """There is such an account already, or none."""


@click.group("accounts")
def command() -> None:
    """Let people sign in to the pages of `arena web --sign-in`.

    An author hands in bots under its own name, and reads their notes and output. An organiser may do everything.
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
    """Make an account and print its token, once.

    NAME is also what stands before the slash of an author's bots: club hands in club/owl. Only the token's hash is
    kept: who loses a token gets a new one, after `arena accounts revoke`.
    """
    from arena.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.submissions.errors import BadName
    from arena.submissions.names import check_name

    if "/" in check_name(name):
        raise BadName(f"an account is named by what stands before the slash: {name.partition('/')[0]}")
    token = new_token()
    with open_store(db, create=True) as store:
        if not store.accounts.add(name, role, token_hash(token)):
            raise AccountError(
                f"{name} has an account, and its token cannot be shown again: `arena accounts revoke {name}` ends it"
            )
    print_token({"name": name, "role": role}, token, "The page to sign in asks for it.", as_json)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the accounts."""
    rows = read_rows(db, lambda store: store.accounts.all())
    told = [{"name": row.name, "role": row.role, "created": row.created} for row in rows]
    nobody = "nobody has an account: arena accounts create NAME"
    print_holders("accounts", told, ("account", "role", "made"), nobody, as_json)


@command.command("revoke")
@click.argument("name", metavar="NAME")
@db_option
def revoke(name: str, db: str) -> None:
    """Take back an account: who is signed in with it is out at once. Its submissions stay."""
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.accounts.remove(name):
            raise AccountError(f"{name} has no account (`arena accounts list`)")
    echo(f"the account of {name} is revoked", err=True)
