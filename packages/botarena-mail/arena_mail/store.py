"""Mail in a database: what owners want, and messages, made from the outbox of arena and sent by workers under leases.

Whoever looks first makes messages of the events that wait, in one transaction with the cursor: so each event makes
one message for each of its readers. A worker claims a message for a limited time, with the number of the attempt. If
the worker is killed, another one sends the message again once the lease has run out: it arrives at least once, and its
Message-ID tells doubles apart.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from arena.store import Store
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.outbox import has_events, listen, read_events
from arena.store.engine.schema import accounts
from arena.store.engine.write_watch import WriteWatch
from arena.store.people.account_closing import REVOKED
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import utc_now
from arena_mail.addresses import parse_address
from arena_mail.events import GIVE_UP_AFTER, add_mail, apply_event, is_stale, message_of, secret_of, wanted
from arena_mail.kinds import CONFIRMATION, INVITATION, KINDS, TEST
from arena_mail.rows import ClaimedMail, MailClaim, MailRefused, MailRow, OwnerRow
from arena_mail.tables import TABLES, mail_confirmations, mail_owners, mails

LISTENER = "mail"
"""The name of the cursor in the outbox."""

MOST_KEPT = 100
"""Messages of an account that are kept once they are over, and of those without an account."""

CONFIRM_WITHIN = timedelta(days=1)
"""How long the link in a mail that confirms an address is good."""

MOST_PASSED = 100
"""Messages that nobody is to get any more, which one claim passes."""

_is_waiting = mails.c.state == "waiting"


class Mails:
    """The mail of a database. Times are milliseconds since 1970, UTC."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def writes(self) -> WriteWatch:
        """What tells that something was written."""
        return self._store.writes

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        TABLES.make_in(self._store)
        with self._store.read() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Open a transaction that reads, after the messages of all that has happened are there."""
        with self._read() as connection:
            is_behind = has_events(connection, LISTENER)
        if is_behind:
            with suppress(StoreError), self._writing():  # one that cannot be written shows what it has
                pass
        with self._read() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction that writes, and make the messages of all that has happened in it."""
        TABLES.make_in(self._store)
        with self._store.write(numbers=True) as connection:
            _take_events(connection)
            yield connection

    def listen(self) -> None:
        """Begin to tell what happens from now on; a database that does stays where it is."""
        with self._writing() as connection:
            listen(connection, LISTENER)

    def owner(self, account: str) -> OwnerRow:
        """Return what mail an account gets. Raises NoSuchRow if there is no such account."""
        with self._reading() as connection:
            return _owner(connection, account)

    def owners(self) -> list[OwnerRow]:
        """Return what mail all accounts get, by name."""
        query = select(accounts.c.name).where(accounts.c.role != REVOKED).order_by(accounts.c.name)
        with self._reading() as connection:
            return [_owner(connection, name) for name in connection.scalars(query).all()]

    def choose(self, account: str, kinds: tuple[str, ...], language: str | None = None) -> OwnerRow:
        """Store which kinds of mail an account gets; return all of its settings.

        language: of its mail; empty: that of the server; None: as it is.

        Raises NoSuchRow if there is no such account.
        """
        with self._writing() as connection:
            _owner(connection, account)
            secret_of(connection, account)
            values = {"kinds": " ".join(kinds)} | ({} if language is None else {"language": language})
            connection.execute(update(mail_owners).where(mail_owners.c.account == account).values(values))
            return _owner(connection, account)

    def readmit(self, account: str) -> None:
        """Send mail to the address of an account again that the mail server has refused. Raises NoSuchRow."""
        with self._writing() as connection:
            _owner(connection, account)
            values = {"refused": None, "reason": ""}
            connection.execute(update(mail_owners).where(mail_owners.c.account == account).values(values))

    def account_of_secret(self, secret: str) -> str | None:
        """Return the account whose mail a link ends; None if there is none."""
        with self._reading() as connection:
            return connection.scalar(select(mail_owners.c.account).where(mail_owners.c.secret == secret))

    def ask_to_confirm(self, account: str, address: str) -> None:
        """Store a message to an address, with a link by which it becomes that of an account.

        Raises NoSuchRow if there is no such account, MailRefused if it is no address.
        """
        address, secret = parse_address(address), token_urlsafe(24)
        expires = (datetime.now(UTC) + CONFIRM_WITHIN).isoformat(timespec="seconds")
        with self._writing() as connection:
            _owner(connection, account)
            of_account = mail_confirmations.c.account == account
            connection.execute(delete(mail_confirmations).where(of_account))
            values = {"account": account, "sha256": _hash(secret), "address": address, "expires": expires}
            connection.execute(insert(mail_confirmations).values(values))
            data, message = {"account": account, "secret": secret}, message_of(secret)
            add_mail(connection, CONFIRMATION, data, message, utc_now(), account=account, address=address)

    def pending_address(self, account: str) -> str | None:
        """Return the address that becomes that of an account once it is confirmed; None if none waits."""
        of_account = (mail_confirmations.c.account == account) & (mail_confirmations.c.expires > utc_now())
        with self._reading() as connection:
            return connection.scalar(select(mail_confirmations.c.address).where(of_account))

    def find_confirmation(self, secret: str) -> tuple[str, str] | None:
        """Return account and address of a link that confirms the address; None if there is none."""
        with self._reading() as connection:
            return _confirmation(connection, secret)

    def confirm(self, secret: str) -> str | None:
        """Give an account the address that its owner confirms; return the account, None if there is no such link."""
        with self._writing() as connection:
            found = _confirmation(connection, secret)
            if found is None:
                return None
            account, address = found
            connection.execute(delete(mail_confirmations).where(mail_confirmations.c.account == account))
            connection.execute(update(accounts).where(accounts.c.name == account).values(email=address))
            return account

    def remove_address(self, account: str) -> None:
        """Take the address of an account away; what waits for it is not sent. Raises NoSuchRow."""
        with self._writing() as connection:
            _owner(connection, account)
            connection.execute(delete(mail_confirmations).where(mail_confirmations.c.account == account))
            connection.execute(update(accounts).where(accounts.c.name == account).values(email=None))

    def invite(self, address: str, data: dict[str, Any]) -> None:
        """Store a message with an invitation. Raises MailRefused if that is no address.

        data: what the template shows, among it the secret.
        """
        with self._writing() as connection:
            message = message_of(data["secret"])
            add_mail(connection, INVITATION, data, message, utc_now(), address=parse_address(address))

    def add_test(self, account: str) -> None:
        """Store a message that tests the address of an account. Raises NoSuchRow, and MailRefused if it has none."""
        with self._writing() as connection:
            if not _owner(connection, account).address:
                raise MailRefused(f"{account} has no address")
            add_mail(connection, TEST, {}, message_of(token_urlsafe()), utc_now(), account=account)

    def newest(self, account: str | None, limit: int) -> list[MailRow]:
        """Return the newest messages to an account, or to all, the newest first."""
        query = select(mails).order_by(mails.c.id.desc()).limit(limit)
        with self._reading() as connection:
            rows = connection.execute(query if account is None else query.where(mails.c.account == account))
            return list(map(_mail, rows))

    def claim(self, now: int, until: int, lost: float = 0.0) -> ClaimedMail | None:
        """Claim the message that is due for the longest time; None if none is.

        until: the end of the lease.
        lost: by how many seconds leases hold longer, as the machine stood still or its clock was set.
        """
        held = now - round(lost * 1000)
        is_due = _is_waiting & (mails.c.due <= now) & (mails.c.lease_until <= held)
        query = select(mails).where(is_due).order_by(mails.c.due, mails.c.id).limit(1)
        with self._read() as connection:  # most often nothing is due, and others may write
            if connection.execute(query).first() is None and not has_events(connection, LISTENER):
                return None
        with self._writing() as connection:
            for _ in range(MOST_PASSED):
                row = connection.execute(query).first()
                if row is None:
                    return None
                claimed = _claim(connection, row)
                if isinstance(claimed, ClaimedMail):
                    values = {"attempt": claimed.claim.attempt, "lease_until": until}
                    connection.execute(update(mails).where(mails.c.id == row.id).values(values))
                    return claimed
                _end(connection, row, "failed", claimed)
            return None

    def note_sent(self, claim: MailClaim) -> bool:
        """Note that the mail server has taken a message; return False if the claim holds no longer."""
        with self._writing() as connection:
            row = _held(connection, claim)
            if row is not None:
                _end(connection, row, "sent", "")
            return row is not None

    def note_failure(self, claim: MailClaim, error: str, retry: int | None) -> bool:
        """Note that an attempt has failed; return False if the claim holds no longer.

        retry: when to try again; None: it has failed for good.
        """
        with self._writing() as connection:
            row = _held(connection, claim)
            if row is None:
                return False
            if retry is None:
                _end(connection, row, "failed", error)
            else:
                values = {"due": retry, "lease_until": 0, "tried": utc_now(), "error": error}
                connection.execute(update(mails).where(mails.c.id == row.id).values(values))
            return True

    def note_refused(self, claim: MailClaim, address: str, error: str) -> bool:
        """Note that the mail server refuses an address: its account gets no mail there until somebody says so.

        Returns False if the claim holds no longer.
        """
        with self._writing() as connection:
            row = _held(connection, claim)
            if row is None:
                return False
            _end(connection, row, "failed", error)
            if row.account is not None and row.kind != CONFIRMATION:
                secret_of(connection, row.account)
                values = {"refused": _hash(address), "reason": error}
                connection.execute(update(mail_owners).where(mail_owners.c.account == row.account).values(values))
            return True


