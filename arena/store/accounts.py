"""Accounts of people who sign in to the pages: their names, their roles, and the hashes of their tokens."""

from dataclasses import dataclass

from arena.store.schema import accounts
from arena.store.token_holders import TokenHolders

AUTHOR, ORGANISER = "author", "organiser"
"""The roles: what an account may do: hand in bots of its own and read their notes and output; or everything."""


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
