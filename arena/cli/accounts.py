"""`arena accounts`: manage the accounts of `arena web --sign-in`."""

import click

from arena.cli import account_teams, account_tokens
from arena.cli.account_invitations import invite, role_option
from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import by_option, db_option, json_option
from arena.cli.output import echo, print_holders, print_token
from arena.values.errors import ArenaError
from arena.values.text_table import text_column, word_column

_LISTED = {
    "name": text_column("account"),
    "display_name": text_column("display name"),
    "role": word_column("role"),
    "group": text_column("group", drop=2),
    "team": text_column("team", drop=3),
    "created": word_column("created", drop=1),
}
"""The columns of the list of accounts, by the fields of `AccountRow`."""

_FIELDS = ("name", "role", "created", "login", "display_name", "email", "id_number", "group", "team")
"""What is listed as JSON."""


class AccountError(ArenaError):
    """An account exists already, or does not exist."""


@click.group("accounts", cls=CommandGroup, path="accounts")
def command() -> None:
    """Manage the accounts of `arena web --sign-in`.

    An author submits bots under their own name and reads those bots' notes and output. An organiser may do everything.
    """


command.add_command(account_tokens.command)
command.add_command(account_teams.command)
command.add_command(invite)


@command.command("create")
@click.argument("name", metavar="NAME")
@role_option
@click.option("--display-name", metavar="TEXT", help="How people are to read who it is, in any script.")
@json_option
@db_option
def create(name: str, role: str, display_name: str | None, as_json: bool, db: str) -> None:
    """Create an account and print its token, once.

    NAME is also the owner in the names of an author's bots: club submits club/owl. Only the token's hash is stored; to
    replace a lost token: arena accounts reset NAME.
    """
    from arena.packs.names import check_account_name
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.values.display_names import check_display_name

    check_account_name(name)
    shown = None if display_name is None else check_display_name(display_name)
    token = new_token()
    with open_store(db, create=True) as store:
        if not store.accounts.add(name, role, token_hash(token)):
            raise AccountError(
                f"{name} has an account, and its token cannot be shown again; to replace it, "
                f"run: arena accounts reset {name}. If it was closed, choose another name"
            )
        if shown is not None:
            store.accounts.describe(name, display_name=shown)
    print_token({"name": name, "role": role}, token, "The sign-in page asks for it.", as_json)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the accounts.

    With --json, e-mail addresses and ID numbers too.
    """
    rows = read_rows(db, lambda store: store.accounts.all())
    none = "no accounts; create one with: arena accounts create NAME"
    if as_json:
        print_holders("accounts", [{key: getattr(row, key) for key in _FIELDS} for row in rows], (), none, as_json)
        return
    columns = [key for key in _LISTED if key in ("name", "role") or any(getattr(row, key) for row in rows)]
    accounts = [{key: getattr(row, key) or "" for key in columns} for row in rows]
    for account in accounts:
        account["created"] = account["created"][:10]
    print_holders("accounts", accounts, [_LISTED[key] for key in columns], none, as_json)


@command.command("describe")
@click.argument("name", metavar="NAME")
@click.option("--display-name", metavar="TEXT", help="How people are to read who it is, in any script.")
@click.option("--email", metavar="ADDRESS", help="The e-mail address.")
@click.option("--id-number", metavar="NUMBER", help="The ID number of a student, as in a gradebook.")
@click.option("--group", metavar="NAME", help="The group of a class.")
@db_option
def describe(name: str, db: str, **details: str | None) -> None:
    """Store what is known of the person of an account.

    What is not given stays as it is; "" removes it. Closing or revoking the account wipes all of it.
    """
    from arena.store import open_store
    from arena.store.people.account_details import check_details

    checked = check_details({key: text for key, text in details.items() if text is not None})
    if not checked:
        raise click.UsageError("say what is known: --display-name, --email, --id-number or --group")
    with open_store(db, write=True) as store:
        if not store.accounts.describe(name, **checked):
            raise AccountError(f"there is no account {name}; `arena accounts list` lists them")
    echo(f"{name} is described", err=True)


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


@command.command("reset")
@click.argument("name", metavar="NAME")
@json_option
@db_option
def reset(name: str, as_json: bool, db: str) -> None:
    """Give an account another token and print it, once.

    Whoever is signed in with it is signed out at once. Its tokens with scopes are revoked, and what
    packages send on its behalf, as webhooks are, is switched off.
    """
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store

    token = new_token()
    with open_store(db, write=True) as store:
        if not store.accounts.reset(name, token_hash(token)):
            raise AccountError(f"nobody signs in as {name}; `arena accounts list` lists the accounts")
    print_token({"name": name}, token, "The sign-in page asks for it.", as_json)


@command.command("close")
@click.argument("name", metavar="NAME")
@click.option("--yes", is_flag=True, help="Do not ask: what is wiped cannot be restored.")
@by_option
@db_option
def close(name: str, yes: bool, by: str | None, db: str) -> None:
    """Close an account and wipe what its owner wrote.

    Wiped are its tokens, its hand-ins, the files of its bots, the notes and output of these, and what packages keep
    of it, as webhooks are. Its bots are retired, and shown by pseudonyms. Results and what bots said at the table
    stay, and names where they are hashed. Files that are unpacked on other machines (ARENA_CACHE) are removed there by
    hand.
    """
    from arena.league.account_closing import close_account
    from arena.packs.cache import forget_packs
    from arena.packs.names import RESERVED
    from arena.results.control import actor
    from arena.store import open_store

    if name in RESERVED:
        raise AccountError(f"{name} is the name of no account, and what it has is not wiped")
    if not yes:
        click.confirm(f"Wipe the code, notes and output of {name}?", abort=True, err=True)
    with open_store(db, write=True) as store:
        closed = close_account(store, name, actor(by))
        if closed is None:
            raise AccountError(f"there is no account {name}; `arena accounts list` lists them")
    forget_packs(closed.packs)
    echo(f"the account of {name} is closed; wiped: versions of bots {closed.submissions}, hand-ins {closed.hand_ins}")
