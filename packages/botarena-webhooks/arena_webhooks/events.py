"""What the events of the outbox mean for webhooks: deliveries, or that some are switched off or deleted.

Also who has passed an entry of a league, which is delivered only to owners who subscribe to it.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from arena.store.engine.outbox import OutboxEvent
from arena.store.engine.schema import entries, leagues
from arena.store.people.outbox_events import ACCOUNT_REMOVED, TOKEN_REVOKED, TOKENS_REPLACED
from arena.values.rows import now_ms, utc_now
from arena_webhooks.kinds import ENTRY_OVERTAKEN, KINDS
from arena_webhooks.rows import Rivals
from arena_webhooks.tables import entry_rivals, webhook_deliveries, webhooks

_deliveries = webhook_deliveries.c


def apply_event(connection: Connection, event: OutboxEvent) -> None:
    """Do what an event of the outbox means for webhooks."""
    of_account = webhooks.c.account == event.account
    if event.kind in KINDS:
        deliver_event(connection, event.account, event.kind, event.data, event.created)
    elif event.kind == ACCOUNT_REMOVED:
        delete_webhooks(connection, of_account)
    elif event.kind == TOKENS_REPLACED:
        disable_webhooks(connection, of_account, event.data["reason"])
    elif event.kind == TOKEN_REVOKED:
        reason = "the token that added it or last switched it on was revoked"
        disable_webhooks(connection, webhooks.c.token == event.data["token"], reason)


def deliver_event(connection: Connection, account: str, kind: str, data: dict[str, Any], created: str) -> None:
    """Store a delivery of an event for each webhook of an account that wants it.

    data: what is told of the event, as JSON values.
    """
    is_on = (webhooks.c.account == account) & webhooks.c.disabled.is_(None)
    rows = connection.execute(select(webhooks.c.id, webhooks.c.kinds).where(is_on).order_by(webhooks.c.id))
    add_deliveries(connection, [row.id for row in rows if kind in row.kinds.split()], kind, data, created)


def add_deliveries(
    connection: Connection, ids: Iterable[int], kind: str, data: dict[str, Any], created: str
) -> list[int]:
    """Store a delivery of an event for each of some webhooks; return their ids.

    created: when the event happened, UTC, ISO 8601.
    """
    values = {
        "message": f"msg_{uuid4().hex}",
        "kind": kind,
        "body": json.dumps({"type": kind, "timestamp": created, "data": data}),
        "created": created,
        "state": "waiting",
        "attempt": 0,
        "due": now_ms(),
        "lease_until": 0,
        "error": "",
    }
    added = (connection.execute(insert(webhook_deliveries).values(webhook_id=id, **values)) for id in ids)
    return [result.inserted_primary_key[0] for result in added if result.inserted_primary_key is not None]


def delete_webhooks(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete webhooks with their deliveries, in the caller's transaction."""
    ids = list(connection.scalars(select(webhooks.c.id).where(which).order_by(webhooks.c.id).with_for_update()))
    connection.execute(delete(webhook_deliveries).where(_deliveries.webhook_id.in_(ids)))
    connection.execute(delete(webhooks).where(webhooks.c.id.in_(ids)))


def disable_webhooks(connection: Connection, which: ColumnElement[bool], reason: str) -> None:
    """Switch webhooks off, in the caller's transaction; their deliveries that wait have failed."""
    ids = list(connection.scalars(select(webhooks.c.id).where(which, webhooks.c.disabled.is_(None))))
    connection.execute(update(webhooks).where(webhooks.c.id.in_(ids)).values(disabled=utc_now(), reason=reason))
    waiting = update(webhook_deliveries).where(_deliveries.webhook_id.in_(ids), _deliveries.state == "waiting")
    connection.execute(waiting.values(state="failed", error="the webhook was switched off", lease_until=0))


def save_rivals(connection: Connection, league: int, ratings: int, rivals: Iterable[Rivals]) -> None:
    """Store who is ahead of some entries by the ratings of a number, and tell their owners who has passed them.

    What another runner has stored for these or later ratings stays as it is.
    """
    for rival in rivals:
        is_entry = (entry_rivals.c.league_id == league) & (entry_rivals.c.entry == rival.entry)
        known = connection.scalar(select(entry_rivals.c.ratings).where(is_entry))
        values = {"ratings": ratings, "ahead": json.dumps(sorted(rival.ahead))}
        if known is None:
            connection.execute(insert(entry_rivals).values(league_id=league, entry=rival.entry, **values))
        elif known >= ratings:
            continue
        else:
            connection.execute(update(entry_rivals).where(is_entry).values(values))
        if rival.passed:
            _add_overtaken(connection, league, rival)


def _add_overtaken(connection: Connection, league: int, rivals: Rivals) -> None:
    numbers = (rivals.entry, *rivals.passed)
    query = select(entries.c.number, entries.c.owner, entries.c.name).where(entries.c.league_id == league)
    rows = {row.number: row for row in connection.execute(query.where(entries.c.number.in_(numbers)))}
    own = rows[rivals.entry]
    by = [{"entry": number, "name": rows[number].name} for number in rivals.passed]
    name = str(connection.scalar(select(leagues.c.name).where(leagues.c.id == league)))
    data = {"league": name, "entry": rivals.entry, "name": own.name, "by": by}
    deliver_event(connection, own.owner, ENTRY_OVERTAKEN, data, utc_now())
