"""Close an account: what its owner wrote is wiped, and results stay.

Wiped are the account with its tokens, its hand-ins, the files and reports of its submissions, and the notes and output
of its bots. The names of bots stay in definitions and logs, as their hashes were published.
"""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, select, update

from arena.store.blobs import compress
from arena.store.rows import utc_now
from arena.store.schema import (
    account_tokens,
    accounts,
    entrants,
    entries,
    hand_ins,
    matches,
    notes,
    outputs,
    packs,
    process_failures,
    seats,
    submissions,
    tokens,
)

EMPTY = compress(b"")
EMPTY_PACK = compress(bytes(10240))
"""A tar archive without files."""


REVOKED = "revoked"
"""The role of an account of a proxy's login that was revoked or closed: it stays, so that no other is made for it."""


class ClosedAccount(NamedTuple):
    """What was wiped. submissions: versions. active: numbers of entries that were active, by the id of their league."""

    submissions: int
    hand_ins: int
    active: dict[int, list[int]]


def close_account(connection: Connection, name: str) -> ClosedAccount | None:
    """Close an account, in the caller's transaction; None if there is none of that name."""
    if not revoke_account(connection, name):
        return None
    connection.execute(delete(tokens).where(_is_owned(tokens.c.name, name)))
    sent = connection.execute(delete(hand_ins).where(hand_ins.c.owner == name)).rowcount
    _wipe_matches(connection, name)
    wiped = _wipe_submissions(connection, name)
    is_active = (entries.c.owner == name) & entries.c.state.in_(("placing", "standing"))
    active: dict[int, list[int]] = {}
    for row in connection.execute(select(entries.c.league_id, entries.c.number).where(is_active)):
        active.setdefault(row.league_id, []).append(row.number)
    return ClosedAccount(wiped, sent, active)


def revoke_account(connection: Connection, name: str) -> bool:
    """Take an account from its owner with all its tokens; return False if there was none."""
    connection.execute(delete(account_tokens).where(account_tokens.c.account == name))
    is_account = (accounts.c.name == name) & (accounts.c.role != REVOKED)
    kept = update(accounts).where(is_account, accounts.c.login.is_not(None)).values(role=REVOKED, sha256="")
    if connection.execute(kept).rowcount:
        return True
    return connection.execute(delete(accounts).where(is_account)).rowcount > 0


def is_name_used(connection: Connection, name: str) -> bool:
    """Tell whether a name is that of an account, or of the owner of bots, who has none or has none any more."""
    columns = submissions.c.name, tokens.c.name, entrants.c.name
    conditions = [(accounts.c.name, accounts.c.name == name), *((each, _is_owned(each, name)) for each in columns)]
    return any(
        connection.scalar(select(column).where(condition).limit(1)) is not None for column, condition in conditions
    )


def _is_owned(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    owned: ColumnElement[bool] = column == name
    for mark in "/@#":
        owned |= column.startswith(f"{name}{mark}", autoescape=True)
    return owned


def _wipe_submissions(connection: Connection, name: str) -> int:
    """Empty the files of an owner's submissions, unless others have the same, and retire them; return how many."""
    owned = _is_owned(submissions.c.name, name)
    rows = connection.execute(select(submissions.c.source, submissions.c.content).where(owned)).all()
    hashes = {sha256 for row in rows for sha256 in row}
    for sha256 in hashes:
        uses = (submissions.c.source == sha256) | (submissions.c.content == sha256)
        if connection.scalar(select(submissions.c.id).where(uses, ~owned).limit(1)) is None:
            wiped = update(packs).where(packs.c.sha256 == sha256)
            connection.execute(wiped.values(packed=EMPTY_PACK, files=0, bytes=0))
    connection.execute(update(submissions).where(owned).values(report='{"steps": []}'))
    connection.execute(update(submissions).where(owned, submissions.c.retired.is_(None)).values(retired=utc_now()))
    return len(rows)


def _wipe_matches(connection: Connection, name: str) -> None:
    """Delete the notes and the output of an owner's bots."""
    of_bot = select(entrants.c.event_id, entrants.c.place).where(_is_owned(entrants.c.name, name))
    for event, place in connection.execute(of_bot).all():
        held = select(seats.c.match_id, seats.c.seat).join_from(seats, matches, matches.c.id == seats.c.match_id)
        of_seat = (seats.c.match_id == notes.c.match_id) & (seats.c.seat == notes.c.seat)
        held = held.where(matches.c.event_id == event, seats.c.entrant == place, of_seat).correlate(notes)
        connection.execute(delete(notes).where(held.exists()))
        printed = (outputs.c.event_id == event) & (outputs.c.entrant == place)
        connection.execute(update(outputs).where(printed).values(text=EMPTY, truncated=False))
        failed = (process_failures.c.event_id == event) & (process_failures.c.entrant == place)
        connection.execute(update(process_failures).where(failed).values(output=EMPTY, truncated=False))
