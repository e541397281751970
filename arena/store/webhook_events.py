"""Write events for the webhooks of an owner, in the transaction of what has happened.

So an event is stored exactly if what it tells is, and a kill at any moment loses none.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, insert, select, update

from arena.store.rows import now_ms, utc_now
from arena.store.schema import entries, entry_rivals, hand_ins, leagues, submissions, webhook_deliveries, webhooks
from arena.store.webhook_rows import (
    ENTRY_OVERTAKEN,
    ENTRY_PLACED,
    ENTRY_SUSPENDED,
    HAND_IN_CHECKED,
    SEASON_OVER,
    Rivals,
)

_KIND_OF_STATE = {"standing": ENTRY_PLACED, "suspended": ENTRY_SUSPENDED}


def add_event(connection: Connection, account: str, kind: str, data: dict[str, Any]) -> None:
    """Store a delivery of an event for each webhook of an account that wants it. data: what is told, as JSON values."""
    is_on = (webhooks.c.account == account) & webhooks.c.disabled.is_(None)
    # Locked in PostgreSQL: an account that is closed meanwhile would take away what the new rows refer to.
    query = select(webhooks.c.id, webhooks.c.kinds).where(is_on).order_by(webhooks.c.id)
    rows = connection.execute(query.with_for_update(read=True, key_share=True))
    add_deliveries(connection, [row.id for row in rows if kind in row.kinds.split()], kind, data)


def add_deliveries(connection: Connection, ids: Iterable[int], kind: str, data: dict[str, Any]) -> list[int]:
    """Store a delivery of an event for each of some webhooks; return their ids."""
    now = utc_now()
    values = {
        "message": f"msg_{uuid4().hex}",
        "kind": kind,
        "body": json.dumps({"type": kind, "timestamp": now, "data": data}),
        "created": now,
        "state": "waiting",
        "attempt": 0,
        "due": now_ms(),
        "lease_until": 0,
        "error": "",
    }
    added = (connection.execute(insert(webhook_deliveries).values(webhook_id=id, **values)) for id in ids)
    return [each.inserted_primary_key[0] for each in added if each.inserted_primary_key is not None]


def add_checked(connection: Connection, hand_in: int) -> None:
    """Tell the owner of a hand-in that it is checked."""
    query = select(hand_ins.c.owner, hand_ins.c.name, hand_ins.c.state, hand_ins.c.sentence, submissions.c.version)
    query = query.outerjoin_from(hand_ins, submissions, submissions.c.id == hand_ins.c.submission)
    row = connection.execute(query.where(hand_ins.c.id == hand_in)).one()
    data = {"hand_in": hand_in, "bot": row.name, "state": row.state, "version": row.version, "sentence": row.sentence}
    add_event(connection, row.owner, HAND_IN_CHECKED, data)


def add_entry_change(connection: Connection, league: int, number: int, state: str, reason: str) -> None:
    """Tell the owner of an entry that it is placed or suspended; of other states nothing is told."""
    if state in _KIND_OF_STATE:
        is_entry = (entries.c.league_id == league) & (entries.c.number == number)
        row = connection.execute(select(entries.c.owner, entries.c.name).where(is_entry)).one()
        data = {"league": _name(connection, league), "entry": number, "name": row.name, "reason": reason}
        add_event(connection, row.owner, _KIND_OF_STATE[state], data)


def add_season_over(connection: Connection, league: int, season: int) -> None:
    """Tell all owners with an active entry in a league that a season is over."""
    is_active = (entries.c.league_id == league) & entries.c.state.in_(("placing", "standing")) & (entries.c.owner != "")
    query = select(entries.c.owner, entries.c.number, entries.c.name).where(is_active).order_by(entries.c.number)
    of_owner: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(query):
        of_owner.setdefault(row.owner, []).append({"entry": row.number, "name": row.name})
    data = {"league": _name(connection, league), "season": season}
    for owner in sorted(of_owner):  # in the same order everywhere, as their webhooks are locked
        add_event(connection, owner, SEASON_OVER, data | {"entries": of_owner[owner]})


def save_rivals(connection: Connection, league: int, ratings: int, rivals: Iterable[Rivals]) -> None:
    """Store who is ahead of some entries by the ratings of a number, and tell their owners who has passed them.

    What another runner has stored for these or later ratings stays as it is.
    """
    for each in rivals:
        is_entry = (entry_rivals.c.league_id == league) & (entry_rivals.c.entry == each.entry)
        known = connection.scalar(select(entry_rivals.c.ratings).where(is_entry))
        values = {"ratings": ratings, "ahead": json.dumps(sorted(each.ahead))}
        if known is None:
            connection.execute(insert(entry_rivals).values(league_id=league, entry=each.entry, **values))
        elif known >= ratings:
            continue
        else:
            connection.execute(update(entry_rivals).where(is_entry).values(values))
        if each.passed:
            _add_overtaken(connection, league, each)


def _add_overtaken(connection: Connection, league: int, rivals: Rivals) -> None:
    numbers = (rivals.entry, *rivals.passed)
    query = select(entries.c.number, entries.c.owner, entries.c.name).where(entries.c.league_id == league)
    rows = {row.number: row for row in connection.execute(query.where(entries.c.number.in_(numbers)))}
    own = rows[rivals.entry]
    by = [{"entry": number, "name": rows[number].name} for number in rivals.passed]
    data = {"league": _name(connection, league), "entry": rivals.entry, "name": own.name, "by": by}
    add_event(connection, own.owner, ENTRY_OVERTAKEN, data)


def _name(connection: Connection, league: int) -> str:
    return str(connection.scalar(select(leagues.c.name).where(leagues.c.id == league)))