def _take_events(connection: Connection) -> None:
    """Do what all events mean that have happened since the last time."""
    while (events := read_events(connection, LISTENER)) != []:
        if events is None:
            if connection.scalar(select(mail_owners.c.account).limit(1)) is not None:
                _begin_again(connection)
            return
        for event in events:
            apply_event(connection, event)


def _begin_again(connection: Connection) -> None:
    """Forget the accounts that are gone, after a time of which the events are lost, and listen again."""
    names = select(accounts.c.name).where(accounts.c.role != REVOKED)
    for table in (mails, mail_owners, mail_confirmations):
        connection.execute(delete(table).where(table.c.account.is_not(None), table.c.account.not_in(names)))
    listen(connection, LISTENER)


def _owner(connection: Connection, account: str) -> OwnerRow:
    is_account = (accounts.c.name == account) & (accounts.c.role != REVOKED)
    query = select(accounts.c.email, mail_owners)
    query = query.outerjoin_from(accounts, mail_owners, mail_owners.c.account == accounts.c.name)
    row = connection.execute(query.where(is_account)).first()
    if row is None:
        raise NoSuchRow(f"there is no account {account}: `arena accounts list` lists them")
    address = row.email or ""
    refused = row.reason if address and row.refused == _hash(address) else ""
    chosen = set(wanted(connection, account))
    return OwnerRow(account, address, tuple(kind for kind in KINDS if kind in chosen), row.language or "", refused)


