"""`arena accounts tokens`: manage tokens with scopes, for programs."""

from datetime import UTC, datetime, timedelta

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import StoredNumber, db_option, json_option
from arena.cli.output import echo, print_holders, print_token
from arena.values.errors import ArenaError
from arena.values.text_table import Column, text_column, word_column

TOKENS = (
    Column("token"),
    text_column("account"),
    text_column("label", drop=4),
    text_column("scopes"),
    word_column("created", drop=1),
    word_column("expires", drop=3),
    word_column("last used", drop=2),
)


class AccountTokenError(ArenaError):
    """A token cannot be made as asked, or does not exist."""


@click.group("tokens", cls=CommandGroup)
def command() -> None:
    """Create, list or revoke tokens with scopes.

    Programs show them to the API; an account may have several, each for one use. The token that `arena accounts create`
    prints has all scopes of its account, and is for people.
    """


@command.command("create")
@click.argument("account", metavar="ACCOUNT")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(["read", "submit", "manage"]),
    multiple=True,
    required=True,
    help="What it allows; repeatable: read notes and output, submit bots, manage (organisers only).",
)
@click.option("--label", metavar="TEXT", default="", help="What it is for, to tell it from others.")
@click.option("--days", type=click.IntRange(1, 3660), help="Days until it expires  [default: never]")
@json_option
@db_option
def create(account: str, scopes: tuple[str, ...], label: str, days: int | None, as_json: bool, db: str) -> None:
    """Create a token of an account and print it, once."""
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.store.people.account_closing import TEAM
    from arena.store.people.account_tokens import MOST_TOKENS, SCOPES_OF_ROLE

    wanted = tuple(dict.fromkeys(scopes))
    expires = None if days is None else _in_days(days)
    token = new_token()
    with open_store(db, write=True) as store:
        role = next((row.role for row in store.accounts.all() if row.name == account), None)
        if role is None:
            raise AccountTokenError(f"there is no account {account}: create it with `arena accounts create`")
        if role == TEAM:
            raise AccountTokenError(f"{account} is a team: its members have tokens of their own")
        if missing := [scope for scope in wanted if scope not in SCOPES_OF_ROLE[role]]:
            raise AccountTokenError(f"{account} is an {role}, who may not {missing[0]}: give another scope")
        if store.account_tokens.add(account, label[:80], wanted, token_hash(token), expires) is None:
            raise AccountTokenError(f"{account} has {MOST_TOKENS} tokens already: revoke one that is not used")
    print_token({"name": account, "scopes": " ".join(wanted)}, token, "Programs send it to the API.", as_json)


@command.command("list")
@click.argument("account", metavar="[ACCOUNT]", required=False)
@json_option
@db_option
def list_(account: str | None, as_json: bool, db: str) -> None:
    """List the tokens of an account, or of all."""
    rows = read_rows(db, lambda store: store.account_tokens.all(account))
    tokens = [
        {
            "token": str(row.id),
            "account": row.account,
            "label": row.label,
            "scopes": " ".join(row.scopes),
            "created": row.created,
            "expires": row.expires or "",
            "used": row.used or "",
        }
        for row in rows
    ]
    none = "no tokens; create one with: arena accounts tokens create ACCOUNT --scope submit"
    print_holders("tokens", tokens, TOKENS, none, as_json)


@command.command("revoke")
@click.argument("number", metavar="NUMBER", type=StoredNumber("token", "arena accounts tokens list"))
@db_option
def revoke(number: int, db: str) -> None:
    """Revoke a token, by the number that `list` shows."""
    from arena.store import open_store

    with open_store(db, write=True) as store:
        if not store.account_tokens.revoke(number):
            raise AccountTokenError(f"there is no token {number}: `arena accounts tokens list` lists them")
    echo(f"token {number} is revoked", err=True)


def _in_days(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
