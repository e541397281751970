"""Leagues: their seasons, entries, log and ratings."""

import json
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from arena.store.blobs import compress, decompress
from arena.store.errors import NoSuchRow, StoreError
from arena.store.league_rows import (
    EntryRow,
    EntryState,
    LeagueRow,
    LeagueState,
    NewEntry,
    NewLeague,
    RatingsRow,
    SeasonRow,
)
from arena.store.rows import DecisionRow, utc_now
from arena.store.schema import entries, league_log, league_ratings, leagues, seasons, snapshots, submissions
from arena.store.stored_definition import StoredDefinition, definition_text
from arena.store.submissions import OpenConnection


class Leagues:
    """The leagues of a database, as `Store.leagues`."""

    def __init__(self, where: str, read: OpenConnection, write: OpenConnection) -> None:
        self._where = where
        self._read = read
        self._write = write

    def create(self, new: NewLeague, anchors: Sequence[NewEntry], who: str) -> LeagueRow:
        """Store a league with its first season and first entries, in one transaction, and return it.

        Raises StoreError if there is a league of that name.
        """
        with self._write() as connection:
            if connection.scalar(select(leagues.c.id).where(leagues.c.name == new.name)) is not None:
                raise StoreError(f"the database {self._where} has a league {new.name} already: choose another name")
            key = connection.execute(
                insert(leagues).values(
                    name=new.name,
                    game=new.game,
                    definition=new.definition.text,
                    definition_hash=new.definition.hash,
                    state="open",
                    created=utc_now(),
                    results=0,
                )
            ).inserted_primary_key
            assert key is not None
            _add_season(connection, key[0], new.season)
            details = {"season": new.season.number, "commitment": new.season.commitment}
            append_to_log(connection, key[0], who, "create", details)
            for entry in anchors:
                _enter(connection, key[0], entry, who, 0)
            return _league(connection.execute(select(leagues).where(leagues.c.id == key[0])).one())

    def all(self) -> list[LeagueRow]:
        """Return all leagues, the oldest first."""
        with self._read() as connection:
            return list(map(_league, connection.execute(select(leagues).order_by(leagues.c.id))))

    def named(self, name: str) -> LeagueRow:
        """Return a league. Raises NoSuchRow if there is none of that name."""
        with self._read() as connection:
            row = connection.execute(select(leagues).where(leagues.c.name == name)).first()
            if row is not None:
                return _league(row)
            names = list(connection.scalars(select(leagues.c.name).order_by(leagues.c.name)))
        if not names:
            raise NoSuchRow(f"the database {self._where} has no league yet: begin one with `arena league create`")
        near = get_close_matches(name, names, n=1)
        hint = f'; did you mean "{near[0]}"?' if near else f": it has {', '.join(names)}"
        raise NoSuchRow(f"the database {self._where} has no league {name}{hint}")

    def seasons(self, league: int) -> list[SeasonRow]:
        """Return the seasons of a league, the oldest first."""
        with self._read() as connection:
            rows = connection.execute(select(seasons).where(seasons.c.league_id == league).order_by(seasons.c.number))
            return [
                SeasonRow(
                    row.number,
                    row.first_day,
                    row.days,
                    bytes.fromhex(row.secret),
                    row.commitment,
                    row.entropy,
                    row.ended,
                )
                for row in rows
            ]

    def log(self, league: int, kind: str | None = None) -> list[DecisionRow]:
        """Return the log of decisions on a league, the oldest entry first. kind: only decisions of this kind."""
        query = select(league_log).where(league_log.c.league_id == league)
        if kind is not None:
            query = query.where(league_log.c.kind == kind)
        with self._read() as connection:
            rows = connection.execute(query.order_by(league_log.c.number))
            return [
                DecisionRow(row.number, row.created, row.who, row.kind, json.loads(row.details), row.reason, row.digest)
                for row in rows
            ]

    def set_state(self, league: int, state: LeagueState, who: str, reason: str = "") -> bool:
        """Pause, resume or close a league, and note it in its log; return False if it is in that state already."""
        kinds = {"open": "resume", "paused": "pause", "closed": "close"}
        with self._write() as connection:
            is_league = leagues.c.id == league
            if connection.scalar(select(leagues.c.state).where(is_league)) == state:
                return False
            connection.execute(update(leagues).where(is_league).values(state=state))
            append_to_log(connection, league, who, kinds[state], {}, reason)
            return True

    def entries(self, league: int) -> list[EntryRow]:
        """Return all entries of a league, by number."""
        with self._read() as connection:
            return load_entries(connection, league)

    def enter(self, league: int, new: NewEntry, who: str, most_active: int = 1) -> EntryRow:
        """Enter a version of a submission and return the entry; one of that name is returned as it is.

        Other versions of the bot are retired, and then the oldest active entries of its owner, until there are no more
        than `most_active`.
        """
        with self._write() as connection:
            return _enter(connection, league, new, who, most_active)

    def change_entry(
        self,
        league: int,
        number: int,
        state: EntryState,
        who: str,
        reason: str = "",
        expected: Collection[EntryState] | None = None,
    ) -> bool:
        """Change the state of an entry, and note it in the log; return False if it is in that state already.

        expected: only from these states; None: from any. Anchors always stand.
        """
        with self._write() as connection:
            return change_entry(connection, league, number, state, who, reason, expected)

    def begin_season(self, league: int, season: SeasonRow, who: str) -> bool:
        """End the season before a new one, and begin that; return False if another program did."""
        with self._write() as connection:
            lock_league(connection, league)
            of_league = seasons.c.league_id == league
            if (connection.scalar(select(func.max(seasons.c.number)).where(of_league)) or 0) >= season.number:
                return False
            connection.execute(update(seasons).where(of_league, seasons.c.ended.is_(None)).values(ended=utc_now()))
            _add_season(connection, league, season)
            details = {"season": season.number, "commitment": season.commitment}
            append_to_log(connection, league, who, "season", details)
            return True

    def add_snapshot(self, league: int, text: bytes, sha256: str) -> int:
        """Store the ratings from which batches are drawn, unless the newest are the same; return their number."""
        with self._write() as connection:
            of_league = snapshots.c.league_id == league
            newest = connection.execute(
                select(snapshots.c.number, snapshots.c.sha256)
                .where(of_league)
                .order_by(snapshots.c.number.desc())
                .limit(1)
            ).first()
            if newest is not None and newest.sha256 == sha256:
                return int(newest.number)
            number = 1 if newest is None else int(newest.number) + 1
            connection.execute(
                insert(snapshots).values(
                    league_id=league, number=number, packed=compress(text), sha256=sha256, created=utc_now()
                )
            )
            return number

    def snapshot(self, league: int, number: int) -> bytes:
        """Return the ratings from which batches were drawn. Raises NoSuchRow if there are none of that number."""
        with self._read() as connection:
            of_number = (snapshots.c.league_id == league) & (snapshots.c.number == number)
            packed = connection.scalar(select(snapshots.c.packed).where(of_number))
        if packed is None:
            raise NoSuchRow(f"the database {self._where} has no snapshot {number} of that league")
        return decompress(packed)

    def save_ratings(self, league: int, row: RatingsRow, superseded: Collection[int] = ()) -> None:
        """Store ratings as the newest, and drop others that they make superfluous, by their numbers."""
        with self._write() as connection:
            of_league = league_ratings.c.league_id == league
            dropped = league_ratings.c.number.in_([row.number, *superseded])
            connection.execute(delete(league_ratings).where(of_league, dropped))
            connection.execute(
                insert(league_ratings).values(
                    league_id=league, number=row.number, packed=compress(row.packed), created=row.created
                )
            )

    def ratings(self, league: int, number: int | None = None) -> RatingsRow | None:
        """Return stored ratings, by default the newest; None if there are none."""
        with self._read() as connection:
            query = select(league_ratings).where(league_ratings.c.league_id == league)
            if number is not None:
                query = query.where(league_ratings.c.number == number)
            row = connection.execute(query.order_by(league_ratings.c.number.desc()).limit(1)).first()
            return None if row is None else RatingsRow(row.number, decompress(row.packed), row.created)

    def rating_times(self, league: int) -> list[tuple[int, str]]:
        """Return the numbers of the stored ratings, and when they were made, the oldest first."""
        with self._read() as connection:
            query = select(league_ratings.c.number, league_ratings.c.created)
            rows = connection.execute(
                query.where(league_ratings.c.league_id == league).order_by(league_ratings.c.number)
            )
            return [(row.number, row.created) for row in rows]

    def newest_ratings(self, league: int) -> int:
        """Return the number of the newest ratings; 0 if there are none."""
        with self._read() as connection:
            query = select(func.max(league_ratings.c.number)).where(league_ratings.c.league_id == league)
            return connection.scalar(query) or 0

    def log_length(self, league: int) -> int:
        """Return the number of entries of the log of a league."""
        with self._read() as connection:
            query = select(func.max(league_log.c.number)).where(league_log.c.league_id == league)
            return connection.scalar(query) or 0


