"""Invitations to make an account: each can be accepted once, until it expires. Only hashes of secrets are kept."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from arena.store.engine.connection import OpenConnection
from arena.store.engine.schema import account_invitations, accounts
from arena.store.people.account_closing import TEAM, is_name_used
from arena.store.people.closed_names import is_closed_name
from arena.store.people.teams import join_team
from arena.values.rows import utc_now


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation to an account.

    created, expires: times in UTC, ISO 8601.
    """

    id: int
    name: str
    """The name of the account; empty: whoever accepts the invitation chooses it."""
    role: str
    """The role of the account."""
    created: str
    expires: str
    accepted: str | None
    """The name of the account that it made; None while it is open."""
    team: str | None = None
    """The name of the team for which the account acts; None for none."""


class Invitations:
    """The invitations of a database, as `Store.invitations`."""

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def add(self, name: str, role: str, sha256: str, expires: str, team: str | None = None) -> None:
        """Store an invitation.

        team: for which the account acts.
        """
        values = {"name": name, "role": role, "sha256": sha256, "created": utc_now(), "expires": expires, "team": team}
        with self._write() as connection:
            connection.execute(insert(account_invitations).values(values))

    def find(self, sha256: str) -> InvitationRow | None:
        """Return the open invitation whose secret has this hash; None if there is none.

        One that has expired, or whose team is gone, is not open.
        """
        with self._read() as connection:
            return _open(connection, sha256)

    def accept(self, sha256: str, name: str, token_sha256: str) -> bool:
        """Make the account of an invitation; return False if it is no longer open, or if the name is taken.

        A name that the organiser has fixed may be that of the owner of bots; one that is chosen may not. Nobody gets
        that of a closed account.

        name: the name of the account, if the invitation has none.
        token_sha256: the hash of its token.
        """
        with self._write() as connection:
            row = _open(connection, sha256)
            if row is None:
                return False
            chosen = row.name or name
            is_account = connection.scalar(select(accounts.c.name).where(accounts.c.name == chosen)) is not None
            is_taken = is_closed_name(connection, chosen) if row.name else is_name_used(connection, chosen)
            if is_account or is_taken:
                return False
            # Another program may accept it at the same moment: on a server, whoever changes the row first has it.
            is_open = (account_invitations.c.id == row.id) & account_invitations.c.accepted.is_(None)
            if not connection.execute(update(account_invitations).where(is_open).values(accepted=chosen)).rowcount:
                return False
            values = {"name": chosen, "role": row.role, "sha256": token_sha256, "created": utc_now()}
            connection.execute(insert(accounts).values(values))
            if row.team is not None:
                join_team(connection, chosen, row.team)
            return True


def _open(connection: Connection, sha256: str) -> InvitationRow | None:
    row = connection.execute(select(account_invitations).where(account_invitations.c.sha256 == sha256)).first()
    if row is None or row.accepted is not None or row.expires <= utc_now():
        return None
    of_team = select(accounts.c.name).where(accounts.c.name == row.team, accounts.c.role == TEAM)
    if row.team is not None and connection.scalar(of_team) is None:
        return None
    return InvitationRow(row.id, row.name, row.role, row.created, row.expires, row.accepted, row.team)
