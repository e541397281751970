"""Leagues: their seasons, entries, log and ratings."""

import json
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Select, func, insert, select, update

from arena.store.batch_queries import is_open
from arena.store.closed_names import load_closed_names
from arena.store.dropped_batches import is_under_way, void_left
from arena.store.entry_grants import EntryGrants
from arena.store.errors import NoSuchRow, StoreError
from arena.store.league_entries import (
    active_bots,
    change_entry,
    change_grants,
    enter_submission,
    entries_of,
    load_entries,
    may_play,
    retired_by,
    shown_entries,
    suspend_failing,
)
from arena.store.league_log import append_to_log, lock_league
from arena.store.league_rows import (
    EntryRow,
    EntryState,
    LeagueEntry,
    LeagueRow,
    LeagueState,
    NewEntry,
    NewLeague,
    SeasonRow,
)
from arena.store.rows import DecisionRow, LogEnd, utc_now
from arena.store.schema import batches, league_log, league_ratings, leagues, seasons
from arena.store.season_rows import end_seasons, insert_season, season_of, start_season
from arena.store.stored_definition import StoredDefinition
from arena.store.stored_ratings import StoredRatings


class SeasonFrozen(StoreError):
    """Nothing enters a league before its next season begins."""


class Leagues(StoredRatings):
    """The leagues of a database, as `Store.leagues`."""

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
            insert_season(connection, key[0], new.season)
            details = {"season": new.season.number, "commitment": new.season.commitment}
            append_to_log(connection, key[0], who, "create", details)
            for entry in anchors:
                enter_submission(connection, key[0], entry, who, 0)
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
            return list(map(season_of, rows))

    def log(self, league: int, kind: str | None = None) -> list[DecisionRow]:
        """Return the log of decisions on a league, the oldest entry first. kind: only decisions of this kind."""
        query = select(league_log).where(league_log.c.league_id == league)
        if kind is not None:
            query = query.where(league_log.c.kind == kind)
        with self._read() as connection:
            return list(map(DecisionRow.of, connection.execute(query.order_by(league_log.c.number))))

    def newest_decisions(self, league: int, kind: str, limit: int) -> list[DecisionRow]:
        """Return so many decisions of a kind on a league, the newest first."""
        query = select(league_log).where((league_log.c.league_id == league) & (league_log.c.kind == kind))
        query = query.order_by(league_log.c.number.desc()).limit(limit)
        with self._read() as connection:
            return list(map(DecisionRow.of, connection.execute(query)))

    def shown_log(self, league: int) -> list[DecisionRow]:
        """Return the log of a league for readers, as `DecisionRow.shown`."""
        with self._read() as connection:
            closed = load_closed_names(connection)
        return [row.shown(closed) for row in self.log(league)]

    def set_state(self, league: int, state: LeagueState, who: str, reason: str = "") -> bool:
        """Pause, resume or close a league, and note it in its log; return False if it is in that state already.

        What waits in a league that is closed, or nobody plays any more, becomes void.
        """
        kinds = {"open": "resume", "paused": "pause", "closed": "close"}
        with self._write() as connection:
            lock_league(connection, league)
            is_league = leagues.c.id == league
            if connection.scalar(select(leagues.c.state).where(is_league)) == state:
                return False
            connection.execute(update(leagues).where(is_league).values(state=state))
            append_to_log(connection, league, who, kinds[state], {}, reason)
            if state == "closed":
                void_left(connection, league)
                end_seasons(connection, league)
            return True

    def is_over(self, league: int) -> bool:
        """Return whether a league is closed, and nothing of it is left to be played or rated."""
        under_way = select(batches.c.number).where(batches.c.league_id == league, is_open()).exists()
        rated = select(func.max(league_ratings.c.number)).where(league_ratings.c.league_id == league).scalar_subquery()
        is_rated = leagues.c.results <= func.coalesce(rated, 0)
        query = select(leagues.c.id).where(leagues.c.id == league, leagues.c.state == "closed", is_rated, ~under_way)
        with self._read() as connection:
            return connection.scalar(query) is not None

    def entries(self, league: int) -> list[EntryRow]:
        """Return all entries of a league, by number; those of closed accounts with their pseudonyms."""
        with self._read() as connection:
            return shown_entries(connection, league)

    def stored_entries(self, league: int) -> list[EntryRow]:
        """Return all entries of a league as they are stored, to play, verify and export them."""
        with self._read() as connection:
            return load_entries(connection, league)

    def entries_of(self, name: str, version: int) -> list[LeagueEntry]:
        """Return the entries of a version of a submission, by the names of their leagues."""
        with self._read() as connection:
            return entries_of(connection, name, version)

    def active_bots(self, owner: str) -> dict[int, tuple[str, ...]]:
        """Return the names of the active bots of an owner in each league, by its id, in the order of their entries."""
        with self._read() as connection:
            return active_bots(connection, owner)

    def enter(self, league: int, new: NewEntry, who: str, most_active: int = 1) -> EntryRow:
        """Enter a version of a submission and return the entry; one of that name is returned as it is.

        Other versions of the bot are retired, and then the oldest active entries of its owner, until there are no more
        than `most_active`.

        Raises SeasonFrozen where nothing enters before the next season, NoSuchRow if the version was not submitted.
        """
        with self._write() as connection:
            lock_league(connection, league)
            if connection.scalar(_newest_season(league, seasons.c.frozen)) is not None:
                raise SeasonFrozen(f"{new.name} enters when the next season of the league begins")
            return enter_submission(connection, league, new, who, most_active)

    def change_entry(
        self,
        league: int,
        number: int,
        state: EntryState,
        who: str,
        reason: str = "",
        expected: Collection[EntryState] | None = None,
        check: Callable[[], None] | None = None,
        again: bool = False,
    ) -> bool:
        """Change the state of an entry as `arena.store.league_entries.change_entry`.

        check: raises where it is not allowed; nobody else changes an entry of the league between the call and the
        change.
        """
        with self._write() as connection:
            if check is not None:
                lock_league(connection, league)
                check()
            return change_entry(connection, league, number, state, who, reason, expected, again=again)

    def may_play(self, league: int, number: int) -> bool:
        """Return whether an entry is active, or retired and its owner may readmit it."""
        with self._read() as connection:
            return may_play(connection, league, number)

    def retired_by(self, league: int, number: int) -> str:
        """Return who retired an entry last; empty if nobody has."""
        with self._read() as connection:
            return retired_by(connection, league, number)

    def suspend_failing(self, league: int, number: int, reason: str) -> None:
        """Suspend an entry for what its processes did if it is active, or retired and its owner could readmit it."""
        with self._write() as connection:
            suspend_failing(connection, league, number, reason)

    def change_grants(
        self,
        league: int,
        number: int,
        change: Callable[[EntryGrants], EntryGrants],
        who: str,
        kind: str,
        reason: str = "",
    ) -> EntryGrants:
        """Change what an entry is granted, and note it in the log if it is something else; return what it has now.

        change: is called with what it had. kind: of the decision, `GRANT` or `REVOKE` of `arena.store.entry_grants`.
        """
        with self._write() as connection:
            return change_grants(connection, league, number, change, who, kind, reason)

    def begin_season(self, league: int, season: SeasonRow, who: str, now: int | None = None) -> bool:
        """End the season before a new one, and begin that; what waits, or nobody plays any more, becomes void.

        now: as in `arena.store.dropped_batches`.

        Returns False if a batch is not over, if the league is not open, or if another program began it.
        """
        with self._write() as connection:
            lock_league(connection, league)
            if connection.scalar(select(leagues.c.state).where(leagues.c.id == league)) != "open":
                return False
            of_league = seasons.c.league_id == league
            if (connection.scalar(select(func.max(seasons.c.number)).where(of_league)) or 0) >= season.number:
                return False
            void_left(connection, league, now)
            if is_under_way(connection, league):
                return False
            end_seasons(connection, league)
            start_season(connection, league, season, who)
            return True

    def log_length(self, league: int) -> int:
        """Return the number of entries of the log of a league."""
        with self._read() as connection:
            query = select(func.max(league_log.c.number)).where(league_log.c.league_id == league)
            return connection.scalar(query) or 0


def _newest_season(league: int, column: Any) -> Select[Any]:
    return select(column).where(seasons.c.league_id == league).order_by(seasons.c.number.desc()).limit(1)


def _league(row: Any) -> LeagueRow:
    definition = StoredDefinition(json.loads(row.definition))
    return LeagueRow(
        row.id,
        row.name,
        row.game,
        definition,
        row.definition_hash,
        row.state,
        row.created,
        row.results,
        LogEnd(row.log_entries, row.log_digest),
    )
