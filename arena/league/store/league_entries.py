"""The entries of leagues: read, entered and changed, in the transactions of others."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from arena.league.store.entry_grants import GRANT, NOTHING, EntryGrants
from arena.league.store.league_dates import read_dates
from arena.league.store.league_log import DECISION, append_to_log, lock_league
from arena.league.store.league_rows import ACTIVE, EntryRow, EntryState, LeagueEntry, NewEntry
from arena.league.store.outbox_events import add_entry_change
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.row_map import RowMap, Stored
from arena.store.engine.schema import entries, league_log, leagues, submissions
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import PROGRAM, utc_now

ENTRY = RowMap(
    EntryRow,
    entries,
    submission=Stored(lambda *submission: submission, columns=(submissions.c.name, submissions.c.version)),
    grants=Stored(EntryGrants.of_text, attrgetter("text")),
)


class SeasonFrozen(StoreError):
    """Nothing enters a league before its next season begins."""


class EnteredLate(SeasonFrozen):
    """A bot was received after the deadline of the season."""


def shown_entries(connection: Connection, league: int) -> list[EntryRow]:
    """Return all entries of a league, by number; those of closed accounts with their pseudonyms."""
    closed = load_closed_names(connection)
    rows = load_entries(connection, league)
    if not closed.shown:
        return rows
    return [
        replace(
            row,
            name=closed.bot(row.name),
            submission=(closed.bot(row.submission[0]), row.submission[1]),
            owner=closed.owner(row.owner),
            reason=closed.text(row.reason),
        )
        for row in rows
    ]


def load_entries(connection: Connection, league: int) -> list[EntryRow]:
    """Return all entries of a league as they are stored, by number."""
    query = select(*ENTRY.columns).join_from(entries, submissions, submissions.c.id == entries.c.submission_id)
    rows = connection.execute(query.where(entries.c.league_id == league).order_by(entries.c.number))
    return list(map(ENTRY.load, rows))


def entries_of(connection: Connection, name: str, version: int, since: Mapping[int, str]) -> list[LeagueEntry]:
    """Return the entries of a version of a submission, by the names of their leagues, without practice leagues.

    since: by the id of a league, the moment after which nobody learns that an entry has its place.
    """
    columns = leagues.c.name, entries.c.number, entries.c.state, entries.c.league_id, entries.c.placed
    query = select(*columns).where(leagues.c.owner.is_(None))
    query = query.join_from(entries, submissions, submissions.c.id == entries.c.submission_id)
    query = query.join(leagues, leagues.c.id == entries.c.league_id)
    query = query.where(submissions.c.name == name, submissions.c.version == version)
    return [
        LeagueEntry(row.name, row.number, placed_state(row.state, row.placed, since.get(row.league_id)))
        for row in connection.execute(query.order_by(leagues.c.name))
    ]


def placed_state(state: EntryState, placed: str | None, since: str | None) -> EntryState:
    """Return the state of an entry as far as it may be told.

    placed: when it got its place.
    since: from when on nobody learns that an entry has its place; None: everybody does.
    """
    is_secret = state == "standing" and since is not None and placed is not None and placed >= since
    return "placing" if is_secret else state


def active_bots(connection: Connection, owners: Collection[str]) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return the names of the active bots of owners, by owner and id of the league, in the entries' order."""
    query = select(entries.c.owner, entries.c.league_id, submissions.c.name)
    query = query.join_from(entries, submissions, submissions.c.id == entries.c.submission_id)
    query = query.where(entries.c.owner.in_(owners), entries.c.state.in_(ACTIVE))
    bots: dict[str, dict[int, tuple[str, ...]]] = {}
    for owner, league, bot in connection.execute(query.order_by(entries.c.league_id, entries.c.number)):
        of_owner = bots.setdefault(owner, {})
        of_owner[league] = (*of_owner.get(league, ()), bot)
    return bots


def change_entry(
    connection: Connection,
    league: int,
    number: int,
    state: EntryState,
    who: str,
    reason: str = "",
    expected: Collection[EntryState] | None = None,
    *,
    again: bool = False,
) -> bool:
    """Change the state of an entry, and note it in the log; return False if it is in that state already.

    expected: the states from which it is changed; None: any. Anchors always stand.
    again: note it in that case, too, as it matters who decided it.
    """
    lock_league(connection, league)
    kinds = {"placing": "readmit", "standing": "place", "retired": "retire", "suspended": "suspend"}
    is_entry = (entries.c.league_id == league) & (entries.c.number == number)
    known = connection.execute(select(entries.c.state, entries.c.placed, entries.c.is_anchor).where(is_entry)).one()
    if (
        (known.state == state and not again)
        or known.is_anchor
        or (expected is not None and known.state not in expected)
    ):
        return False
    values = {"state": state, "reason": reason}
    if state == "standing" and known.placed is None:
        values["placed"] = utc_now()
    connection.execute(update(entries).where(is_entry).values(values))
    append_to_log(connection, league, who, kinds[state], {"entry": number}, reason)
    add_entry_change(connection, league, number, state, reason)
    return True


