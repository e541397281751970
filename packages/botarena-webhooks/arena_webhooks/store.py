"""Webhooks of owners, and deliveries: each event of the outbox is a delivery per webhook, made by workers under leases.

Whoever looks first makes deliveries of the events that wait: so what a webhook is sent is what happened while it was
on, and nothing is sent after it was switched off.

A worker claims a delivery for a limited time, with the number of the attempt. If the worker is killed, another one
makes the delivery again once the lease has run out: each event arrives at least once, and its id tells doubles apart.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, case, delete, exists, func, insert, select, update

from arena.store import Store
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.outbox import KEPT_FOR, has_events, listen, read_events
from arena.store.engine.schema import account_tokens, accounts, entries
from arena.store.engine.write_watch import WriteWatch
from arena.store.people.account_closing import REVOKED
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import utc_now
from arena_webhooks.events import add_deliveries, apply_event, delete_webhooks, disable_webhooks, save_rivals
from arena_webhooks.kinds import ENTRY_OVERTAKEN, TEST
from arena_webhooks.rows import ClaimedDelivery, DeliveryClaim, DeliveryRow, Rivals, WebhookRefused, WebhookRow
from arena_webhooks.tables import TABLES, entry_rivals, webhook_deliveries, webhooks

LISTENER = "webhooks"
"""The name of the cursor in the outbox."""

MOST_WEBHOOKS = 5
"""The largest number of webhooks of an account."""

MOST_KEPT = 100
"""Deliveries of a webhook that are kept once they are over."""

MOST_TESTS, TESTS_WITHIN = 10, timedelta(hours=1)
"""So many tests of a webhook are kept or made within this time."""

OFF_AFTER = timedelta(days=3)
"""Without a delivery that arrives, although events were tried all the time, a webhook is switched off after this."""

GONE = 410
"""The HTTP status with which a receiver says that it wants no more."""

_deliveries = webhook_deliveries.c
_WAITING = _deliveries.state == "waiting"


class Webhooks:
    """The webhooks of a database. Times are milliseconds since 1970, UTC."""

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
    def _write(self) -> Iterator[Connection]:
        TABLES.make_in(self._store)
        with self._store.write(numbers=True) as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Open a transaction that reads, after the deliveries of all that has happened are there."""
        with self._read() as connection:
            is_behind = has_events(connection, LISTENER)
        if is_behind:
            with suppress(StoreError), self._write() as connection:  # one that cannot be written shows what it has
                _take_events(connection)
        with self._read() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction that writes, and make the deliveries of all that has happened in it."""
        with self._write() as connection:
            _take_events(connection)
            yield connection

    def add(self, account: str, url: str, secret: str, kinds: tuple[str, ...], token: int | None = None) -> WebhookRow:
        """Store a webhook and return it.

        kinds: those of the events that it wants.
        token: the one that adds it: if it is revoked, the webhook is switched off.

        Raises NoSuchRow if there is no such account, WebhookRefused if it has enough.
        """
        with self._writing() as connection:
            if connection.scalar(select(accounts.c.name).where(accounts.c.name == account)) is None:
                raise NoSuchRow(f"there is no account {account}: `arena accounts list` lists them")
            if token is not None and connection.scalar(_token(token)) is None:
                raise WebhookRefused("the token was revoked meanwhile: no webhook was added")
            of_account = webhooks.c.account == account
            if (connection.scalar(select(func.count()).where(of_account)) or 0) >= MOST_WEBHOOKS:
                raise WebhookRefused(f"{account} has {MOST_WEBHOOKS} webhooks, the most: remove one first")
            listen(connection, LISTENER)
            values = {"account": account, "url": url, "secret": secret, "kinds": " ".join(kinds), "token": token}
            added = connection.execute(insert(webhooks).values(created=utc_now(), reason="", **values))
            assert added.inserted_primary_key is not None
            return _find(connection, added.inserted_primary_key[0])

    def all(self, account: str | None = None) -> list[WebhookRow]:
        """Return the webhooks of an account, or of all accounts, by id."""
        query = select(webhooks).order_by(webhooks.c.id)
        with self._reading() as connection:
            rows = connection.execute(query if account is None else query.where(webhooks.c.account == account))
            return list(map(_webhook, rows))

    def find(self, id: int) -> WebhookRow:
        """Return a webhook. Raises NoSuchRow if there is none of that number."""
        with self._reading() as connection:
            return _find(connection, id)

    def remove(self, id: int) -> None:
        """Delete a webhook with its deliveries. Raises NoSuchRow."""
        with self._writing() as connection:
            _find(connection, id)
            delete_webhooks(connection, webhooks.c.id == id)

    def enable(self, id: int, token: int | None = None) -> WebhookRow:
        """Switch a webhook on again; one that is on stays as it is.

        token: the one that does it: if it is revoked, the webhook is switched off.

        Raises NoSuchRow, WebhookRefused if there is no such token.
        """
        with self._writing() as connection:
            row = _find(connection, id)
            if row.disabled is None:
                return row
            if token is not None and connection.scalar(_token(token)) is None:
                raise WebhookRefused(f"the token was revoked meanwhile: webhook {id} stays off")
            values = {"disabled": None, "reason": "", "failing_since": None, "token": token}
            connection.execute(update(webhooks).where(webhooks.c.id == id).values(values))
            return _find(connection, id)

    def add_test(self, id: int) -> int:
        """Store a delivery that tests a webhook, and return its id.

        Raises NoSuchRow; WebhookRefused if it is off, or was tested often.
        """
        with self._writing() as connection:
            row = _find(connection, id)
            if row.disabled is not None:
                raise WebhookRefused(f"webhook {id} is switched off ({row.reason}): switch it on first")
            since = (datetime.now(UTC) - TESTS_WITHIN).isoformat(timespec="seconds")
            tests = (_deliveries.webhook_id == id) & (_deliveries.kind == TEST) & (_deliveries.created >= since)
            if (connection.scalar(select(func.count()).where(tests)) or 0) >= MOST_TESTS:
                raise WebhookRefused(f"webhook {id} was tested {MOST_TESTS} times within an hour: try again later")
            return add_deliveries(connection, [id], TEST, {"webhook": id}, utc_now())[0]

    def deliveries(self, id: int, limit: int, *, before: int | None = None) -> list[DeliveryRow]:
        """Return the newest deliveries of a webhook, the newest first.

        before: only lower ids.
        """
        query = select(webhook_deliveries).where(_deliveries.webhook_id == id).order_by(_deliveries.id.desc())
        query = query if before is None else query.where(_deliveries.id < before)
        with self._reading() as connection:
            return list(map(_delivery, connection.execute(query.limit(limit))))

    def claim(self, now: int, until: int, lost: float = 0.0) -> ClaimedDelivery | None:
        """Claim the delivery that is due for the longest time; None if none is.

        Bots of accounts that were closed since have their pseudonyms in it. Of an account one delivery is made at a
        time, so that a slow receiver holds up nobody else's.

        until: the end of the lease.
        lost: by how many seconds leases hold longer, as the machine stood still or its clock was set.
        """
        held = now - round(lost * 1000)
        busy, others = webhooks.alias(), webhook_deliveries.alias()
        under_way = exists().where(
            others.c.state == "waiting",
            others.c.lease_until > held,
            others.c.webhook_id == busy.c.id,
            busy.c.account == webhooks.c.account,
        )
        columns = _deliveries.id, _deliveries.attempt, _deliveries.kind, _deliveries.message, _deliveries.body
        query = select(*columns, webhooks.c.url, webhooks.c.secret)
        query = query.join_from(webhook_deliveries, webhooks, webhooks.c.id == _deliveries.webhook_id)
        is_due = (_deliveries.due <= now) & (_deliveries.lease_until <= held) & webhooks.c.disabled.is_(None)
        query = query.where(_WAITING, is_due, ~under_way).order_by(_deliveries.due, _deliveries.id).limit(1)
        with self._read() as connection:  # most often nothing is due, and others may write
            if connection.execute(query).first() is None and not has_events(connection, LISTENER):
                return None
        with self._writing() as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            values = {"attempt": row.attempt + 1, "lease_until": until}
            connection.execute(update(webhook_deliveries).where(_deliveries.id == row.id).values(values))
            body = load_closed_names(connection).text(row.body)
        claim = DeliveryClaim(row.id, row.attempt + 1)
        return ClaimedDelivery(claim, row.url, row.secret, row.kind, row.message, body)

    def next_due(self) -> int | None:
        """Return when the next delivery that waits is due and under no lease; None if none waits."""
        free = case((_deliveries.due > _deliveries.lease_until, _deliveries.due), else_=_deliveries.lease_until)
        query = select(func.min(free)).join_from(webhook_deliveries, webhooks, webhooks.c.id == _deliveries.webhook_id)
        with self._read() as connection:
            due: int | None = connection.scalar(query.where(_WAITING, webhooks.c.disabled.is_(None)))
            return due

    def note_delivered(self, claim: DeliveryClaim, status: int) -> bool:
        """Note that a delivery has arrived; return False if the claim holds no longer."""
        with self._writing() as connection:
            delivery = _end_attempt(connection, claim, state="delivered", status=status, error="")
            if delivery is not None:
                is_webhook = webhooks.c.id == delivery.webhook_id
                connection.execute(update(webhooks).where(is_webhook).values(failing_since=None))
                _prune(connection, delivery.webhook_id)
            return delivery is not None

    def note_failure(self, claim: DeliveryClaim, status: int | None, error: str, retry: int | None) -> bool:
        """Note that an attempt has failed; return False if the claim holds no longer.

        status: the HTTP status of the answer, if there was one.
        retry: when to try again; None: the delivery has failed. The webhook is switched off if its receiver says that
            it is gone, or if nothing has arrived for `OFF_AFTER` and the delivery, which is no test, is that old or has
            failed.
        """
        with self._writing() as connection:
            state = "waiting" if retry is not None else "failed"
            delivery = _end_attempt(connection, claim, state=state, status=status, error=error, due=retry or 0)
            if delivery is None:
                return False
            if status == GONE:
                is_webhook = webhooks.c.id == delivery.webhook_id
                disable_webhooks(connection, is_webhook, "its receiver answers that it is gone (410)")
            elif delivery.kind != TEST:
                _note_failing(connection, delivery, error, is_last=retry is None)
            _prune(connection, delivery.webhook_id)
            return True

    def rivals(self, league: int) -> dict[int, Rivals | None]:
        """Return who is known to be ahead of the active entries whose owners subscribe to this event, by entry.

        None: it is not known yet.
        """
        if not TABLES.are_in(self._store):
            return {}
        wanted = select(webhooks.c.account, webhooks.c.kinds).where(webhooks.c.disabled.is_(None))
        with self._reading() as connection:
            owners = [row.account for row in connection.execute(wanted) if ENTRY_OVERTAKEN in row.kinds.split()]
            if not owners:
                return {}
            is_rivals = (entry_rivals.c.league_id == entries.c.league_id) & (entry_rivals.c.entry == entries.c.number)
            query = select(entries.c.number, entry_rivals.c.ahead).outerjoin_from(entries, entry_rivals, is_rivals)
            is_watched = entries.c.owner.in_(owners) & (entries.c.state == "standing") & ~entries.c.is_anchor
            rows = connection.execute(query.where(entries.c.league_id == league, is_watched))
            known = {row.number: row.ahead for row in rows}
        return {
            number: None if ahead is None else Rivals(number, frozenset(json.loads(ahead)))
            for number, ahead in known.items()
        }

    def save_rivals(self, league: int, ratings: int, rivals: Iterable[Rivals]) -> None:
        """Store who is ahead of some entries by the ratings of a number, and tell their owners who has passed them."""
        with self._writing() as connection:
            save_rivals(connection, league, ratings, rivals)


def _take_events(connection: Connection) -> None:
    """Do what all events mean that have happened since the last time."""
    while (events := read_events(connection, LISTENER)) != []:
        if events is None:
            if connection.scalar(select(webhooks.c.id).limit(1)) is not None:
                _begin_again(connection)
            return
        for event in events:
            apply_event(connection, event)


def _begin_again(connection: Connection) -> None:
    """Switch off all webhooks after a time of which the events are lost, and listen again.

    Tokens may have been revoked in it. Those of accounts that are gone are deleted.
    """
    delete_webhooks(connection, webhooks.c.account.not_in(select(accounts.c.name).where(accounts.c.role != REVOKED)))
    disable_webhooks(connection, webhooks.c.id.is_not(None), f"nothing was sent for {KEPT_FOR.days} days")
    listen(connection, LISTENER)


def _note_failing(connection: Connection, delivery: Row[Any, Any, Any], error: str, *, is_last: bool) -> None:
    """Note since when a webhook fails, or switch it off.

    is_last: whether the delivery is not tried again.
    """
    is_webhook = webhooks.c.id == delivery.webhook_id
    since = connection.scalar(select(webhooks.c.failing_since).where(is_webhook)) or utc_now()
    if _is_long_ago(since) and (is_last or _is_long_ago(delivery.created)):
        disable_webhooks(connection, is_webhook, f"nothing has arrived since {since}; the last error: {error}")
        return
    # Once nothing that has failed waits, time passes without attempts: it must not count against the next event.
    failing = (_deliveries.webhook_id == delivery.webhook_id) & _WAITING & (_deliveries.kind != TEST)
    tried = connection.scalar(select(func.count()).where(failing, _deliveries.tried.is_not(None)))
    connection.execute(update(webhooks).where(is_webhook).values(failing_since=since if tried else None))


def _is_long_ago(time: str) -> bool:
    return datetime.now(UTC) - datetime.fromisoformat(time) >= OFF_AFTER


def _end_attempt(connection: Connection, claim: DeliveryClaim, **values: Any) -> Row[Any, Any, Any] | None:
    """Note how an attempt has ended; return its delivery, None if the claim holds no longer."""
    holds = (_deliveries.id == claim.delivery) & (_deliveries.attempt == claim.attempt) & _WAITING
    columns = _deliveries.webhook_id, _deliveries.kind, _deliveries.created
    delivery = connection.execute(select(*columns).where(holds).with_for_update()).first()
    if delivery is not None:
        values |= {"tried": utc_now(), "lease_until": 0}
        connection.execute(update(webhook_deliveries).where(holds).values(values))
    return delivery


def _prune(connection: Connection, webhook: int) -> None:
    """Delete the oldest deliveries of a webhook that are over, beyond `MOST_KEPT`."""
    is_over = (_deliveries.webhook_id == webhook) & ~_WAITING
    oldest = select(_deliveries.id).where(is_over).order_by(_deliveries.id.desc()).offset(MOST_KEPT).limit(1)
    last = connection.scalar(oldest)
    if last is not None:
        connection.execute(delete(webhook_deliveries).where(is_over, _deliveries.id <= last))


def _token(id: int) -> Select[tuple[int]]:
    return select(account_tokens.c.id).where(account_tokens.c.id == id)


def _find(connection: Connection, id: int) -> WebhookRow:
    row = connection.execute(select(webhooks).where(webhooks.c.id == id)).first()
    if row is None:
        raise NoSuchRow(f"there is no webhook {id}: `arena accounts webhooks list` lists them")
    return _webhook(row)


def _webhook(row: Any) -> WebhookRow:
    kinds = tuple(row.kinds.split())
    return WebhookRow(row.id, row.account, row.url, kinds, row.created, row.failing_since, row.disabled, row.reason)


def _delivery(row: Any) -> DeliveryRow:
    due = datetime.fromtimestamp(row.due / 1000, UTC).isoformat(timespec="seconds") if row.state == "waiting" else None
    return DeliveryRow(
        id=row.id,
        webhook=row.webhook_id,
        message=row.message,
        kind=row.kind,
        created=row.created,
        state=row.state,
        attempt=row.attempt,
        tried=row.tried,
        status=row.status,
        error=row.error,
        due=due,
    )
