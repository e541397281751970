"""Tokens of remote bots in the database: whose they are, and their hashes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select

from arena.store.schema import tokens

Opening = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token of a remote bot: the bot's name, the token's SHA-256 in hex, and when it was made (UTC, ISO 8601)."""

    name: str
    sha256: str
    created: str


class Tokens:
    """What a database knows of tokens; got from `Store.tokens`."""

    def __init__(self, reading: Opening, writing: Opening) -> None:
        self._reading = reading
        self._writing = writing

    def all(self) -> list[TokenRow]:
        """Return all tokens, by the names of their bots."""
        with self._reading() as connection:
            found = connection.execute(select(tokens).order_by(tokens.c.name))
            return [TokenRow(row.name, row.sha256, row.created) for row in found]

    def add(self, name: str, sha256: str) -> bool:
        """Store the hash of a bot's token; return whether it had none."""
        with self._writing() as connection:
            if connection.scalar(select(tokens.c.name).where(tokens.c.name == name)) is not None:
                return False
            now = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute(insert(tokens).values(name=name, sha256=sha256, created=now))
        return True

    def remove(self, name: str) -> bool:
        """Forget a bot's token; return whether it had one."""
        with self._writing() as connection:
            return connection.execute(delete(tokens).where(tokens.c.name == name)).rowcount > 0
