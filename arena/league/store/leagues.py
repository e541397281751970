"""Leagues: their seasons, entries, log and ratings."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select, update

from arena.league.store.batch_queries import is_open
from arena.league.store.dropped_batches import is_under_way, void_left
from arena.league.store.entry_grants import EntryGrants
from arena.league.store.league_dates import DATES, EXTEND, LeagueDates, dates_of
from arena.league.store.league_entries import (
    SeasonFrozen,
    active_bots,
    change_entry,
    change_grants,
    enter_submission,
    entries_of,
    load_entries,
    may_play,
    placed_state,
    retired_by,
    shown_entries,
    suspend_failing,
)
from arena.league.store.league_log import DECISION, append_to_log, lock_league
from arena.league.store.league_rows import (
    EntryRow,
    EntryState,
    LeagueEntry,
    LeagueRow,
    LeagueState,
    NewEntry,
    NewLeague,
    SeasonRow,
)
from arena.league.store.season_rows import SEASON, end_seasons, insert_season, note_hiding, start_season
from arena.league.store.stored_ratings import StoredRatings
from arena.store.engine.clock import database_time
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.row_map import JSON, RowMap, Stored
from arena.store.engine.schema import batches, league_log, league_ratings, leagues, seasons
from arena.store.matches.hidden_results import HiddenResults
from arena.store.people.closed_names import load_closed_names
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.rows import DecisionRow, LogEnd, utc_now

_LEAGUE = RowMap(
    LeagueRow,
    leagues,
    definition=JSON,
    log_end=Stored(LogEnd, columns=(leagues.c.log_entries, leagues.c.log_digest)),
)


FROM_RATINGS = ("place", "divide")
"""The kinds of decisions that follow from ratings, and would tell of them."""


class Leagues(StoredRatings):
    """The leagues of a database."""

    def create(
        self,
        new: NewLeague,
        anchors: Sequence[NewEntry],
        who: str,
        dates: dict[str, Any] | None = None,
        check: Callable[[Connection], None] = lambda connection: None,
    ) -> LeagueRow:
        """Store a league with its first season and first entries, in one transaction, and return it.

        dates: the details of the decision on the dates of its season; None: it has none.
        check: raises where it is not allowed, in the transaction.

        Raises StoreError if there is a league of that name.
        """
        with self._store.write(numbers=True) as connection:
            check(connection)
            if connection.scalar(select(leagues.c.id).where(leagues.c.name == new.name)) is not None:
                raise StoreError(
                    f"the database {self._store.where} has a league {new.name} already: choose another name"
                )
            key = connection.execute(
                insert(leagues).values(
                    name=new.name,
                    game=new.game,
                    definition=canonical_json(new.definition),
                    definition_hash=hash_of_definition(new.definition),
                    state="open",
                    created=utc_now(),
                    results=0,
                    owner=new.owner,
                    seen=None if new.owner is None else utc_now(),
                )
            ).inserted_primary_key
            assert key is not None
            insert_season(connection, key[0], new.season)
            details = {"season": new.season.number, "commitment": new.season.commitment}
            append_to_log(connection, key[0], who, "create", details)
            if dates is not None:
                append_to_log(connection, key[0], who, DATES, dates)
                note_hiding(connection, key[0], new.season.number)
            for entry in anchors:
                enter_submission(connection, key[0], entry, who, 0)
            return _LEAGUE.load(connection.execute(select(*_LEAGUE.columns).where(leagues.c.id == key[0])).one())

    def all(self, *, practice: bool = False) -> list[LeagueRow]:
        """Return all leagues, the oldest first.

        practice: with practice leagues.
        """
        query = select(*_LEAGUE.columns).where(_is_shown(practice=practice)).order_by(leagues.c.id)
        with self._store.read() as connection:
            return list(map(_LEAGUE.load, connection.execute(query)))

    def named(self, name: str, *, practice: bool = False) -> LeagueRow:
        """Return a league. Raises NoSuchRow if there is none of that name.

        practice: also a practice league.
        """
        is_named = (leagues.c.name == name) & _is_shown(practice=practice)
        with self._store.read() as connection:
            row = connection.execute(select(*_LEAGUE.columns).where(is_named)).first()
            if row is not None:
                return _LEAGUE.load(row)
            shown = select(leagues.c.name).where(_is_shown(practice=False))
            names = list(connection.scalars(shown.order_by(leagues.c.name)))
        if not names:
            raise NoSuchRow(f"the database {self._store.where} has no league yet: begin one with `arena league create`")
        near = get_close_matches(name, names, n=1)
        hint = f'; did you mean "{near[0]}"?' if near else f": it has {', '.join(names)}"
        raise NoSuchRow(f"the database {self._store.where} has no league {name}{hint}")

    def seasons(self, league: int) -> list[SeasonRow]:
        """Return the seasons of a league, the oldest first."""
        with self._store.read() as connection:
            of_league = select(*SEASON.columns).where(seasons.c.league_id == league)
            return list(map(SEASON.load, connection.execute(of_league.order_by(seasons.c.number))))

    def log(self, league: int, kind: str | None = None) -> list[DecisionRow]:
        """Return the log of decisions on a league, the oldest entry first, with the names that readers see.

        kind: only decisions of this kind.
        """
        rows = self.signed_log(league, kind)
        with self._store.read() as connection:
            closed = load_closed_names(connection)
        return list(map(closed.decision, rows))

    def signed_log(self, league: int, kind: str | None = None) -> list[DecisionRow]:
        """Return the log of a league as it was written, to which its digests belong.

        kind: only decisions of this kind.
        """
        query = select(*DECISION.columns).where(league_log.c.league_id == league)
        if kind is not None:
            query = query.where(league_log.c.kind == kind)
        with self._store.read() as connection:
            query = query.where(*self._are_told(connection, league)).order_by(league_log.c.number)
            return list(map(DECISION.load, connection.execute(query)))

    def dates(self, league: int, season: int | None = None) -> LeagueDates:
        """Return the dates of a season of a league, with the names that readers see.

        season: its number; None: the newest.
        """
        with self._store.snapshot():
            log = [*self.log(league, DATES), *self.log(league, EXTEND)]
            return dates_of(log, self.seasons(league)[-1].number if season is None else season)

    def hiding(self, league: int) -> HiddenResults | None:
        """Return what is hidden of a league from visitors now, for whoever reads; None where nothing is."""
        with self._store.read() as connection:
            now = database_time(connection)
            bounds = self._store.hiding(connection)
        return next((bound for bound in bounds if bound.league == league and bound.since <= now), None)

    def newest_decisions(self, league: int, kind: str, limit: int) -> list[DecisionRow]:
        """Return so many decisions of a kind on a league, the newest first."""
        query = select(*DECISION.columns).where((league_log.c.league_id == league) & (league_log.c.kind == kind))
        query = query.order_by(league_log.c.number.desc()).limit(limit)
        with self._store.read() as connection:
            closed = load_closed_names(connection)
            rows = connection.execute(query.where(*self._are_told(connection, league)))
            return [closed.decision(DECISION.load(row)) for row in rows]

    def _are_told(self, connection: Connection, league: int) -> list[ColumnElement[bool]]:
        """Return the conditions that a decision follows from no hidden result: none where nothing is hidden."""
        return [
            league_log.c.kind.not_in(FROM_RATINGS) | (league_log.c.created < bound.since)
            for bound in self._store.hidden(connection)
            if bound.league == league
        ]

    def decide_if(self, league: int, who: str, kind: str, reason: str, is_new: Callable[[], bool]) -> bool:
        """Note a decision in the log of a league; return False where it changes nothing.

        is_new: tells whether it changes anything; nobody else decides between that and the note.
        """
        with self._store.write(numbers=True) as connection:
            lock_league(connection, league)
            if not is_new():
                return False
            append_to_log(connection, league, who, kind, {}, reason)
            return True

    def set_state(self, league: int, state: LeagueState, who: str, reason: str = "") -> bool:
        """Pause, resume or close a league, and note it in its log; return False if it is in that state already.

        What waits in a league that is closed, or nobody plays any more, becomes void.
        """
        kinds = {"open": "resume", "paused": "pause", "closed": "close"}
        with self._store.write(numbers=True) as connection:
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
        with self._store.read() as connection:
            return connection.scalar(query) is not None

    def entries(self, league: int) -> list[EntryRow]:
        """Return all entries of a league, by number; those of closed accounts with their pseudonyms."""
        with self._store.read() as connection:
            rows, bounds = shown_entries(connection, league), self._store.hidden(connection)
            since = next((bound.since for bound in bounds if bound.league == league), None)
            return rows if since is None else [_as_of(row, since) for row in rows]

    def stored_entries(self, league: int) -> list[EntryRow]:
        """Return all entries of a league as they are stored, to play them."""
        with self._store.read() as connection:
            return load_entries(connection, league)

    def entries_of(self, name: str, version: int) -> list[LeagueEntry]:
        """Return the entries of a version of a submission, by the names of their leagues."""
        with self._store.read() as connection:
            since = {bound.league: bound.since for bound in self._store.hidden(connection)}
            return entries_of(connection, name, version, since)

    def active_bots(self, owners: Collection[str]) -> dict[str, dict[int, tuple[str, ...]]]:
        """Return the names of the active bots of owners, by owner and id of the league, in the entries' order."""
        with self._store.read() as connection:
            return active_bots(connection, owners)

    def enter(self, league: int, new: NewEntry, who: str, most_active: int = 1) -> EntryRow:
        """Enter a version of a submission and return the entry; one of that name is returned as it is.

        Other versions of the bot are retired, and then the oldest active entries of its owner, until there are no more
        than `most_active`.

        Raises SeasonFrozen where it does not enter before the next season, NoSuchRow if the version was not submitted.
        """
        with self._store.write(numbers=True) as connection:
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
        """Change the state of an entry as `arena.league.store.league_entries.change_entry`.

        check: raises where it is not allowed; nobody else changes an entry of the league between the call and the
            change.
        """
        with self._store.write(numbers=True) as connection:
            if check is not None:
                lock_league(connection, league)
                check()
            return change_entry(connection, league, number, state, who, reason, expected, again=again)

    def may_play(self, league: int, number: int) -> bool:
        """Return whether an entry is active, or retired and its owner may readmit it."""
        with self._store.read() as connection:
            return may_play(connection, league, number)

    def retired_by(self, league: int, number: int) -> str:
        """Return who retired an entry last; empty if nobody has."""
        with self._store.read() as connection:
            return retired_by(connection, league, number)

    def suspend_failing(self, league: int, number: int, reason: str) -> None:
        """Suspend an entry for what its processes did if it is active, or retired and its owner could readmit it."""
        with self._store.write(numbers=True) as connection:
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

        change: called with what the entry had, returns what it gets.
        kind: the kind of the decision, `GRANT` or `REVOKE` of `arena.league.store.entry_grants`.
        """
        with self._store.write(numbers=True) as connection:
            return change_grants(connection, league, number, change, who, kind, reason)

    def begin_season(self, league: int, season: SeasonRow, who: str, now: int | None = None) -> bool:
        """End the season before a new one, and begin that; what waits, or nobody plays any more, becomes void.

        now: as in `arena.league.store.dropped_batches`.

        Returns False if a batch is not over, if the league is not open, or if another program began it.
        """
        with self._store.write(numbers=True) as connection:
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
        with self._store.read() as connection:
            query = select(func.max(league_log.c.number)).where(league_log.c.league_id == league)
            return connection.scalar(query) or 0


def _is_shown(*, practice: bool) -> ColumnElement[bool]:
    """Return the condition that a league is everybody's.

    practice: or a practice league that was not removed.
    """
    return leagues.c.removed.is_(None) if practice else leagues.c.owner.is_(None)


def _as_of(row: EntryRow, since: str) -> EntryRow:
    """Return an entry as it was placed at a moment: that it got its place after it, and why, its rating tells."""
    if row.placed is None or row.placed < since:
        return row
    if row.state != "standing":
        return replace(row, placed=None)
    return replace(row, placed=None, state=placed_state(row.state, row.placed, since), reason="")


def _newest_season(league: int, column: Any) -> Select[Any]:
    return select(column).where(seasons.c.league_id == league).order_by(seasons.c.number.desc()).limit(1)
