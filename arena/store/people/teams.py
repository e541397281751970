"""Teams: owners of bots for whom several people act, each with an account, a token and a login of their own.

A team is an account that nobody signs in with, and its members are accounts that name it (`AccountRow.team`). So
whoever shows a token, or is named by a proxy, is one person as ever, and acts for their team instead of themselves
(`AccountRow.owner`) as long as the row says so: who leaves has lost access with the next request, and the tokens of the
others stay. A table of logins beside accounts would say the same once more, and have to be joined wherever tokens,
invitations and logins lead to accounts today.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, insert, select, update

from arena.store.engine.connection import OpenConnection
from arena.store.engine.errors import StoreError
from arena.store.engine.schema import accounts
from arena.store.people.account_closing import REVOKED, TEAM
from arena.store.people.accounts import AUTHOR
from arena.store.people.closed_names import is_closed_name
from arena.store.people.outbox_events import add_member_left
from arena.values.rows import utc_now


class TeamError(StoreError):
    """A team that cannot be made or changed as asked."""


class Teams:
    """The teams of a database, as `Store.teams`."""

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def add(self, name: str, display_name: str | None = None, members: Iterable[str] = ()) -> None:
        """Make a team of accounts. Raises TeamError; then nothing is made."""
        with self._write() as connection:
            add_team(connection, name, display_name)
            for member in members:
                join_team(connection, member, name)

    def join(self, name: str, members: Iterable[str]) -> None:
        """Let accounts act for a team. Raises TeamError; then nothing is changed."""
        with self._write() as connection:
            for member in members:
                join_team(connection, member, name)

    def leave(self, members: Iterable[str]) -> None:
        """Let accounts act for no team any more. Raises TeamError; then nothing is changed."""
        with self._write() as connection:
            for member in members:
                leave_team(connection, member)

    def members(self) -> dict[str, list[str]]:
        """Return the members of each team, by name."""
        with self._read() as connection:
            rows = connection.execute(select(accounts.c.name, accounts.c.role, accounts.c.team)).all()
        found: dict[str, list[str]] = {row.name: [] for row in sorted(rows) if row.role == TEAM}
        for row in sorted(rows):
            if row.team in found:
                found[row.team].append(row.name)
        return found


def add_team(connection: Connection, name: str, display_name: str | None = None) -> None:
    """Make a team, in the caller's transaction; bots of that owner become its bots. Raises TeamError."""
    role = connection.scalar(select(accounts.c.role).where(accounts.c.name == name))
    if role == TEAM:
        raise TeamError(f"there is a team {name} already")
    if role is not None or is_closed_name(connection, name):
        raise TeamError(
            f"{name} is, or was, the account of a person: choose another name, or revoke it first "
            f"(arena accounts revoke {name}), if its bots are to be the team's"
        )
    values = {"name": name, "role": TEAM, "sha256": "", "created": utc_now(), "display_name": display_name}
    connection.execute(insert(accounts).values(values))


def join_team(connection: Connection, member: str, team: str) -> None:
    """Let an account act for a team, and no longer for another, in the caller's transaction. Raises TeamError."""
    if connection.scalar(select(accounts.c.role).where(accounts.c.name == team)) != TEAM:
        raise TeamError(f"there is no team {team}: `arena accounts teams create {team}` makes it")
    row = connection.execute(select(accounts.c.role, accounts.c.team).where(accounts.c.name == member)).first()
    if row is None or row.role == REVOKED:
        raise TeamError(f"there is no account {member}: `arena accounts list` lists them")
    if row.role != AUTHOR:
        raise TeamError(f"{member} is {'a team' if row.role == TEAM else 'an organiser'}: only authors act for a team")
    if row.team not in (None, team):
        leave_team(connection, member)
    connection.execute(update(accounts).where(accounts.c.name == member).values(team=team))


def leave_team(connection: Connection, member: str) -> None:
    """Let an account act for itself alone, in the caller's transaction. Raises TeamError if it is in no team."""
    team = connection.scalar(select(accounts.c.team).where(accounts.c.name == member))
    if team is None:
        raise TeamError(f"{member} is in no team: `arena accounts teams list` lists them")
    connection.execute(update(accounts).where(accounts.c.name == member).values(team=None))
    add_member_left(connection, team, member)
