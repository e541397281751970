"""Accounts of people and tokens of remote bots: names, roles and the SHA-256 of each token."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Connection, Table, delete, insert, select

from arena.store.rows import utc_now
from arena.store.schema import accounts, tokens

AUTHOR, ORGANISER = "author", "organiser"
"""The roles of accounts. An author submits bots and reads the notes and output of their own; an organiser does
everything."""

OpenConnection = Callable[[], AbstractContextManager[Connection]]
Row = TypeVar("Row")


class TokenHolders(Generic[Row]):
    """A table of names and the hashes of their tokens.

    table: has the columns `name`, `sha256` and `created`, perhaps more. row: the class of its rows, which takes all
    columns by name.
    """

    table: ClassVar[Table]
    row: Callable[..., Row]

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def all(self) -> list[Row]:
        """Return all rows, ordered by name."""
        with self._read() as connection:
            rows = connection.execute(select(self.table).order_by(self.table.c.name))
            return [self.row(**columns) for columns in rows.mappings()]

    def find(self, sha256: str) -> Row | None:
        """Return the row whose token has this hash; None if there is none."""
        with self._read() as connection:
            columns = connection.execute(select(self.table).where(self.table.c.sha256 == sha256)).mappings().first()
        return self.row(**columns) if columns else None

    def remove(self, name: str) -> bool:
        """Delete a row by name; return False if there was none."""
        with self._write() as connection:
            return connection.execute(delete(self.table).where(self.table.c.name == name)).rowcount > 0

    def _add(self, name: str, sha256: str, **columns: Any) -> bool:
        """Store a row created now; return False if the name is taken."""
        with self._write() as connection:
            if connection.scalar(select(self.table.c.name).where(self.table.c.name == name)) is not None:
                return False
            connection.execute(insert(self.table).values(name=name, sha256=sha256, created=utc_now(), **columns))
        return True


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account: its name, AUTHOR or ORGANISER, its token's SHA-256 in hex, and its creation time (UTC, ISO 8601)."""

    name: str
    role: str
    sha256: str
    created: str


class Accounts(TokenHolders[AccountRow]):
    """The accounts of a database, as `Store.accounts`."""

    table = accounts
    row = AccountRow

    def add(self, name: str, role: str, sha256: str) -> bool:
        """Store an account; return False if the name is taken."""
        return self._add(name, sha256, role=role)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token of a remote bot: the bot's name, the token's SHA-256 in hex, and its creation time (UTC, ISO 8601)."""

    name: str
    sha256: str
    created: str


class Tokens(TokenHolders[TokenRow]):
    """The tokens of remote bots of a database, as `Store.tokens`."""

    table = tokens
    row = TokenRow

    def add(self, name: str, sha256: str) -> bool:
        """Store the hash of a bot's token; return False if it has one already."""
        return self._add(name, sha256)
