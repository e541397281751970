"""Items of an archive as a tournament of another database."""

import json
from collections.abc import Iterator
from itertools import chain

from arena.archive.errors import ArchiveError
from arena.store import Store
from arena.store.rows import (
    ActionRow,
    EntrantRow,
    FaultRow,
    MatchRow,
    NewTournament,
    NoteRow,
    OutputRow,
    SeatRow,
    definition_text,
)
from arena.tournament.standings import settle
from arena.tournament.summary import keep_up
from referee.engine.record import Say
from referee.v1.archive_pb2 import ArchivedAction, ArchivedMatch, ArchivedOutput, ArchivedTournament, ArchiveItem
from referee.v1.work_pb2 import Fault


def take_in(store: Store, items: Iterator[ArchiveItem], name: str) -> int:
    """Store a tournament with all its matches, in one transaction; return its number there. name: of the archive.

    Raises ArchiveError where the archive is not whole, or its definition is not the one that was hashed.
    """
    head = next(items, None)
    if head is None or not head.HasField("tournament"):
        raise ArchiveError(f"{name} is no archive of a tournament: its first item must be the tournament")
    told = head.tournament
    new = _tournament(told, name)
    entropy = told.entropy if told.HasField("entropy") else None
    with store.adding(new, told.created, told.finished or None, entropy) as archive:
        seen: set[int] = set()
        for item in chain(items):
            if item.HasField("action"):
                archive.add_action(_action(item.action, name))
            elif item.HasField("match") and item.match.voided_by:
                archive.add_void(item.match.voided_by, _match(item.match, len(new.entrants), name))
            elif item.HasField("match"):
                if item.match.number in seen or item.match.number >= new.matches:
                    raise ArchiveError(f"{name}: match {item.match.number} is there twice, or beyond the schedule")
                seen.add(item.match.number)
                archive.add(_match(item.match, len(new.entrants), name))
            elif item.HasField("output"):
                archive.add(_output(item.output))
    tournament = store.tournament(archive.number)
    if tournament.finished is not None:
        settle(store, tournament)
    keep_up(store, tournament, over=tournament.finished is not None)
    return archive.number


def _tournament(told: ArchivedTournament, name: str) -> NewTournament:
    try:
        definition = json.loads(told.definition)
    except ValueError as error:
        raise ArchiveError(f"{name}: the definition of the tournament is no JSON ({error})") from None
    new = NewTournament(
        game=told.game,
        options=dict(told.options),
        behaviour=told.behaviour,
        definition=definition,
        secret=told.secret,
        seed=told.seed or None,
        versions=dict(told.versions),
        entrants=tuple(
            EntrantRow(bot.name, tuple(bot.command), bot.folder, bot.sha256, bot.withdrawn or None)
            for bot in told.entrants
        ),
        matches=told.matches,
    )
    if definition_text(definition) != told.definition or new.definition_hash != told.definition_hash:
        raise ArchiveError(f"{name}: the definition is not the one whose hash was published at the start")
    if new.secret_hash != told.secret_hash:
        raise ArchiveError(f"{name}: the secret is not the one whose hash was published at the start")
    return new


def _action(told: ArchivedAction, name: str) -> ActionRow:
    try:
        details = json.loads(told.details)
    except ValueError as error:
        raise ArchiveError(f"{name}: entry {told.number} of the log is no JSON ({error})") from None
    return ActionRow(told.number, told.created, told.who, told.kind, details, told.reason, told.digest)


def _match(told: ArchivedMatch, bots: int, name: str) -> MatchRow:
    if any(seat.entrant >= bots for seat in told.seats):
        raise ArchiveError(f"{name}: in match {told.number} sits a bot that is not of the field")
    return MatchRow(
        number=told.number,
        phase=told.phase,
        round=told.round,
        table=told.table,
        deal=told.deal,
        rotation=told.rotation,
        seed=told.seed,
        behaviour=told.behaviour,
        answers=told.answers,
        times=told.times,
        digest=told.digest,
        duration_ms=told.duration_ms,
        seats=tuple(
            SeatRow(seat.entrant, seat.player, seat.score, seat.rank, seat.decisions, seat.charged_us, seat.forfeit)
            for seat in told.seats
        ),
        faults=tuple(
            FaultRow(
                fault.seat,
                fault.ply,
                Fault.Kind.Name(fault.kind).removeprefix("KIND_").lower(),
                fault.sentence,
                fault.forfeit,
            )
            for fault in told.faults
        ),
        notes=tuple(NoteRow(note.seat, note.ply, note.text) for note in told.notes),
        says=tuple(Say(say.seat, say.ply, say.text) for say in told.says),
    )


def _output(told: ArchivedOutput) -> OutputRow:
    return OutputRow(told.phase, told.player, told.entrant, told.text, told.truncated, told.name, told.version)
