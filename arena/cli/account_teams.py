"""`arena accounts teams`: owners of bots for whom several accounts act."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_holders
from arena.values.text_table import text_column
from arena.values.texts import json_text
from arena.values.versioned_names import owner

if TYPE_CHECKING:
    from arena.store.people.submissions import SubmissionRow


@click.group("teams", cls=CommandGroup)
def command() -> None:
    """Let several people act for one owner of bots.

    Each member signs in with an account, a token or a login of their own, and hands in and reads as the team as long as
    they are in it; limits count for the team. Closing a team (`arena accounts close`) leaves its members their
    accounts.
    """


@command.command("create")
@click.argument("team", metavar="TEAM")
@click.argument("members", metavar="[ACCOUNT]...", nargs=-1)
@click.option("--display-name", metavar="TEXT", help="How people are to read who it is, in any script.")
@db_option
def create(team: str, members: tuple[str, ...], display_name: str | None, db: str) -> None:
    """Create a team of accounts.

    TEAM is the owner in the names of its bots: lab submits lab/owl.
    """
    from arena.packs.names import check_account_name
    from arena.store import open_store
    from arena.values.display_names import check_display_name

    check_account_name(team)
    shown = None if display_name is None else check_display_name(display_name)
    with open_store(db, create=True) as store:
        store.teams.add(team, shown, members)
        _warn_of_bots(store.submissions.newest(), members)
    echo(f"the team {team} has {_members(len(members))}", err=True)


@command.command("add")
@click.argument("team", metavar="TEAM")
@click.argument("members", metavar="ACCOUNT...", nargs=-1, required=True)
@db_option
def add(team: str, members: tuple[str, ...], db: str) -> None:
    """Let accounts act for a team.

    Whoever is in another team leaves that.
    """
    from arena.store import open_store

    with open_store(db, write=True) as store:
        store.teams.join(team, members)
        _warn_of_bots(store.submissions.newest(), members)
        count = len(store.teams.members()[team])
    echo(f"the team {team} has {_members(count)}", err=True)


@command.command("remove")
@click.argument("members", metavar="ACCOUNT...", nargs=-1, required=True)
@db_option
def remove(members: tuple[str, ...], db: str) -> None:
    """Let accounts act for themselves alone again.

    They lose access to the bots of their team at once; the accounts and tokens of the others stay. What packages send
    on behalf of the team, as webhooks are, is switched off, as it may go to addresses of who has left.
    """
    from arena.store import open_store

    with open_store(db, write=True) as store:
        store.teams.leave(members)
    echo(f"in no team any more: {', '.join(members)}", err=True)


@command.command("list")
@json_option
@db_option
def list_(as_json: bool, db: str) -> None:
    """List the teams with their members."""
    teams = read_rows(db, lambda store: list(store.teams.members().items()))
    if as_json:
        echo(json_text({"teams": [{"team": team, "members": members} for team, members in teams]}))
        return
    rows = [{"team": team, "members": " ".join(members)} for team, members in teams]
    none = "no teams; create one with: arena accounts teams create TEAM ACCOUNT..."
    print_holders("teams", rows, (text_column("team"), text_column("members")), none, as_json=False)


def _warn_of_bots(bots: "Iterable[SubmissionRow]", members: Collection[str]) -> None:
    """Say which bots of their own members have: those are not the team's, and go on playing."""
    own = [row.name for row in bots if owner(row.name) in members]
    if own:
        echo(
            f"bots of members that stay their own: {', '.join(own)}; what should play no more: arena league retire",
            err=True,
        )


def _members(count: int) -> str:
    return f"{count} member{'s' * (count != 1)}"
