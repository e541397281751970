"""Queries: everything that does not change the database."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import local
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine, func, select

from arena.store import (
    aggregates,
    counted_matches,
    decision_log,
    match_filter,
    process_failures,
    row_loading,
    speed,
    summaries,
)
from arena.store.counted_matches import CountedMatches
from arena.store.errors import NoSuchRow, StoreError, translate_errors
from arena.store.match_filter import IdRange
from arena.store.rows import (
    ContentionRow,
    DecisionRow,
    EffortRow,
    ListedMatch,
    MatchRow,
    MatchVersion,
    OutputRow,
    ResultRow,
    SpeedRow,
    StoredMatch,
    SummedResults,
    TournamentRow,
    VerdictRow,
)
from arena.store.schema import entrants, events, matches, outputs, seats, voids

_CHUNK = 500

Value = TypeVar("Value")


class Reader:
    """The queries of a database.

    patience: how many seconds a transaction waits for that of another program before the database counts as locked;
    None: half a minute. process_failures: the processes of bots that failed.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._reader = engine
        if engine.dialect.name == "postgresql":  # all that one question needs from one moment, as SQLite gives it
            self._reader = engine.execution_options(isolation_level="REPEATABLE READ")
        self.where = where
        self.patience: float | None = None
        self._held = local()
        self.process_failures = process_failures.ProcessFailures(self._reading)

    @property
    def file(self) -> Path:
        """Where it lies. Raises StoreError where it is no file."""
        url = self._engine.url
        if url.get_backend_name() != "sqlite" or not url.database:
            raise StoreError(f"{self.where} is no file: use the tools of its server (pg_dump for PostgreSQL)")
        return Path(url.database)

    def close(self) -> None:
        """Close the database; the last one to do so leaves a single file behind."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Run all queries of this thread within the block on one consistent snapshot of the database."""
        with self._reading() as connection:
            earlier = getattr(self._held, "connection", None)
            self._held.connection = connection
            try:
                yield
            finally:
                self._held.connection = earlier

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        held: Connection | None = getattr(self._held, "connection", None)
        if held is not None:
            with translate_errors(self.where):
                yield held
            return
        with (
            translate_errors(self.where),
            self._reader.execution_options(patience=self.patience).connect() as connection,
        ):
            yield connection

    def query(self, question: Callable[[Connection], Iterable[Value]]) -> list[Value]:
        """Return all values that a query yields, from one consistent snapshot."""
        with self._reading() as connection:
            return list(question(connection))

    def tournaments(self) -> list[TournamentRow]:
        """Return all tournaments, the oldest first; single matches are not among them."""
        with self._reading() as connection:
            found = connection.execute(select(events).where(events.c.tournament.is_not(None)).order_by(events.c.id))
            return [row_loading.load_tournament(connection, row) for row in found.all()]

    def tournament(self, number: int | None = None) -> TournamentRow:
        """Return a tournament, without a number the one added last. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            if number is None:
                number = connection.scalar(select(func.max(events.c.tournament)))
            row = connection.execute(select(events).where(events.c.tournament == number)).first()
            if row is None:
                raise self._no_tournament(connection, number)
            return row_loading.load_tournament(connection, row)

    def _span(self, connection: Connection, tournament: int, *, alone: bool = False) -> IdRange:
        """Return where a tournament lies. alone: nobody else changes it until the transaction ends."""
        wanted = select(events.c.id, events.c.first_match, events.c.matches).where(events.c.tournament == tournament)
        if alone:  # SQLite has no locks of rows, and leaves this out: there the whole database is locked
            wanted = wanted.with_for_update(key_share=True)
        found = connection.execute(wanted).first()
        if found is None:
            raise self._no_tournament(connection, tournament)
        return IdRange(*found)

    def _no_tournament(self, connection: Connection, number: int | None) -> NoSuchRow:
        last = connection.scalar(select(func.max(events.c.tournament)))
        if number is None:
            return NoSuchRow(f"the database {self.where} has no tournament yet: run one with `arena tourney`")
        known = f"it has numbers 1 to {last}" if last else "it has none yet: run one with `arena tourney`"
        return NoSuchRow(f"the database {self.where} has no tournament {number}: {known}")

    def played(self, tournament: int) -> set[int]:
        """Return the numbers of the matches that are stored."""
        with self._reading() as connection:
            span = self._span(connection, tournament)
            return {id - span.first for id in connection.scalars(select(matches.c.id).where(span.holds()))}

    def count(self, tournament: int) -> int:
        """Return how many of its matches are stored."""
        with self._reading() as connection:
            return summaries.count_stored(connection, self._span(connection, tournament))

    def unsummarised(self, tournament: int) -> int:
        """Return the number of its unsummarised matches."""
        with self._reading() as connection:
            return summaries.count_unsummarised(connection, self._span(connection, tournament))

    def next_phase(self, tournament: int) -> int:
        """Return a number above those of all stored phases: a tournament that goes on counts on from it."""
        with self._reading() as connection:
            span = self._span(connection, tournament)
            last = connection.scalar(select(func.max(matches.c.phase)).where(span.holds()))
            printed = connection.scalar(select(func.max(outputs.c.phase)).where(outputs.c.event_id == span.event))
            failed = process_failures.last_phase(connection, span.event)
            return max(-1 if last is None else last, -1 if printed is None else printed, failed) + 1

    def withdrawn(self, tournament: int) -> dict[int, str]:
        """Return the bots that were withdrawn: place in the field to reason."""
        field = self.tournament(tournament).entrants
        return {place: entrant.withdrawn for place, entrant in enumerate(field) if entrant.withdrawn is not None}

    def results(self, tournament: int, numbers: range | None = None, *, forfeited: bool = True) -> Iterator[ResultRow]:
        """Yield what the ratings need of every stored match, in the order of the schedule.

        numbers: of the matches that are wanted, one after the other; without it all. forfeited: also those in which a
        seat was forfeited.
        """
        with self._reading() as connection:
            of_them = self._span(connection, tournament).holds(numbers)
            if not forfeited:
                of_them &= matches.c.id.not_in(aggregates.forfeited_seats(of_them).with_only_columns(seats.c.match_id))
            yield from aggregates.load_results(connection, of_them)

    def rating_sums(self, tournament: int) -> SummedResults:
        """Return what the ratings need of all stored matches, from one moment."""
        with self._reading() as connection:
            return summaries.load_sums(connection, self._span(connection, tournament))

    def sums_and_matches(self, tournament: int, most: int) -> Iterator[tuple[int, SummedResults]]:
        """Yield what `load_sums` returns, and then all matches that are stored, from the same moment.

        Each with the number of its matches. most: of them together, none of them in a summary.
        """
        with self._reading() as connection:
            span = self._span(connection, tournament)
            yield summaries.count_stored(connection, span), summaries.load_sums(connection, span)
            counts = CountedMatches.of(connection, span.event)
            for low in range(0, span.size, most):
                found = aggregates.load_sums(connection, (), span.holds(range(low, low + most)), span.first, counts)
                yield len(found.results) + len(found.aside), found

    def verdict(self, tournament: int) -> VerdictRow | None:
        """Return what ended a tournament that may end early; None where that is not noted."""
        with self._reading() as connection:
            return counted_matches.load_verdict(connection, self._span(connection, tournament).event)

    def forfeits(self, tournament: int) -> tuple[int, dict[int, int]]:
        """Return in how many matches a seat was forfeited, and how many seats each entrant forfeited, if any."""
        with self._reading() as connection:
            return aggregates.count_forfeits(connection, self._span(connection, tournament).holds())

    def tournament_speed(self, game: str, seats: int, most: int) -> SpeedRow | None:
        """Return how fast the last tournament of a game was that was finished at tables of `seats`; None without one.

        most: matches of which it is worth looking at each phase.
        """
        with self._reading() as connection:
            return speed.load_speed(connection, game, seats, most)

    def fault_counts(self, tournament: int) -> dict[int, dict[str, int]]:
        """Return the faults of each entrant that has any: kind to count."""
        with self._reading() as connection:
            return aggregates.count_faults(connection, self._span(connection, tournament).holds())

    def efforts(self, tournament: int) -> dict[int, EffortRow]:
        """Return seats, decisions and charged time of each entrant that has played."""
        with self._reading() as connection:
            return aggregates.sum_efforts(connection, self._span(connection, tournament).holds())

    def contention(self, tournament: int) -> ContentionRow | None:
        """Return what the machine could not give a tournament in time, all phases together; None where nobody looked.

        Its phase is how many phases there were.
        """
        with self._reading() as connection:
            return aggregates.sum_contention(connection, self._span(connection, tournament).event)

    def match(self, id: int) -> StoredMatch:
        """Return one match with all that belongs to it. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            found = connection.execute(select(matches).where(matches.c.id == id)).first()
            if found is None:
                raise self._no_match(id)
            return row_loading.load_match(connection, found)

    def match_version(self, id: int) -> MatchVersion:
        """Return the cache key of a match. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            found = row_loading.load_match_version(connection, id)
        if found is None:
            raise self._no_match(id)
        return found

    def _no_match(self, id: int) -> NoSuchRow:
        return NoSuchRow(f"the database {self.where} has no match {id}: `arena matches` lists those it has")

    def records(self, tournament: int, numbers: range | None = None) -> Iterator[MatchRow]:
        """Yield the records of a tournament's stored matches, in the order of the schedule.

        numbers: of the matches that are wanted, one after the other; without it all.
        """
        with self._reading() as connection:
            span = self._span(connection, tournament)
            ids = list(connection.scalars(select(matches.c.id).where(span.holds(numbers)).order_by(matches.c.id)))
            for at in range(0, len(ids), _CHUNK):
                wanted = select(matches).where(matches.c.id.in_(ids[at : at + _CHUNK])).order_by(matches.c.id)
                yield from row_loading.load_records(connection, connection.execute(wanted).all(), span.first)

    def decisions(self, tournament: int) -> list[DecisionRow]:
        """Return the log of a tournament, the oldest entry first."""
        with self._reading() as connection:
            return decision_log.entries(connection, self._span(connection, tournament).event)

    def decisions_of(self, match: StoredMatch) -> list[DecisionRow]:
        """Return the log of the tournament to which a match belongs; nothing for a single match."""
        return [] if match.tournament_id is None else self.decisions(match.tournament_id)

    def decision_count(self, tournament: int) -> int:
        """Return the number of entries of its log."""
        with self._reading() as connection:
            return decision_log.length(connection, self._span(connection, tournament).event)

    def void_matches(self, tournament: int) -> Iterator[tuple[DecisionRow, MatchRow]]:
        """Yield the records that were made void, each with the entry of the log that did it."""
        with self._reading() as connection:
            event, first, _ = self._span(connection, tournament)
            by_number = {entry.number: entry for entry in decision_log.entries(connection, event)}
            wanted = select(voids).where(voids.c.event_id == event).order_by(voids.c.action)
            for row in connection.execute(wanted).all():
                entry = by_number[row.action]
                found = connection.execute(select(matches).where(matches.c.id == row.match_id)).all()
                (record,) = row_loading.load_records(connection, found, first)
                yield entry, replace(record, number=entry.details["match"])

    def outputs(self, tournament: int) -> list[OutputRow]:
        """Return what the processes of a tournament left behind, by phase and player."""
        with self._reading() as connection:
            return list(row_loading.load_outputs(connection, self._span(connection, tournament).event))

    def match_ids(self, tournament: int) -> list[int]:
        """Return the ids of a tournament's stored matches, in the order of the schedule."""
        with self._reading() as connection:
            of_it = self._span(connection, tournament).holds()
            return list(connection.scalars(select(matches.c.id).where(of_it).order_by(matches.c.id)))

    def names(self) -> list[str]:
        """Return the names of all bots in the database, sorted."""
        with self._reading() as connection:
            return sorted(connection.scalars(select(entrants.c.name).distinct()))

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
        apart: Collection[int] = (),
    ) -> list[ListedMatch]:
        """Return stored matches, the newest id first, at most `limit` of them.

        tournament: only its matches. bot: only where a bot of that name sat. seat: only matches with such a seat; with
        `bot`, only where it sat there. against: only where a bot of that name sat too. fault: only where that
        kind of fault happened ("any": any kind); with `bot` or `seat`, only where it happened to that.
        worst: the lowest score of `bot` first. before: only matches with a lower id. apart: the tournaments in which
        `bot` and `against` are known not to have met.
        """
        with self._reading() as connection:
            of_it = None if tournament is None else self._span(connection, tournament).holds()
            if bot is not None and against is not None:
                if tournament in apart or (both := match_filter.common_range(connection, bot, against, apart)) is None:
                    return []
                of_it = both if of_it is None else of_it & both
            wanted = match_filter.select_matches(of_it, bot, seat, against, fault, worst, before)
            found = connection.execute(wanted.limit(limit)).all()
            return [
                line
                for at in range(0, len(found), _CHUNK)
                for line in row_loading.list_matches(connection, found[at : at + _CHUNK])
            ]
