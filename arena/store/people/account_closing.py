"""What is wiped as an account is closed: see `arena.league.account_closing`, which closes accounts.

That is the account with its tokens and hand-ins, the files and reports of its submissions, and the notes and output
of its bots. The names of bots stay in definitions and logs, as their hashes were published; readers see pseudonyms
instead (`closed_names`).
"""

import json
from itertools import chain
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, select, update

from arena.store.engine.blobs import compress
from arena.store.engine.schema import (
    account_tokens,
    accounts,
    entrants,
    hand_in_files,
    hand_in_log,
    hand_in_phases,
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
from arena.store.people.closed_names import add_closed_names, is_closed_name
from arena.store.people.outbox_events import add_member_left, add_removed
from arena.values.rows import utc_now
from arena.values.versioned_names import base_name

EMPTY = compress(b"")
EMPTY_PACK = compress(bytes(10240))
"""A tar archive without files."""


WIPED = {"author": "", "dependencies": [], "build": [], "ignore": [], "keep": []}
"""What a manifest says of its author and files once these are wiped."""

NOTHING_KNOWN = dict.fromkeys(("display_name", "email", "id_number", "group", "team"))
"""What is known of the person of an account that is revoked or closed."""

TEAM = "team"
"""The role of an account with which nobody signs in: several people act for it (`arena.store.people.teams`)."""

REVOKED = "revoked"
"""The role of an account of a proxy's login that was revoked or closed: it stays, so that no other is made for it."""


class WipedAccount(NamedTuple):
    """What was wiped of an account that is closed."""

    submissions: int
    """The number of versions of its submissions."""
    hand_ins: int
    """The number of its hand-ins."""
    packs: tuple[str, ...]
    """The hashes of the packs whose files were wiped, which may be unpacked on some machines."""


def wipe_account(connection: Connection, name: str) -> WipedAccount | None:
    """Delete an account with what its owner wrote, in the caller's transaction; None if there is none of that name.

    One that was revoked is wiped, too, and so is the name of an owner of bots who never had one.
    """
    if not revoke_account(connection, name) and (
        is_closed_name(connection, name) or not _is_somebodys(connection, name)
    ):
        return None
    connection.execute(delete(tokens).where(_is_owned(tokens.c.name, name)))
    sent_by_owner = select(hand_ins.c.id).where(hand_ins.c.owner == name)
    for table in (hand_in_files, hand_in_phases, hand_in_log):
        connection.execute(delete(table).where(table.c.hand_in.in_(sent_by_owner)))
    connection.execute(update(hand_in_log).where(hand_in_log.c.who == name).values(who=""))
    sent = connection.execute(delete(hand_ins).where(hand_ins.c.owner == name)).rowcount
    _wipe_matches(connection, name)
    submitted, emptied = _wipe_submissions(connection, name)
    bots = _bots_of(connection, name)
    shown = add_closed_names(connection, name, bots, lambda shown: _is_somebodys(connection, shown))
    connection.execute(update(hand_ins).where(hand_ins.c.sent_by == name).values(sent_by=shown))
    return WipedAccount(submitted, sent, emptied)


def _bots_of(connection: Connection, name: str) -> list[str]:
    """Return the names of an owner's bots without versions, those that were submitted first."""
    submitted = select(submissions.c.name).where(_is_owned(submissions.c.name, name)).order_by(submissions.c.id)
    played = select(entrants.c.name).where(_is_owned(entrants.c.name, name)).distinct().order_by(entrants.c.name)
    names = chain(connection.scalars(submitted), connection.scalars(played))
    return list(dict.fromkeys(map(base_name, names)))


def revoke_account(connection: Connection, name: str) -> bool:
    """Take an account from its owner with all its tokens; return False if there was none."""
    connection.execute(delete(account_tokens).where(account_tokens.c.account == name))
    team = connection.scalar(select(accounts.c.team).where(accounts.c.name == name))
    if team is not None:
        add_member_left(connection, team, name)
    connection.execute(update(accounts).where(accounts.c.team == name).values(team=None))
    is_account = (accounts.c.name == name) & (accounts.c.role != REVOKED)
    revoke = (
        update(accounts)
        .where(is_account, accounts.c.login.is_not(None))
        .values(NOTHING_KNOWN | {"role": REVOKED, "sha256": ""})
    )
    if not (connection.execute(revoke).rowcount or connection.execute(delete(accounts).where(is_account)).rowcount):
        return False
    add_removed(connection, name)
    return True


def is_name_used(connection: Connection, name: str) -> bool:
    """Tell whether a name is that of an account, open or closed, or of the owner of bots, who never had one."""
    return is_closed_name(connection, name) or _is_somebodys(connection, name)


def _is_somebodys(connection: Connection, name: str) -> bool:
    columns = submissions.c.name, tokens.c.name, entrants.c.name
    conditions = [
        (accounts.c.name, accounts.c.name == name),
        *((column, _is_owned(column, name)) for column in columns),
    ]
    return any(
        connection.scalar(select(column).where(condition).limit(1)) is not None for column, condition in conditions
    )


def _is_owned(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    owned: ColumnElement[bool] = column == name
    for mark in "/@#":
        owned |= column.startswith(f"{name}{mark}", autoescape=True)
    return owned


def _wipe_submissions(connection: Connection, name: str) -> tuple[int, tuple[str, ...]]:
    """Empty the files of an owner's submissions, unless others have the same, and retire them.

    Returns how many there are, and the hashes of the packs that are empty now.
    """
    owned = _is_owned(submissions.c.name, name)
    rows = connection.execute(select(submissions.c.source, submissions.c.content).where(owned)).all()
    hashes = sorted({sha256 for row in rows for sha256 in row})
    emptied = []
    for sha256 in hashes:
        uses = (submissions.c.source == sha256) | (submissions.c.content == sha256)
        if connection.scalar(select(submissions.c.id).where(uses, ~owned).limit(1)) is None:
            wiped = update(packs).where(packs.c.sha256 == sha256)
            connection.execute(wiped.values(packed=EMPTY_PACK, files=0, bytes=0))
            emptied.append(sha256)
    connection.execute(update(submissions).where(owned).values(report='{"steps": []}'))
    connection.execute(update(submissions).where(owned, submissions.c.retired.is_(None)).values(retired=utc_now()))
    for id, manifest in connection.execute(select(submissions.c.id, submissions.c.manifest).where(owned)).all():
        values = json.loads(manifest) | WIPED
        remaining = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        connection.execute(update(submissions).where(submissions.c.id == id).values(manifest=remaining))
    return len(rows), tuple(emptied)


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
