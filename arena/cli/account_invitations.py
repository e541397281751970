"""`arena accounts invite`: a link that makes an account."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.cli.package_options import package_options
from arena.values.errors import ArenaError
from arena.values.texts import json_text

role_option = click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="What the account may do.",
)


class InvitationError(ArenaError):
    """An account that cannot be made."""


@click.command("invite")
@click.argument("name", metavar="[NAME]", required=False)
@role_option
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="Days until it expires.")
@click.option("--url", metavar="URL", default="http://127.0.0.1:8000", show_default=True, help="Where the pages are.")
@click.option("--team", metavar="TEAM", help="The team for which the account is to act.")
@package_options("accounts invite")
@json_option
@db_option
def invite(
    name: str | None,
    role: str,
    days: int,
    url: str,
    team: str | None,
    packages: Mapping[str, Any],
    as_json: bool,
    db: str,
) -> None:
    """Print a link that makes an account, once.

    Whoever opens it gets the account NAME, or chooses a name, and sees its token.
    """
    from arena.hooks.plugins import plugins
    from arena.packs.names import check_account_name
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store

    if team is not None and role != "author":
        raise click.UsageError("--team is for authors: organisers act for everybody")
    secret = new_token()
    expires = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
    with open_store(db, create=True) as store:
        if name is not None and any(row.name == check_account_name(name) for row in store.accounts.all()):
            raise InvitationError(f"{name} has an account: reset its token with `arena accounts reset {name}`")
        if team is not None and team not in store.teams.members():
            raise InvitationError(f"there is no team {team}: `arena accounts teams create {team}` makes it")
        store.invitations.add(name or "", role, token_hash(secret), expires, team)
        invitation = {"name": name or "", "role": role, "secret": secret, "expires": expires}
        plugins().hook.arena_invitation(options=packages, store=store, invitation=invitation)
    link = f"{url.rstrip('/')}/invitations/{secret}"
    if as_json:
        echo(json_text({"name": name, "role": role, "team": team, "link": link, "expires": expires}))
        return
    echo(link)
    echo(f"This link makes one account, until {expires}, and is not shown again.", err=True)