def retired_by(connection: Connection, league: int, number: int) -> str:
    """Return who retired an entry last; empty if nobody has."""
    of_kind = (league_log.c.league_id == league) & (league_log.c.kind == "retire")
    rows = connection.execute(select(*DECISION.columns).where(of_kind).order_by(league_log.c.number.desc()))
    return next((row.who for row in map(DECISION.load, rows) if row.details["entry"] == number), "")


def may_play(connection: Connection, league: int, number: int) -> bool:
    """Return whether an entry is active, or retired and its owner may readmit it.

    That is one of the newest version of its bot, which is not barred, and which no organiser has retired.
    """
    query = select(entries.c.state, entries.c.owner, submissions.c.name, submissions.c.version)
    query = query.join_from(entries, submissions, submissions.c.id == entries.c.submission_id)
    entry = connection.execute(query.where(entries.c.league_id == league, entries.c.number == number)).one()
    if entry.state != "retired" or not entry.owner:
        return entry.state in ACTIVE
    is_open = (submissions.c.name == entry.name) & submissions.c.retired.is_(None)
    newest = connection.scalar(select(func.max(submissions.c.version)).where(is_open))
    return entry.version == newest and retired_by(connection, league, number) in (entry.owner, PROGRAM)


def suspend_failing(connection: Connection, league: int, number: int, reason: str) -> None:
    """Suspend an entry for what its processes did if it is active, or retired and its owner could readmit it."""
    lock_league(connection, league)
    if may_play(connection, league, number):
        change_entry(connection, league, number, "suspended", PROGRAM, reason)


def enter_submission(connection: Connection, league: int, new: NewEntry, who: str, most_active: int) -> EntryRow:
    """Enter a version of a submission, as `Leagues.enter`. Raises EnteredLate, NoSuchRow."""
    known = {entry.name: entry for entry in load_entries(connection, league)}
    if new.name in known:
        return known[new.name]
    name, version = new.submission
    columns = submissions.c.id, submissions.c.received
    submission = connection.execute(
        select(*columns).where(submissions.c.name == name, submissions.c.version == version)
    ).first()
    if submission is None:
        raise NoSuchRow(f"no bot {name}@{version} was submitted, so it cannot enter a league")
    details: dict[str, Any] = {"bot": new.name}
    if not new.is_anchor:
        if not read_dates(connection, league).takes(new.owner, submission.received):
            raise EnteredLate(f"{new.name} was received after the deadline of the season")
        details["received"] = submission.received
    grants = _grants_of_later_versions(known.values(), name)
    number = 1 + (connection.scalar(select(func.max(entries.c.number)).where(entries.c.league_id == league)) or 0)
    connection.execute(
        insert(entries).values(
            league_id=league,
            number=number,
            submission_id=submission.id,
            name=new.name,
            owner=new.owner,
            is_anchor=new.is_anchor,
            state="standing" if new.is_anchor else "placing",
            reason="",
            entered=utc_now(),
            placed=utc_now() if new.is_anchor else None,
            grants=grants.text,
        )
    )
    append_to_log(connection, league, who, "enter", {"entry": number, **details})
    if grants:
        _note_grants(connection, league, number, grants, who, GRANT, "as the version before it")
    others = [entry for entry in known.values() if new.owner and entry.owner == new.owner and entry.is_active]
    older = [entry for entry in others if entry.submission[0] == name]
    rest = [entry for entry in others if entry.submission[0] != name]
    for entry in (*older, *rest[: max(len(rest) + 1 - most_active, 0)]):
        change_entry(connection, league, entry.number, "retired", who, f"{new.name} has its place")
    return next(entry for entry in load_entries(connection, league) if entry.number == number)


def change_grants(
    connection: Connection,
    league: int,
    number: int,
    change: Callable[[EntryGrants], EntryGrants],
    who: str,
    kind: str,
    reason: str,
) -> EntryGrants:
    """Change what an entry is granted, and note it in the log if it is something else; return what it has now."""
    lock_league(connection, league)
    is_entry = (entries.c.league_id == league) & (entries.c.number == number)
    before = EntryGrants.of_text(connection.execute(select(entries.c.grants).where(is_entry)).scalar_one())
    after = change(before)
    if after != before:
        connection.execute(update(entries).where(is_entry).values(grants=after.text))
        _note_grants(connection, league, number, after, who, kind, reason)
    return after


def _note_grants(
    connection: Connection, league: int, number: int, grants: EntryGrants, who: str, kind: str, reason: str
) -> None:
    """Append to the log of a league what an entry has since now."""
    append_to_log(connection, league, who, kind, {"entry": number, **grants.to_json()}, reason)


def _grants_of_later_versions(known: Iterable[EntryRow], bot: str) -> EntryGrants:
    """Return what a new version of a bot is granted: nothing, unless the organiser said so of its newest one."""
    versions = [entry for entry in known if entry.submission[0] == bot]
    newest = max(versions, key=lambda entry: entry.submission[1], default=None)
    return newest.grants if newest is not None and newest.grants.later else NOTHING
