"""Accounts of people and tokens of remote bots: names, roles and the SHA-256 of each token."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Connection, Table, delete, insert, select

from arena.store.rows import utc_now
from arena.store.schema import accounts, tokens

AUTHOR, ORGANISER = "author", "organiser"
"""The roles: what an account may do: hand in bots of its own and read their notes and output; or everything."""

Opening = Callable[[], AbstractContextManager[Connection]]
Row = TypeVar("Row")


class TokenHolders(Generic[Row]):
    """What a database knows of them.

    table: has the columns `name`, `sha256` and `created`, perhaps more. row: makes a row, from all columns by name.
    """

    table: ClassVar[Table]
    row: Callable[..., Row]

    def __init__(self, reading: Opening, writing: Opening) -> None:
        self._reading = reading
        self._writing = writing

    def all(self) -> list[Row]:
        """Return all of them, by their names."""
        with self._reading() as connection:
            found = connection.execute(select(self.table).order_by(self.table.c.name))
            return [self.row(**each) for each in found.mappings()]

    def find(self, sha256: str) -> Row | None:
        """Return whose token has this hash; None where nobody's has, or has any more."""
        with self._reading() as connection:
            found = connection.execute(select(self.table).where(self.table.c.sha256 == sha256)).mappings().first()
        return self.row(**found) if found else None

    def remove(self, name: str) -> bool:
        """Forget one; return whether there was one of that name."""
        with self._writing() as connection:
            return connection.execute(delete(self.table).where(self.table.c.name == name)).rowcount > 0

    def _add(self, name: str, sha256: str, **more: Any) -> bool:
        """Store one, made now; return whether there was none of that name."""
        with self._writing() as connection:
            if connection.scalar(select(self.table.c.name).where(self.table.c.name == name)) is not None:
                return False
            connection.execute(insert(self.table).values(name=name, sha256=sha256, created=utc_now(), **more))
        return True


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account: its name, AUTHOR or ORGANISER, its token's SHA-256 in hex, and when it was made (UTC, ISO 8601)."""

    name: str
    role: str
    sha256: str
    created: str


class Accounts(TokenHolders[AccountRow]):
    """What a database knows of accounts; got from `Store.accounts`."""

    table = accounts
    row = AccountRow

    def add(self, name: str, role: str, sha256: str) -> bool:
        """Store an account; return whether there was none of that name."""
        return self._add(name, sha256, role=role)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token of a remote bot: the bot's name, the token's SHA-256 in hex, and when it was made (UTC, ISO 8601)."""

    name: str
    sha256: str
    created: str


class Tokens(TokenHolders[TokenRow]):
    """What a database knows of tokens; got from `Store.tokens`."""

    table = tokens
    row = TokenRow

    def add(self, name: str, sha256: str) -> bool:
        """Store the hash of a bot's token; return whether it had none."""
        return self._add(name, sha256)
