"""Accounts of people who sign in to the pages: their names, their roles, and the hashes of their tokens."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select

from arena.store.schema import accounts

Opening = Callable[[], AbstractContextManager[Connection]]

AUTHOR, ORGANISER = "author", "organiser"
ROLES = (AUTHOR, ORGANISER)
"""What an account may do: hand in bots of its own and read their notes and output; or everything."""


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account: its name, one of ROLES, its token's SHA-256 in hex, and when it was made (UTC, ISO 8601)."""

    name: str
    role: str
    sha256: str
    created: str


class Accounts:
    """What a database knows of accounts; got from `Store.accounts`."""

    def __init__(self, reading: Opening, writing: Opening) -> None:
        self._reading = reading
        self._writing = writing

    def all(self) -> list[AccountRow]:
        """Return all accounts, by their names."""
        with self._reading() as connection:
            found = connection.execute(select(accounts).order_by(accounts.c.name))
            return [AccountRow(row.name, row.role, row.sha256, row.created) for row in found]

    def find(self, sha256: str) -> AccountRow | None:
        """Return the account whose token has this hash; None where there is none, or none any more."""
        with self._reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.sha256 == sha256)).first()
        return AccountRow(row.name, row.role, row.sha256, row.created) if row else None

    def add(self, name: str, role: str, sha256: str) -> bool:
        """Store an account; return whether there was none of that name."""
        with self._writing() as connection:
            if connection.scalar(select(accounts.c.name).where(accounts.c.name == name)) is not None:
                return False
            now = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute(insert(accounts).values(name=name, role=role, sha256=sha256, created=now))
        return True

    def remove(self, name: str) -> bool:
        """Forget an account; return whether there was one."""
        with self._writing() as connection:
            return connection.execute(delete(accounts).where(accounts.c.name == name)).rowcount > 0
