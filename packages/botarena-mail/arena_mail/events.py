"""What the events of the outbox mean for mail: a message to whoever wants it, or that an account is forgotten."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select

from arena.store.engine.outbox import OutboxEvent
from arena.store.engine.schema import accounts
from arena.store.people.account_closing import REVOKED
from arena.store.people.outbox_events import ACCOUNT_REMOVED
from arena.values.rows import now_ms
from arena_mail.kinds import USUAL, kind_of, values_of
from arena_mail.tables import mail_confirmations, mail_owners, mails

GIVE_UP_AFTER = timedelta(days=3)
"""What happened longer ago is told nobody any more."""

MOST_PER_DAY = 100
"""Mails to an account within a day; what happens beyond that is not told."""


def apply_event(connection: Connection, event: OutboxEvent) -> None:
    """Do what an event of the outbox means for mail."""
    if event.kind == ACCOUNT_REMOVED:
        forget_account(connection, event.account)
    elif (kind := kind_of(event.kind, event.data)) is not None and not is_stale(event.created):
        values = values_of(event.kind, event.data)
        for account in _people(connection, event.account):
            if kind in wanted(connection, account):
                message = message_of(f"{event.id} {event.created} {event.kind} {account}")
                add_mail(connection, kind, values, message, event.created, account=account)


def _people(connection: Connection, account: str) -> Iterable[str]:
    """Return the accounts with an address that an event concerns: its own, or those who act for a team."""
    is_one = or_(accounts.c.name == account, accounts.c.team == account)
    has_address = accounts.c.email.is_not(None) & (accounts.c.email != "") & (accounts.c.role != REVOKED)
    return connection.scalars(select(accounts.c.name).where(is_one, has_address).order_by(accounts.c.name)).all()


def wanted(connection: Connection, account: str) -> tuple[str, ...]:
    """Return the kinds of mail that an account gets."""
    kinds = connection.scalar(select(mail_owners.c.kinds).where(mail_owners.c.account == account))
    return USUAL if kinds is None else tuple(kinds.split())


def secret_of(connection: Connection, account: str) -> str:
    """Return the secret with which an account ends its mail; it gets one where it has none."""
    secret = connection.scalar(select(mail_owners.c.secret).where(mail_owners.c.account == account))
    if secret is None:
        secret = token_urlsafe(24)
        values = {"account": account, "kinds": " ".join(USUAL), "language": "", "reason": ""}
        connection.execute(insert(mail_owners).values(secret=secret, **values))
    return str(secret)


def add_mail(
    connection: Connection,
    kind: str,
    data: dict[str, Any],
    message: str,
    created: str,
    *,
    account: str | None = None,
    address: str | None = None,
) -> None:
    """Store a message that is to be sent.

    message: the first part of its Message-ID.
    address: None: that which the account has when it is sent.
    """
    values: dict[str, str | None] = {"kind": kind, "data": json.dumps(data), "message": message, "created": created}
    values |= {"account": account, "address": address}
    state, error = "waiting", ""
    if account is not None and _of_last_day(connection, account) >= MOST_PER_DAY:
        state, error = "failed", f"{account} was sent {MOST_PER_DAY} mails within a day"
        values |= {"data": "{}", "address": None}
    row = insert(mails).values(values).values(state=state, error=error, attempt=0, due=now_ms(), lease_until=0)
    connection.execute(row)


def _of_last_day(connection: Connection, account: str) -> int:
    since = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="seconds")
    recent = (mails.c.account == account) & (mails.c.created >= since) & (mails.c.state != "failed")
    return connection.scalar(select(func.count()).where(recent)) or 0


def forget_account(connection: Connection, account: str) -> None:
    """Delete all that is known of an account, with its mail."""
    for table in (mails, mail_owners, mail_confirmations):
        connection.execute(delete(table).where(table.c.account == account))


def message_of(text: str) -> str:
    """Return the first part of a Message-ID, always the same for a text."""
    return sha256(text.encode()).hexdigest()[:40]


def is_stale(created: str) -> bool:
    """Return whether what happened at a time (UTC, ISO 8601) is told nobody any more."""
    return datetime.now(UTC) - datetime.fromisoformat(created) >= GIVE_UP_AFTER