def _confirmation(connection: Connection, secret: str) -> tuple[str, str] | None:
    is_open = (mail_confirmations.c.sha256 == _hash(secret)) & (mail_confirmations.c.expires > utc_now())
    row = connection.execute(select(mail_confirmations).where(is_open)).first()
    return None if row is None else (row.account, row.address)


def _claim(connection: Connection, row: Row[Any]) -> ClaimedMail | str:
    """Return a message as it is sent, or why nobody is to get it any more."""
    if is_stale(row.created):
        return f"given up after {GIVE_UP_AFTER.days} days" + (f": {row.error}" if row.error else "")
    address, language, secret = row.address, "", ""
    if row.account is not None:
        try:
            owner = _owner(connection, row.account)
        except NoSuchRow:
            return "there is no such account any more"
        if address is None and owner.refused:
            return f"its address was refused: {owner.refused}"
        if row.kind in KINDS and row.kind not in owner.kinds:
            return "its owner does not want it any more"
        address, language = address or owner.address, owner.language
        secret = secret_of(connection, row.account) if row.kind in KINDS else ""
    try:
        address = parse_address(address or "")
    except MailRefused as error:
        return str(error) if address else "the account has no address any more"
    data = json.loads(load_closed_names(connection).text(row.data))
    claim = MailClaim(row.id, row.attempt + 1)
    return ClaimedMail(claim, row.account, address, language, secret, row.kind, row.message, data, row.created)


def _held(connection: Connection, claim: MailClaim) -> Row[Any] | None:
    """Return the message of a claim; None if that holds no longer."""
    holds = (mails.c.id == claim.mail) & (mails.c.attempt == claim.attempt) & _is_waiting
    return connection.execute(select(mails).where(holds).with_for_update()).first()


def _end(connection: Connection, row: Row[Any], state: str, error: str) -> None:
    """Note how a message has ended, and wipe what it said; delete the oldest of its account beyond `MOST_KEPT`."""
    values = {"state": state, "error": error, "tried": utc_now(), "lease_until": 0, "address": None, "data": "{}"}
    connection.execute(update(mails).where(mails.c.id == row.id).values(values))
    of_account = mails.c.account.is_(None) if row.account is None else mails.c.account == row.account
    is_over = of_account & ~_is_waiting
    oldest = select(mails.c.id).where(is_over).order_by(mails.c.id.desc()).offset(MOST_KEPT).limit(1)
    last = connection.scalar(oldest)
    if last is not None:
        connection.execute(delete(mails).where(is_over, mails.c.id <= last))


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _mail(row: Any) -> MailRow:
    due = datetime.fromtimestamp(row.due / 1000, UTC).isoformat(timespec="seconds") if row.state == "waiting" else None
    return MailRow(row.id, row.account, row.kind, row.created, row.state, row.attempt, row.tried, row.error, due)