def load_entries(connection: Connection, league: int) -> list[EntryRow]:
    """Return all entries of a league, by number."""
    query = select(entries, submissions.c.name.label("submitted"), submissions.c.version)
    query = query.join_from(entries, submissions, submissions.c.id == entries.c.submission_id)
    return [
        EntryRow(
            number=row.number,
            name=row.name,
            submission=(row.submitted, row.version),
            owner=row.owner,
            is_anchor=row.is_anchor,
            state=row.state,
            reason=row.reason,
            entered=row.entered,
            placed=row.placed,
        )
        for row in connection.execute(query.where(entries.c.league_id == league).order_by(entries.c.number))
    ]


def change_entry(
    connection: Connection,
    league: int,
    number: int,
    state: EntryState,
    who: str,
    reason: str = "",
    expected: Collection[EntryState] | None = None,
) -> bool:
    """Change the state of an entry, and note it in the log; return False if it is in that state already.

    expected: only from these states; None: from any. Anchors always stand.
    """
    lock_league(connection, league)
    kinds = {"placing": "readmit", "standing": "place", "retired": "retire", "suspended": "suspend"}
    is_entry = (entries.c.league_id == league) & (entries.c.number == number)
    known = connection.execute(select(entries.c.state, entries.c.placed, entries.c.is_anchor).where(is_entry)).one()
    if known.state == state or known.is_anchor or (expected is not None and known.state not in expected):
        return False
    values = {"state": state, "reason": reason}
    if state == "standing" and known.placed is None:
        values["placed"] = utc_now()
    connection.execute(update(entries).where(is_entry).values(values))
    append_to_log(connection, league, who, kinds[state], {"entry": number}, reason)
    return True


