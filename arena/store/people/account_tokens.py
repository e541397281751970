"""Tokens with scopes: what programs show to the API. Only their hashes are stored.

An account has any number of them beside the token with which its owner signs in, which has all scopes of its role.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, insert, select, update

from arena.store.engine.connection import OpenConnection
from arena.store.engine.schema import account_tokens, accounts
from arena.store.people.accounts import AUTHOR, ORGANISER, AccountRow
from arena.store.people.outbox_events import add_token_revoked
from arena.values.rows import utc_now

READ, SUBMIT, MANAGE = "read", "submit", "manage"
"""The scopes. Read: what the account may read. Submit: hand in bots and retire them. Manage: what organisers decide."""

SCOPES_OF_ROLE = {AUTHOR: (READ, SUBMIT), ORGANISER: (READ, SUBMIT, MANAGE)}
"""All scopes that an account of a role may have."""

MOST_TOKENS = 50
"""The largest number of tokens of an account."""

USED_EVERY = timedelta(minutes=10)
"""How exactly the last use is noted: each note is a write."""


@dataclass(frozen=True, slots=True)
class AccountTokenRow:
    """A token of an account.

    created, expires, used: times in UTC, ISO 8601; None for a token that never expires, or was never used.
    """

    id: int
    account: str
    label: str
    """What the token is for."""
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    used: str | None


@dataclass(frozen=True, slots=True)
class Identity:
    """The account to which the token that somebody shows belongs, and what it allows."""

    account: AccountRow
    scopes: frozenset[str]
    """The scopes that both the token and the role of the account have."""
    token: int | None = None
    """The id of the token; None where there is none."""


class AccountTokens:
    """The tokens with scopes of a database, as `Store.account_tokens`."""

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def add(self, account: str, label: str, scopes: tuple[str, ...], sha256: str, expires: str | None) -> int | None:
        """Store a token and return its id; None if there is no such account, or if it has `MOST_TOKENS`."""
        with self._write() as connection:
            of_account = account_tokens.c.account == account
            if connection.scalar(select(accounts.c.name).where(accounts.c.name == account)) is None:
                return None
            if (connection.scalar(select(func.count()).where(of_account)) or 0) >= MOST_TOKENS:
                return None
            values = {"account": account, "label": label, "scopes": " ".join(scopes), "sha256": sha256}
            added = connection.execute(
                insert(account_tokens).values(values | {"created": utc_now(), "expires": expires})
            )
            assert added.inserted_primary_key is not None
            return int(added.inserted_primary_key[0])

    def all(self, account: str | None = None) -> list[AccountTokenRow]:
        """Return the tokens of an account, or of all accounts, by id."""
        columns = [column for column in account_tokens.c if column.name != "sha256"]
        query = select(*columns).order_by(account_tokens.c.id)
        with self._read() as connection:
            rows = connection.execute(query if account is None else query.where(account_tokens.c.account == account))
            return [AccountTokenRow(**dict(row) | {"scopes": tuple(row["scopes"].split())}) for row in rows.mappings()]

    def identify(self, sha256: str) -> Identity | None:
        """Return who holds the token with this hash, be it one with scopes or that of an account; None if nobody does.

        A token that has expired is nobody's.
        """
        with self._read() as connection:
            columns = connection.execute(select(accounts).where(accounts.c.sha256 == sha256)).mappings().first()
            if columns is not None:
                account = AccountRow(**columns)
                return Identity(account, frozenset(SCOPES_OF_ROLE.get(account.role, ())))
            token = connection.execute(select(account_tokens).where(account_tokens.c.sha256 == sha256)).first()
            if token is None or (token.expires is not None and token.expires <= utc_now()):
                return None
            of_token = select(accounts).where(accounts.c.name == token.account)
            columns = connection.execute(of_token).mappings().first()
        if columns is None:
            return None
        account = AccountRow(**columns)
        return Identity(account, frozenset(token.scopes.split()) & set(SCOPES_OF_ROLE.get(account.role, ())), token.id)

    def note_use(self, id: int) -> None:
        """Note that a token is used now, unless that was noted within `USED_EVERY`."""
        limit = (datetime.now(UTC) - USED_EVERY).isoformat(timespec="seconds")
        is_due = account_tokens.c.used.is_(None) | (account_tokens.c.used < limit)
        with self._read() as connection:
            if connection.scalar(select(account_tokens.c.id).where(account_tokens.c.id == id, is_due)) is None:
                return
        with self._write() as connection:
            connection.execute(update(account_tokens).where(account_tokens.c.id == id).values(used=utc_now()))

    def revoke(self, id: int) -> bool:
        """Delete a token; return False if there was none."""
        with self._write() as connection:
            add_token_revoked(connection, id)
            return connection.execute(delete(account_tokens).where(account_tokens.c.id == id)).rowcount > 0
