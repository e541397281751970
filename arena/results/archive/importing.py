"""Import an archive into a database."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Self

from arena.plan.decisions import is_valid_entry
from arena.record.event_verification import event_errors
from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.results.archive.failure_items import check_failure, unpack_failure
from arena.results.stored_tournament import StoredTournament
from arena.store import Store
from arena.store.engine.backoff import back_off
from arena.values.canonical_json import HASH_VERSION, canonical_json
from arena.values.checking import misfits
from arena.values.definition import Definition
from arena.values.rows import (
    DecisionRow,
    EntrantRow,
    FaultRow,
    LogEnd,
    MatchRow,
    NewEvent,
    NoteRow,
    OutputRow,
    SeatRow,
    log_problems,
)
from referee.engine.clean_text import clean
from referee.engine.record import Say
from referee.v1.archive_pb2 import ArchivedAction, ArchivedMatch, ArchivedOutput, ArchivedTournament, ArchiveItem
from referee.v1.work_pb2 import Fault

MOST_SEATS = 1000
"""The most seats at a table; no game has as many."""

TRANSACTION_MATCHES = 2000
"""Matches that are stored in one transaction: nobody else writes to a file meanwhile."""

_Void = tuple[int, MatchRow]
"""A match, and the number of the entry of the log that made it void."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A tournament in a file, all of whose items were checked."""

    name: str
    new: NewEvent
    """The tournament as it is to be stored."""
    head: ArchivedTournament
    """The item of the tournament, the first of the file."""
    log: tuple[DecisionRow, ...]
    """The entries of the log of the tournament."""
    again: Callable[[], Iterator[ArchiveItem]]
    """Reads the file again: yields all items from the beginning."""

    @classmethod
    def of(cls, again: Callable[[], Iterator[ArchiveItem]], name: str) -> Self:
        """Read and check all items.

        again: yields all items from the beginning.
        name: of the file.

        Raises ArchiveError if the archive is incomplete, or its definition has another hash.
        """
        items = again()
        head = next(items, None)
        if head is None or not head.HasField("tournament"):
            raise ArchiveError(f"{name} is not an archive of a tournament: its first item must be the tournament")
        new, entries, seen = new_event(head.tournament, name), [], set[int]()
        for item in items:
            if item.HasField("action"):
                entries.append(_action(item.action, len(new.entrants), name))
            elif item.HasField("process_failure"):
                check_failure(item.process_failure, len(new.entrants), new.matches, name)
            elif item.HasField("match"):
                match_row(item.match, len(new.entrants), name)
                if item.match.voided_by:
                    continue
                if item.match.number in seen or item.match.number >= new.matches:
                    raise ArchiveError(f"{name}: match {item.match.number} is there twice, or beyond the schedule")
                seen.add(item.match.number)
        end = LogEnd(head.tournament.log_entries, head.tournament.log_hash)
        for problem in log_problems(entries, new.definition_hash, end):
            raise ArchiveError(f"{name}: {problem}")
        refuse_misfit(new, entries, name)
        return cls(name, new, head.tournament, tuple(entries), again)

    @property
    def bare(self) -> bool:
        """Whether it says nothing of when it began, so that it is another tournament each time it is taken in."""
        return not self.head.created

    def place(self, store: Store) -> int:
        """Store the tournament without its matches, if it is not there; return its number.

        Raises StoreError if it is there with other decisions.
        """
        entropy = self.head.entropy if self.head.HasField("entropy") else None
        return store.add_imported_tournament(self.new, self.head.created, entropy, self.log)

    def take_in(self, store: Store, number: int) -> int:
        """Store its matches in portions, so that other writers get a turn; return how many were new.

        An interrupted import leaves an unfinished tournament with some of its matches; importing again continues it.
        """
        added = 0
        items = (item for item in self.again() if item.WhichOneof("item") in ("match", "output", "process_failure"))
        while portion := list(islice(items, TRANSACTION_MATCHES)):
            began = monotonic()
            matches, voids = list[MatchRow](), list[_Void]()
            for message in (item.match for item in portion if item.HasField("match")):
                row = match_row(message, len(self.new.entrants), self.name)
                if message.voided_by:
                    voids.append((message.voided_by, row))
                else:
                    matches.append(row)
            outputs = [_output(item.output) for item in portion if item.HasField("output")]
            failures = [unpack_failure(item.process_failure) for item in portion if item.HasField("process_failure")]
            added += store.add_imported_matches(number, matches, outputs, voids, failures)
            back_off(began)
        tournament = StoredTournament.load(store, number)
        if self.head.finished and (added or tournament.row.finished is None):
            if tournament.row.finished is None:
                store.finish_tournament(number, len(self.log), self.head.finished)
                tournament = tournament.reload()
            tournament.save_verdict()
        tournament.summarise(is_over=tournament.row.finished is not None)
        return added