def lock_league(connection: Connection, league: int) -> None:
    """Lock a league until the transaction ends; SQLite ignores this, as there a writer locks the whole database."""
    connection.execute(select(leagues.c.id).where(leagues.c.id == league).with_for_update(key_share=True))


def _enter(connection: Connection, league: int, new: NewEntry, who: str, most_active: int) -> EntryRow:
    known = {entry.name: entry for entry in load_entries(connection, league)}
    if new.name in known:
        return known[new.name]
    name, version = new.submission
    submission = connection.scalar(
        select(submissions.c.id).where(submissions.c.name == name, submissions.c.version == version)
    )
    if submission is None:
        raise NoSuchRow(f"no bot {name}@{version} was submitted, so it cannot enter a league")
    number = 1 + (connection.scalar(select(func.max(entries.c.number)).where(entries.c.league_id == league)) or 0)
    connection.execute(
        insert(entries).values(
            league_id=league,
            number=number,
            submission_id=submission,
            name=new.name,
            owner=new.owner,
            is_anchor=new.is_anchor,
            state="standing" if new.is_anchor else "placing",
            reason="",
            entered=utc_now(),
            placed=utc_now() if new.is_anchor else None,
        )
    )
    append_to_log(connection, league, who, "enter", {"entry": number, "bot": new.name})
    others = [entry for entry in known.values() if new.owner and entry.owner == new.owner and entry.is_active]
    older = [entry for entry in others if entry.submission[0] == name]
    rest = [entry for entry in others if entry.submission[0] != name]
    for entry in (*older, *rest[: max(len(rest) + 1 - most_active, 0)]):
        change_entry(connection, league, entry.number, "retired", who, f"{new.name} has its place")
    return next(entry for entry in load_entries(connection, league) if entry.number == number)


def append_to_log(
    connection: Connection, league: int, who: str, kind: str, details: dict[str, Any], reason: str = ""
) -> DecisionRow:
    """Append an entry to the log of a league; the caller's transaction holds the write lock."""
    lock_league(connection, league)
    last = connection.execute(
        select(league_log.c.number, league_log.c.digest)
        .where(league_log.c.league_id == league)
        .order_by(league_log.c.number.desc())
        .limit(1)
    ).first()
    if last is None:
        previous = connection.scalar(select(leagues.c.definition_hash).where(leagues.c.id == league)) or ""
    else:
        previous = last.digest
    row = DecisionRow.chained(previous, 1 if last is None else last.number + 1, who, kind, details, reason)
    connection.execute(
        insert(league_log).values(
            league_id=league,
            number=row.number,
            created=row.created,
            who=row.who,
            kind=row.kind,
            details=definition_text(row.details),
            reason=row.reason,
            digest=row.digest,
        )
    )
    return row


def _add_season(connection: Connection, league: int, season: SeasonRow) -> None:
    connection.execute(
        insert(seasons).values(
            league_id=league,
            number=season.number,
            first_day=season.first_day,
            days=season.days,
            secret=season.secret.hex(),
            commitment=season.commitment,
            entropy=season.entropy,
        )
    )


def _season(row: Any) -> SeasonRow:
    secret = bytes.fromhex(row.secret)
    return SeasonRow(row.number, row.first_day, row.days, secret, row.commitment, row.entropy, row.ended)


def _league(row: Any) -> LeagueRow:
    definition = StoredDefinition(json.loads(row.definition))
    return LeagueRow(row.id, row.name, row.game, definition, row.definition_hash, row.state, row.created, row.results)
