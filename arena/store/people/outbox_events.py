"""The events of the outbox: what happens to accounts and tokens.

Each function is called in the transaction of what happened.
"""

from sqlalchemy import Connection, select

from arena.store.engine.outbox import add_event
from arena.store.engine.schema import account_tokens

ACCOUNT_REMOVED = "account.removed"
"""An account is revoked or closed. data: none."""

TOKENS_REPLACED = "account.tokens_replaced"
"""All tokens of an account were replaced. data: reason."""

TOKEN_REVOKED = "token.revoked"
"""A token with scopes was revoked. data: token."""


def add_removed(connection: Connection, account: str) -> None:
    """Tell that an account is revoked or closed."""
    add_event(connection, ACCOUNT_REMOVED, account, {})


def add_tokens_replaced(connection: Connection, account: str, reason: str) -> None:
    """Tell that all tokens of an account were replaced.

    reason: as a sentence without a full stop.
    """
    add_event(connection, TOKENS_REPLACED, account, {"reason": reason})


def add_member_left(connection: Connection, team: str, member: str) -> None:
    """Tell that a member has left a team: what is sent on its behalf may go to addresses that only they control."""
    add_tokens_replaced(connection, team, f"{member} has left the team")


def add_token_revoked(connection: Connection, token: int) -> None:
    """Tell that a token with scopes is revoked, before it is deleted."""
    account = connection.scalar(select(account_tokens.c.account).where(account_tokens.c.id == token))
    if account is not None:
        add_event(connection, TOKEN_REVOKED, account, {"token": token})
