"""Queries: everything that does not change the database."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from threading import local
from typing import Self, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, case, func, select

from arena.store.engine.errors import NoSuchRow, StoreError, translate_errors
from arena.store.engine.schema import events, matches, outputs, seats, voids
from arena.store.engine.time_limit import limited
from arena.store.engine.write_marks import WriteMarks
from arena.store.engine.write_watch import WriteWatch
from arena.store.matches import (
    aggregates,
    bot_names,
    counted_matches,
    decision_log,
    hidden_results,
    match_filter,
    numbering,
    practice_ids,
    process_failures,
    row_loading,
    speed,
    summaries,
)
from arena.store.matches.counted_matches import CountedMatches
from arena.store.matches.hidden_results import HiddenResults
from arena.store.matches.match_filter import IdRange
from arena.store.matches.seat_results import SeatResult, load_seat_results
from arena.store.people.closed_names import load_closed_names
from arena.values.rows import (
    BatchEventRow,
    ContentionRow,
    DecisionRow,
    EffortRow,
    ListedMatch,
    MatchRow,
    MatchVersion,
    OutputRow,
    ResultRow,
    SingleMatchRow,
    SpeedRow,
    StoredMatch,
    SummedResults,
    TournamentRow,
    VerdictRow,
)

_CHUNK = 500

Value = TypeVar("Value")


class Reader:
    """The queries of a database.

    patience: seconds that a transaction waits for another program's before the database counts as locked; None: half a
    minute. process_failures: the failed processes of bots. writes: tells that something was written.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._reader = engine
        if engine.dialect.name == "postgresql":  # a consistent snapshot for each transaction, as in SQLite
            self._reader = engine.execution_options(isolation_level="REPEATABLE READ")
        self.where = where
        self.patience: float | None = None
        self._marks = WriteMarks(engine)
        self.writes = WriteWatch(self.mark)
        self._snapshot = local()
        self._hides = False
        self._last_shown: dict[tuple[int, str], int] = {}
        self.process_failures = process_failures.ProcessFailures(self.read, self.hidden)

    def for_visitors(self) -> Self:
        """Return the same database without the results of leagues that are hidden from visitors.

        It is open as long as this one is.
        """
        shown = copy(self)
        shown._hides = True
        shown.process_failures = process_failures.ProcessFailures(self.read, shown.hidden)
        return shown

    @property
    def is_for_visitors(self) -> bool:
        """Whether it leaves out results that are hidden from visitors."""
        return self._hides

    def hidden(self, connection: Connection) -> tuple[HiddenResults, ...]:
        """Return which results this view of the database leaves out; none unless it is that `for_visitors`."""
        return self.hiding(connection) if self._hides else ()

    def hiding(self, connection: Connection) -> tuple[HiddenResults, ...]:
        """Return which results of leagues visitors do not see, now or from a moment on."""
        return hidden_results.load_hidden(connection, self._last_shown)

    @property
    def file(self) -> Path:
        """The file of the database. Raises StoreError if it is on a server."""
        url = self._engine.url
        if url.get_backend_name() != "sqlite" or not url.database:
            raise StoreError(f"{self.where} is no file: use the tools of its server (pg_dump for PostgreSQL)")
        return Path(url.database)

    def close(self) -> None:
        """Close the database; the last one to do so leaves a single file behind."""
        self._marks.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Run all queries of this thread within the block on one consistent snapshot of the database."""
        with self.read() as connection:
            outer = getattr(self._snapshot, "connection", None)
            self._snapshot.connection = connection
            try:
                yield
            finally:
                self._snapshot.connection = outer

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that reads, or take that of the thread's `snapshot`."""
        snapshot: Connection | None = getattr(self._snapshot, "connection", None)
        if snapshot is not None:
            with translate_errors(self.where):
                yield snapshot
            return
        with (
            translate_errors(self.where),
            self._reader.execution_options(patience=self.patience).connect() as connection,
        ):
            yield connection

    def mark(self) -> Hashable:
        """Return a mark: one that equals an earlier one tells that no program has written anything in between."""
        with translate_errors(self.where):
            return self._marks.read()

    def query(self, query: Callable[[Connection], Iterable[Value]]) -> list[Value]:
        """Return all values that a query yields, from a consistent snapshot."""
        with self.read() as connection:
            return list(query(connection))

    def tournaments(self) -> list[TournamentRow]:
        """Return all tournaments, the oldest first, without single matches."""
        with self.read() as connection:
            rows = connection.execute(select(events).where(events.c.tournament.is_not(None)).order_by(events.c.id))
            closed = load_closed_names(connection)
            return [row_loading.load_tournament(connection, row, closed) for row in rows.all()]

    def tournament(self, number: int | None = None) -> TournamentRow:
        """Return a tournament.

        number: None for the newest.

        Raises NoSuchRow if there is none.
        """
        with self.read() as connection:
            if number is None:
                number = connection.scalar(select(func.max(events.c.tournament)))
            row = connection.execute(select(events).where(events.c.tournament == number)).first()
            if row is None:
                raise self._no_tournament(connection, number)
            return row_loading.load_tournament(connection, row)

    def _id_range(self, connection: Connection, tournament: int, *, lock: bool = False) -> IdRange:
        """Return the id range of a tournament.

        lock: lock its row until the transaction ends.
        """
        query = select(events.c.id, events.c.first_match, events.c.matches).where(events.c.tournament == tournament)
        if lock:  # SQLite ignores this: there a writer locks the whole database
            query = query.with_for_update(key_share=True)
        row = connection.execute(query).first()
        if row is None:
            raise self._no_tournament(connection, tournament)
        return IdRange(*row)

    def _no_tournament(self, connection: Connection, number: int | None) -> NoSuchRow:
        last = connection.scalar(select(func.max(events.c.tournament)))
        if number is None:
            return NoSuchRow(f"the database {self.where} has no tournament yet: run one with `arena tourney`")
        numbers = f"it has numbers 1 to {last}" if last else "it has none yet: run one with `arena tourney`"
        return NoSuchRow(f"the database {self.where} has no tournament {number}: {numbers}")

    def played(self, tournament: int) -> set[int]:
        """Return the numbers of a tournament's stored matches."""
        with self.read() as connection:
            id_range = self._id_range(connection, tournament)
            return {id - id_range.first for id in connection.scalars(select(matches.c.id).where(id_range.contains()))}

    def count(self, tournament: int) -> int:
        """Return the number of a tournament's stored matches."""
        with self.read() as connection:
            return summaries.count_stored(connection, self._id_range(connection, tournament))

    def unsummarised(self, tournament: int) -> int:
        """Return the number of a tournament's unsummarised matches."""
        with self.read() as connection:
            return summaries.count_unsummarised(connection, self._id_range(connection, tournament))

    def next_phase(self, tournament: int) -> int:
        """Return the phase number after the highest stored one, with which a resumed tournament continues."""
        with self.read() as connection:
            id_range = self._id_range(connection, tournament)
            played = connection.scalar(select(func.max(matches.c.phase)).where(id_range.contains()))
            printed = connection.scalar(select(func.max(outputs.c.phase)).where(outputs.c.event_id == id_range.event))
            failed = process_failures.last_phase(connection, id_range.event)
            return max(-1 if played is None else played, -1 if printed is None else printed, failed) + 1

    def withdrawn(self, tournament: int) -> dict[int, str]:
        """Return the withdrawn bots: place in the field to reason."""
        field = self.tournament(tournament).entrants
        return {place: entrant.withdrawn for place, entrant in enumerate(field) if entrant.withdrawn is not None}

    def results(self, tournament: int, numbers: range | None = None, *, forfeited: bool = True) -> Iterator[ResultRow]:
        """Yield the results of stored matches, in the order of the schedule.

        numbers: only matches with these numbers.
        forfeited: whether to include matches with a forfeited seat.
        """
        with self.read() as connection:
            yield from aggregates.load_results(connection, self._results_of(connection, tournament, numbers, forfeited))

    def logged_results(
        self, tournament: int, numbers: range | None = None, *, forfeited: bool = True
    ) -> Iterator[ResultRow]:
        """Yield the results of stored matches, as `results`, with what tells whether they repeat others."""
        with self.read() as connection:
            condition = self._results_of(connection, tournament, numbers, forfeited)
            yield from aggregates.load_logged_results(connection, condition)

    def _results_of(
        self, connection: Connection, tournament: int, numbers: range | None, forfeited: bool
    ) -> ColumnElement[bool]:
        condition = self._id_range(connection, tournament).contains(numbers)
        if not forfeited:
            condition &= matches.c.id.not_in(
                aggregates.select_forfeited_seats(condition).with_only_columns(seats.c.match_id)
            )
        return condition

    def rating_sums(self, tournament: int) -> SummedResults:
        """Return the summaries and unsummarised results of a tournament, from a consistent snapshot."""
        with self.read() as connection:
            return summaries.load_sums(connection, self._id_range(connection, tournament))

    def sums_and_matches(self, tournament: int, size: int) -> Iterator[tuple[int, SummedResults]]:
        """Yield what `rating_sums` returns, then all stored matches in chunks, from the same snapshot.

        Each comes with the number of its matches.

        size: the number of ids in the range of a chunk.
        """
        with self.read() as connection:
            id_range = self._id_range(connection, tournament)
            yield summaries.count_stored(connection, id_range), summaries.load_sums(connection, id_range)
            counted = CountedMatches.load(connection, id_range.event)
            newest = connection.scalar(select(func.max(matches.c.id)).where(id_range.contains()))
            stop = 0 if newest is None else newest - id_range.first + 1
            for start in range(0, stop, size):
                sums = aggregates.load_sums(
                    connection, (), id_range.contains(range(start, start + size)), id_range.first, counted
                )
                yield len(sums.results) + len(sums.uncounted), sums

    def verdict(self, tournament: int) -> VerdictRow | None:
        """Return the verdict that ended a tournament; None if none is stored."""
        with self.read() as connection:
            return counted_matches.load_verdict(connection, self._id_range(connection, tournament).event)

    def forfeits(self, tournament: int) -> tuple[int, dict[int, int]]:
        """Return in how many matches a seat was forfeited, and how many seats each entrant forfeited, if any."""
        with self.read() as connection:
            return aggregates.count_forfeits(connection, self._id_range(connection, tournament).contains())

    def tournament_speed(self, game: str, seats: int, max_matches: int) -> SpeedRow | None:
        """Return the speed of the newest finished tournament of a game at tables of `seats`; None if there is none.

        max_matches: of a tournament with more, the phases are not examined.
        """
        with self.read() as connection:
            return speed.load_speed(connection, game, seats, max_matches)

    def fault_counts(self, tournament: int) -> dict[int, dict[str, int]]:
        """Return the faults of each entrant that has any: kind to count."""
        with self.read() as connection:
            return aggregates.count_faults(connection, self._id_range(connection, tournament).contains())

    def efforts(self, tournament: int) -> dict[int, EffortRow]:
        """Return the seats, decisions and charged time of each entrant that has played."""
        with self.read() as connection:
            return aggregates.sum_efforts(connection, self._id_range(connection, tournament).contains())

    def contention(self, tournament: int) -> ContentionRow | None:
        """Return the CPU contention of a tournament over all phases; None if it was not measured.

        The `phase` of the row is the number of phases.
        """
        with self.read() as connection:
            return aggregates.sum_contention(connection, self._id_range(connection, tournament).event)

    def match(self, id: int) -> StoredMatch:
        """Return a match with its event, outputs and process failures.

        Raises NoSuchRow if there is none, ResultsHidden where visitors do not see it.
        """
        with self.read() as connection:
            row = connection.execute(select(matches).where(matches.c.id == id)).first()
            if row is None:
                raise self.no_match(id)
            hidden_results.check_shown(connection, self.hidden(connection), id)
            return row_loading.load_match(connection, row)

    def event(self, key: int) -> TournamentRow | SingleMatchRow | BatchEventRow:
        """Return an event by its key in the database."""
        with self.read() as connection:
            return row_loading.load_event(
                connection, connection.execute(select(events).where(events.c.id == key)).one()
            )

    def matches_of_deal(self, match: StoredMatch, limit: int) -> list[ListedMatch]:
        """Return the matches that were played from the deal of a match, itself included.

        Those of its table come first, then those of other tables that shared the deal, each by id; at most `limit`.
        """
        with self.read() as connection:
            hidden_results.check_shown(connection, self.hidden(connection), match.id)
            practice = practice_ids.is_of_practice(match.id)
            query = match_filter.select_matches(connection, match_filter.of_same_deal(match), practice=practice)
            at_table = case((matches.c.at_table == match.row.table, 0), else_=1)
            rows = connection.execute(query.order_by(None).order_by(at_table, matches.c.id).limit(limit)).all()
            return list(row_loading.list_matches(connection, rows))

    def match_version(self, id: int) -> MatchVersion:
        """Return the cache key of a match. Raises NoSuchRow and ResultsHidden as `match`."""
        with self.read() as connection:
            hidden_results.check_shown(connection, self.hidden(connection), id)
            version = row_loading.load_match_version(connection, id)
        if version is None:
            raise self.no_match(id)
        return version

    def _is_shown(self, connection: Connection) -> list[ColumnElement[bool]]:
        """Return the conditions that a match is not hidden: none where nothing is."""
        hidden = self.hidden(connection)
        return [hidden_results.is_shown(hidden, matches.c.event_id)] if hidden else []

    def no_match(self, id: int) -> NoSuchRow:
        """Return the error that there is no match of that id."""
        return NoSuchRow(f"the database {self.where} has no match {id}: `arena matches` lists those it has")

    def records(self, tournament: int, numbers: range | None = None) -> Iterator[MatchRow]:
        """Yield the records of a tournament's stored matches, in the order of the schedule.

        numbers: only matches with these numbers.
        """
        with self.read() as connection:
            id_range = self._id_range(connection, tournament)
            ids = list(
                connection.scalars(select(matches.c.id).where(id_range.contains(numbers)).order_by(matches.c.id))
            )
            for start in range(0, len(ids), _CHUNK):
                query = select(matches).where(matches.c.id.in_(ids[start : start + _CHUNK])).order_by(matches.c.id)
                yield from row_loading.load_records(connection, connection.execute(query).all(), id_range.first)

    def records_by_id(self, ids: Collection[int]) -> Iterator[tuple[int, int, MatchRow]]:
        """Yield the id, the key of the event and the record of stored matches, event by event.

        Ids of matches that are not stored are left out. Many ids are better asked for in chunks.
        """
        with self.read() as connection:
            query = select(matches, events.c.first_match).join_from(matches, events, events.c.id == matches.c.event_id)
            query = query.where(matches.c.id.in_(ids), *self._is_shown(connection))
            rows = connection.execute(query.order_by(matches.c.event_id, matches.c.id))
            for (event, first), of_event in groupby(rows.all(), key=lambda row: (row.event_id, row.first_match)):
                listed = list(of_event)
                for row, record in zip(listed, row_loading.load_records(connection, listed, first), strict=True):
                    yield row.id, event, record

    def numbering_errors(self, key: int) -> list[str]:
        """Return a sentence for each match and process of an event whose rows do not go together.

        key: the key of the event.
        """
        with self.read() as connection:
            query = select(events.c.id, events.c.first_match, events.c.matches).where(events.c.id == key)
            id_range = IdRange(*connection.execute(query).one())
            return list(numbering.numbering_errors(connection, key, id_range.contains()))

    def batch_records(self, event: int) -> list[MatchRow]:
        """Return the records of the matches of a batch of a league.

        event: the key of the batch's event.
        """
        with self.read() as connection:
            row = connection.execute(select(events.c.first_match, events.c.matches).where(events.c.id == event)).one()
            of_batch = matches.c.id.between(row.first_match, row.first_match + row.matches - 1)
            query = select(matches).where(of_batch, *self._is_shown(connection)).order_by(matches.c.id)
            found = connection.execute(query).all()
            return list(row_loading.load_records(connection, found, row.first_match))

    def seat_results(self, tournament: int, numbers: range) -> list[SeatResult]:
        """Return the seats of a tournament's stored matches with these numbers, in the order of the schedule."""
        with self.read() as connection:
            return list(load_seat_results(connection, self._id_range(connection, tournament).contains(numbers)))

    def counted_matches(self, tournament: int) -> CountedMatches:
        """Return which matches of a tournament its ranking counts."""
        with self.read() as connection:
            return CountedMatches.load(connection, self._id_range(connection, tournament).event)

    def decisions(self, tournament: int) -> list[DecisionRow]:
        """Return the log of a tournament, the oldest entry first, with the names that readers see."""
        rows = self.signed_decisions(tournament)
        with self.read() as connection:
            closed = load_closed_names(connection)
        return list(map(closed.decision, rows))

    def signed_decisions(self, tournament: int) -> list[DecisionRow]:
        """Return the log of a tournament as it was written, to which its digests belong."""
        with self.read() as connection:
            return decision_log.entries(connection, self._id_range(connection, tournament).event)

    def decisions_of(self, match: StoredMatch) -> list[DecisionRow]:
        """Return the log of the tournament of a match; empty for a single match."""
        return [] if match.tournament_id is None else self.decisions(match.tournament_id)

    def decision_count(self, tournament: int) -> int:
        """Return the number of entries of a tournament's log."""
        with self.read() as connection:
            return decision_log.length(connection, self._id_range(connection, tournament).event)

    def void_matches(self, tournament: int) -> Iterator[tuple[DecisionRow, MatchRow]]:
        """Yield the records of void matches, each with the log entry that made it void."""
        with self.read() as connection:
            event, first, _ = self._id_range(connection, tournament)
            by_number = {entry.number: entry for entry in decision_log.entries(connection, event)}
            query = select(voids).where(voids.c.event_id == event).order_by(voids.c.action)
            for row in connection.execute(query).all():
                entry = by_number[row.action]
                rows = connection.execute(select(matches).where(matches.c.id == row.match_id)).all()
                (record,) = row_loading.load_records(connection, rows, first)
                yield entry, replace(record, number=entry.details["match"])

    def outputs(self, tournament: int) -> list[OutputRow]:
        """Return what the processes of a tournament printed, by phase and player."""
        with self.read() as connection:
            return list(row_loading.load_outputs(connection, self._id_range(connection, tournament).event))

    def match_ids(self, tournament: int) -> list[int]:
        """Return the ids of a tournament's stored matches, in the order of the schedule."""
        with self.read() as connection:
            condition = self._id_range(connection, tournament).contains()
            return list(connection.scalars(select(matches.c.id).where(condition).order_by(matches.c.id)))

    def games(self) -> list[str]:
        """Return the names of the games of which there are matches, apart from those of practice leagues, sorted."""
        with self.read() as connection:
            listed = select(events.c.game).where(events.c.first_match < practice_ids.FIRST)
            return list(connection.scalars(listed.distinct().order_by(events.c.game)))

    def names(self) -> list[str]:
        """Return the names of all bots in the database, sorted."""
        with self.read() as connection:
            return bot_names.all_names(connection)

    def matches(
        self,
        *,
        tournament: int | None = None,
        bot: str | None = None,
        seat: int | None = None,
        against: str | None = None,
        fault: str | None = None,
        worst: bool = False,
        before: int | None = None,
        limit: int | None = None,
        excluded: Collection[int] = (),
        charged_us: int | None = None,
        league: str | None = None,
        batch: int | None = None,
        table: int | None = None,
        seconds: float | None = None,
        practice: bool = False,
        game: str | None = None,
    ) -> list[ListedMatch]:
        """Return stored matches, the newest id first, at most `limit` of them.

        tournament: only its matches.
        bot: only matches of a bot of that name, which without a version means all versions of a submission.
        seat: only matches with that seat; with `bot`, only those in which it held that seat.
        against: only matches in which a bot of that name played too.
        fault: only matches with that kind of fault ("any": any kind), of `bot` or `seat` where given.
        worst: the lowest score of `bot` first.
        before: only matches with a lower id.
        excluded: the tournaments in which `bot` and `against` are known not to have met.
        charged_us: only matches in which a seat, of `bot` or `seat` where given, was charged that time or more for all
            its answers.
        league: only its matches.
        batch, table: of that league, only matches of that batch, of that table in it.
        seconds: the time limit of the search; None: no limit.
        practice: matches of practice leagues alone, of which there are none otherwise.
        game: only matches of that game.

        Raises SearchTooLong.
        """
        with self.read() as connection, limited(connection, seconds):
            condition = None if tournament is None else self._id_range(connection, tournament).contains()
            bots = [name for name in (bot, against) if name is not None]
            if len(bots) == 2 and tournament in excluded:
                return []
            if (bots or game is not None) and tournament is None:
                possible = match_filter.range_of(connection, bots, excluded, practice=practice, game=game)
                if possible is None:
                    return []
                condition = possible
            if league is not None:
                of_league = match_filter.in_league(league, batch, table)
                condition = of_league if condition is None else condition & of_league
            query = match_filter.select_matches(
                connection, condition, bot, seat, against, fault, worst, before, charged_us, practice, game
            )
            rows = connection.execute(query.where(*self._is_shown(connection)).limit(limit)).all()
            return [
                match
                for start in range(0, len(rows), _CHUNK)
                for match in row_loading.list_matches(connection, rows[start : start + _CHUNK])
            ]
