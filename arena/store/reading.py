"""Looking: everything that does not change the database."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import local
from typing import Any, Self

from sqlalchemy import Connection, Engine, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store import assembly, counted, counting, editions, listing, log, summing
from arena.store.counted import Counted
from arena.store.editions import Edition
from arena.store.errors import NoSuchRow, StoreError, sentences
from arena.store.rows import (
    ActionRow,
    Effort,
    Listed,
    MatchRow,
    OutputRow,
    PaceRow,
    Result,
    StoredMatch,
    StrainRow,
    Summed,
    Tournament,
    VerdictRow,
)
from arena.store.schema import entrants, events, loose, matches, outputs, seats, strains, summaries, voids

_CHUNK = 500
sat = seats  # where `seats` is a number


class Reader:
    """The questions a database answers."""

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._reader = engine
        if engine.dialect.name == "postgresql":  # all that one question needs from one moment, as SQLite gives it
            self._reader = engine.execution_options(isolation_level="REPEATABLE READ")
        self.where = where
        self._held = local()

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
    def moment(self) -> Iterator[None]:
        """Answer all that this thread asks within the block from one moment, whatever is stored meanwhile."""
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
            with sentences(self.where):
                yield held
            return
        with sentences(self.where), self._reader.connect() as connection:
            yield connection

    def tournaments(self) -> list[Tournament]:
        """Return all tournaments, the oldest first; single matches are not among them."""
        with self._reading() as connection:
            found = connection.execute(select(events).where(events.c.tournament.is_not(None)).order_by(events.c.id))
            return [assembly.tournament(connection, row) for row in found.all()]

    def tournament(self, number: int) -> Tournament:
        """Return one tournament. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            event, *_ = self._event(connection, number)
            return assembly.frame(connection, event)

    def latest(self) -> Tournament:
        """Return the tournament added last. Raises NoSuchRow with a sentence where there is none."""
        with self._reading() as connection:
            number = connection.scalar(select(func.max(events.c.tournament)))
        if number is None:
            raise NoSuchRow(f"the database {self.where} has no tournament yet: run one with `arena tourney`")
        return self.tournament(number)

    def _event(self, connection: Connection, tournament: int, *, alone: bool = False) -> tuple[int, int, int]:
        """Return the key of a tournament, its first match id and the number of its matches.

        alone: nobody else changes the tournament until the transaction ends.
        """
        wanted = select(events.c.id, events.c.first_match, events.c.matches).where(events.c.tournament == tournament)
        if alone:  # SQLite has no locks of rows, and leaves this out: there the whole database is locked
            wanted = wanted.with_for_update(key_share=True)
        found = connection.execute(wanted).first()
        if found is None:
            last = connection.scalar(select(func.max(events.c.tournament)))
            known = f"it has numbers 1 to {last}" if last else "it has none yet: run one with `arena tourney`"
            raise NoSuchRow(f"the database {self.where} has no tournament {tournament}: {known}")
        return found.id, found.first_match, found.matches

    def _of(self, connection: Connection, tournament: int) -> ColumnElement[bool]:
        """Return the condition that a match is one of a tournament: its id lies in the range that was reserved."""
        _, first, count = self._event(connection, tournament)
        return matches.c.id.between(first, first + count - 1)

    def played(self, tournament: int) -> set[int]:
        """Return the numbers of the matches that are stored."""
        with self._reading() as connection:
            _, first, _ = self._event(connection, tournament)
            return {
                id - first for id in connection.scalars(select(matches.c.id).where(self._of(connection, tournament)))
            }

    def count(self, tournament: int) -> int:
        """Return how many of its matches are stored."""
        with self._reading() as connection:
            return self._count(connection, tournament)

    def _count(self, connection: Connection, tournament: int) -> int:
        event, *_ = self._event(connection, tournament)
        summed = connection.scalar(select(func.sum(summaries.c.matches)).where(summaries.c.event_id == event))
        return int(summed or 0) + self._loose(connection, tournament)

    def loose(self, tournament: int) -> int:
        """Return how many of its matches are in no summary."""
        with self._reading() as connection:
            return self._loose(connection, tournament)

    def _loose(self, connection: Connection, tournament: int) -> int:
        _, first, count = self._event(connection, tournament)
        of_it = loose.c.match_id.between(first, first + count - 1)
        return int(connection.scalar(select(func.count()).where(of_it).select_from(loose)) or 0)

    def next_phase(self, tournament: int) -> int:
        """Return a number above those of all stored phases: a tournament that goes on counts on from it."""
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            last = connection.scalar(select(func.max(matches.c.phase)).where(self._of(connection, tournament)))
            printed = connection.scalar(select(func.max(outputs.c.phase)).where(outputs.c.event_id == event))
            return max(-1 if last is None else last, -1 if printed is None else printed) + 1

    def withdrawn(self, tournament: int) -> dict[int, str]:
        """Return the bots that were withdrawn: place in the field to reason."""
        field = self.tournament(tournament).entrants
        return {place: entrant.withdrawn for place, entrant in enumerate(field) if entrant.withdrawn is not None}

    def results(self, tournament: int, numbers: range | None = None, *, forfeited: bool = True) -> Iterator[Result]:
        """Yield what the ratings need of every stored match, in the order of the schedule.

        numbers: of the matches that are wanted, one after the other; without it all. forfeited: also those in which a
        seat was forfeited.
        """
        with self._reading() as connection:
            of_them = self._of(connection, tournament)
            if numbers is not None:
                _, first, _ = self._event(connection, tournament)
                of_them &= matches.c.id.between(first + numbers.start, first + numbers.stop - 1)
            if not forfeited:
                lost = self._forfeited(connection, tournament).with_only_columns(seats.c.match_id)
                of_them &= matches.c.id.not_in(lost)
            yield from counting.results(connection, of_them)

    def summed(self, tournament: int) -> Summed:
        """Return what the ratings need of all stored matches, from one moment."""
        with self._reading() as connection:
            event, first, count = self._event(connection, tournament)
            return summing.summed(connection, event, range(first, first + count))

    def recounted(self, tournament: int, most: int) -> Iterator[tuple[int, Summed]]:
        """Yield what `summed` returns, and then all matches that are stored, from the same moment.

        Each with the number of its matches. most: of them together, none of them in a summary.
        """
        with self._reading() as connection:
            event, first, count = self._event(connection, tournament)
            yield self._count(connection, tournament), summing.summed(connection, event, range(first, first + count))
            counts = Counted.of(connection, event)
            for low in range(first, first + count, most):
                of_them = matches.c.id.between(low, min(low + most, first + count) - 1)
                found = counting.summed(connection, (), of_them, first, counts)
                yield len(found.results) + len(found.aside), found

    def settled(self, tournament: int) -> VerdictRow | None:
        """Return what ended a tournament that may end early; None where that is not noted."""
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            return counted.verdict(connection, event)

    def forfeits(self, tournament: int) -> tuple[int, dict[int, int]]:
        """Return in how many matches a seat was forfeited, and how many seats each entrant forfeited, if any."""
        with self._reading() as connection:
            lost = self._forfeited(connection, tournament).subquery()
            matches_lost = connection.scalar(select(func.count(lost.c.match_id.distinct()))) or 0
            by_entrant = select(lost.c.entrant, func.count().label("seats")).group_by(lost.c.entrant)
            return matches_lost, {
                row.entrant: row.seats for row in connection.execute(by_entrant.order_by(lost.c.entrant))
            }

    def _forfeited(self, connection: Connection, tournament: int) -> Select[Any]:
        joined = select(seats.c.match_id, seats.c.entrant).join_from(seats, matches, matches.c.id == seats.c.match_id)
        return joined.where(self._of(connection, tournament), seats.c.forfeit)

    def pace(self, game: str, seats: int, most: int) -> PaceRow | None:
        """Return how fast the last tournament of a game was that was finished at tables of `seats`; None without one.

        most: matches of which it is worth looking at each phase.
        """
        with self._reading() as connection:
            wanted = (
                select(events.c.tournament, events.c.created, events.c.finished, events.c.definition)
                .where(events.c.tournament.is_not(None), events.c.game == game, events.c.finished.is_not(None))
                .order_by(events.c.id.desc())
            )
            for tournament, created, finished, told in connection.execute(wanted):
                definition = json.loads(told)
                if definition.get("seats") != seats:
                    continue
                count = self._count(connection, tournament)
                spent = (datetime.fromisoformat(finished) - datetime.fromisoformat(created)).total_seconds()
                if not count:
                    return None
                if count > most:
                    return PaceRow(count, spent)
                of_it = self._of(connection, tournament)
                phases = select(func.count(), func.sum(matches.c.duration_ms)).where(of_it).group_by(matches.c.phase)
                at_once = max(1, definition.get("matches_at_once", 1))
                playing = sum(int(total) / min(number, at_once) for number, total in connection.execute(phases))
                players = (
                    select(matches.c.phase, sat.c.player)
                    .join_from(matches, sat, sat.c.match_id == matches.c.id)
                    .where(of_it)
                    .distinct()
                )
                starts = connection.scalar(select(func.count()).select_from(players.subquery())) or 1
                return PaceRow(count, spent, playing / 1000, starts)
        return None

    def fault_counts(self, tournament: int) -> dict[int, dict[str, int]]:
        """Return the faults of each entrant that has any: kind to count."""
        with self._reading() as connection:
            return counting.fault_counts(connection, self._of(connection, tournament))

    def efforts(self, tournament: int) -> dict[int, Effort]:
        """Return seats, decisions and charged time of each entrant that has played."""
        with self._reading() as connection:
            return counting.efforts(connection, self._of(connection, tournament))

    def strain(self, tournament: int) -> StrainRow | None:
        """Return what the machine could not give a tournament in time, all phases together; None where nobody looked.

        Its phase is how many phases there were.
        """
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            found = connection.execute(select(strains).where(strains.c.event_id == event)).all()
        waited: Counter[int] = Counter()
        for row in found:
            waited.update({int(entrant): micros for entrant, micros in json.loads(row.waited).items()})
        lag = max((row.lag_us for row in found), default=0)
        return StrainRow(len(found), sum(row.void for row in found), lag, dict(waited)) if found else None

    def match(self, id: int) -> StoredMatch:
        """Return one match with all that belongs to it. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            found = connection.execute(select(matches).where(matches.c.id == id)).first()
            if found is None:
                raise self._no_match(id)
            return assembly.stored(connection, found)

    def edition(self, id: int) -> Edition:
        """Return what is another as soon as a match is not what it was. Raises NoSuchRow with a sentence."""
        with self._reading() as connection:
            found = editions.edition(connection, id)
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
            _, first, _ = self._event(connection, tournament)
            of_them = self._of(connection, tournament)
            if numbers is not None:
                of_them &= matches.c.id.between(first + numbers.start, first + numbers.stop - 1)
            ids = list(connection.scalars(select(matches.c.id).where(of_them).order_by(matches.c.id)))
            for at in range(0, len(ids), _CHUNK):
                wanted = select(matches).where(matches.c.id.in_(ids[at : at + _CHUNK])).order_by(matches.c.id)
                yield from assembly.records(connection, connection.execute(wanted).all(), first)

    def actions(self, tournament: int) -> list[ActionRow]:
        """Return the log of a tournament, the oldest entry first."""
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            return log.entries(connection, event)

    def acted(self, tournament: int) -> int:
        """Return the number of entries of its log."""
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            return log.length(connection, event)

    def voided(self, tournament: int) -> Iterator[tuple[ActionRow, MatchRow]]:
        """Yield the records that were made void, each with the entry of the log that did it."""
        with self._reading() as connection:
            event, first, _ = self._event(connection, tournament)
            by_number = {entry.number: entry for entry in log.entries(connection, event)}
            wanted = select(voids).where(voids.c.event_id == event).order_by(voids.c.action)
            for row in connection.execute(wanted).all():
                entry = by_number[row.action]
                found = connection.execute(select(matches).where(matches.c.id == row.match_id)).all()
                (record,) = assembly.records(connection, found, first)
                yield entry, replace(record, number=entry.details["match"])

    def outputs(self, tournament: int) -> list[OutputRow]:
        """Return what the processes of a tournament left behind, by phase and player."""
        with self._reading() as connection:
            event, *_ = self._event(connection, tournament)
            return list(assembly.left_behind(connection, event))

    def match_ids(self, tournament: int) -> list[int]:
        """Return the ids of a tournament's stored matches, in the order of the schedule."""
        with self._reading() as connection:
            return list(
                connection.scalars(select(matches.c.id).where(self._of(connection, tournament)).order_by(matches.c.id))
            )

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
    ) -> list[Listed]:
        """Return stored matches, the newest id first, at most `limit` of them.

        tournament: only its matches. bot: only where a bot of that name sat. seat: only matches with such a seat; with
        `bot`, only where it sat there. against: only where a bot of that name sat too. fault: only where that
        kind of fault happened ("any": any kind); with `bot` or `seat`, only where it happened to that.
        worst: the lowest score of `bot` first. before: only matches with a lower id.
        """
        with self._reading() as connection:
            of_it = None if tournament is None else self._of(connection, tournament)
            wanted = listing.wanted(of_it, bot, seat, against, fault, worst, before)
            found = connection.execute(wanted.limit(limit)).all()
            return [
                line
                for at in range(0, len(found), _CHUNK)
                for line in assembly.lines(connection, found[at : at + _CHUNK])
            ]