def definition_misfit(definition: object) -> str:
    """Return a sentence on what is wrong with the definition of a tournament; "" if it is valid.

    Another version of arena may have written it, so keys may be missing, and others be there.
    """
    if not isinstance(definition, dict):
        return "it is not an object"
    if missing := [key for key in ("game", "rounds", "seats") if key not in definition]:
        return f"it has no {missing[0]}"
    if (version := definition.get("hash_version")) != HASH_VERSION:
        return f"it is hashed by version {version} of the rule, and this arena knows version {HASH_VERSION}"
    if wrong := misfits(definition, Definition, is_partial=True):
        return wrong[0].sentence
    seats, team_of = definition["seats"], definition.get("team_of", [])
    if seats > MOST_SEATS:
        return f"it has {seats} seats"
    if team_of and (len(team_of) != seats or set(team_of) != set(range(len(set(team_of))))):
        return f"the teams of {seats} seats are {team_of[:20]}"
    return ""


def new_event(message: ArchivedTournament, name: str) -> NewEvent:
    """Return the event of an item.

    name: of the file, for errors.

    Raises ArchiveError if it makes no sense, or has other hashes.
    """
    try:
        definition = json.loads(message.definition)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{name}: the definition of the tournament is not JSON ({error})") from None
    if wrong := definition_misfit(definition):
        raise ArchiveError(f"{name}: the definition of the tournament makes no sense: {clean(wrong, MAX_SENTENCE)}")
    new = NewEvent(
        game=message.game,
        options=dict(message.options),
        behaviour=message.behaviour,
        definition_text=message.definition,
        secret=message.secret,
        seed=message.seed or None,
        versions=dict(message.versions),
        entrants=tuple(
            EntrantRow(bot.name, tuple(bot.command), bot.folder, bot.sha256, bot.withdrawn or None)
            for bot in message.entrants
        ),
        matches=message.matches,
    )
    if canonical_json(definition) != message.definition or new.definition_hash != message.definition_hash:
        raise ArchiveError(f"{name}: the definition is not the one whose hash was published at the start")
    if new.secret_hash != message.secret_hash:
        raise ArchiveError(f"{name}: the secret is not the one whose hash was published at the start")
    return new


def refuse_misfit(new: NewEvent, log: Sequence[DecisionRow], name: str) -> None:
    """Raise ArchiveError where an event says something else of its field or its rules than its definition and its log.

    name: of the file, for errors.
    """
    for problem in event_errors(new, log):
        raise ArchiveError(f"{name}: {problem}")


def _action(message: ArchivedAction, bots: int, name: str) -> DecisionRow:
    try:
        details = json.loads(message.details)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{name}: entry {message.number} of the log is not JSON ({error})") from None
    if not is_valid_entry(message.kind, details) or details.get("place", 0) not in range(bots):
        raise ArchiveError(f"{name}: entry {message.number} of the log does not say what {message.kind} is about")
    return DecisionRow(
        message.number, message.created, message.who, message.kind, details, message.reason, message.digest
    )


def match_row(message: ArchivedMatch, bots: int, name: str) -> MatchRow:
    """Return the match of an item.

    name: of the file, for errors.

    Raises ArchiveError if it has others than `bots` bots.
    """
    if any(seat.entrant >= bots for seat in message.seats):
        raise ArchiveError(f"{name}: match {message.number} has a bot that is not in the field")
    return MatchRow(
        number=message.number,
        phase=message.phase,
        round=message.round,
        table=message.table,
        deal=message.deal,
        rotation=message.rotation,
        seed=message.seed,
        behaviour=message.behaviour,
        answers=message.answers,
        times=message.times,
        digest=message.digest,
        duration_ms=message.duration_ms,
        seats=tuple(
            SeatRow(seat.entrant, seat.player, seat.score, seat.rank, seat.decisions, seat.charged_us, seat.forfeit)
            for seat in message.seats
        ),
        faults=tuple(
            FaultRow(
                fault.seat,
                fault.ply,
                Fault.Kind.Name(fault.kind).removeprefix("KIND_").lower(),
                fault.sentence,
                fault.forfeit,
            )
            for fault in message.faults
        ),
        notes=tuple(NoteRow(note.seat, note.ply, note.text) for note in message.notes),
        says=tuple(Say(say.seat, say.ply, say.text) for say in message.says),
        standstill_ms=message.standstill_ms,
    )


def _output(message: ArchivedOutput) -> OutputRow:
    return OutputRow(
        message.phase, message.player, message.entrant, message.text, message.truncated, message.name, message.version
    )
