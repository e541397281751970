"""Export a stored tournament as the items of an archive.

Bare results leave out what differs between two runs of the same bots with the same secret: times, processes, their
output, dates and versions. For deterministic bots they are equal byte for byte.

An archive has the names that readers see: those of closed accounts are replaced in it. Where that changes what was
hashed, the definition and the log have hashes of what stands in the archive, and those that were published stand beside
them; these can be verified in the database alone.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.results.archive.errors import ArchiveError
from arena.results.archive.failure_items import pack_failure
from arena.store import Store
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.rows import (
    NO_LOG,
    DecisionRow,
    EventRow,
    LogEnd,
    MatchRow,
    OutputRow,
    TournamentRow,
    log_problems,
)
from referee.v1.archive_pb2 import ArchivedAction, ArchivedMatch, ArchivedOutput, ArchivedTournament, ArchiveItem
from referee.v1.work_pb2 import Fault

_RESTORE = "restore the database from a copy, or verify it to see what else was changed"


def items(store: Store, number: int, *, bare: bool = False) -> Iterator[ArchiveItem]:
    """Yield the items of a tournament, in the order of the schedule.

    bare: whether to yield results only.
    """
    frame = store.tournament(number)
    head = pack_event(frame)
    if bare:
        yield ArchiveItem(tournament=head)
    else:
        signed, shown = store.signed_decisions(number), store.decisions(number)
        log, end = archived_log(signed, shown, frame.log_end, frame.definition_hash, head.definition_hash)
        _add_history(head, frame, end)
        yield ArchiveItem(tournament=head)
        for entry in log:
            yield ArchiveItem(action=_action(entry))
    for row in store.records(number):
        yield ArchiveItem(match=pack_match(row, bare))
    if not bare:
        for entry, row in store.void_matches(number):
            message = pack_match(row, bare)
            message.voided_by = entry.number
            yield ArchiveItem(match=message)
        for output in store.outputs(number):
            yield ArchiveItem(output=_output(output))
        for failure in store.process_failures.of(number):
            yield ArchiveItem(process_failure=pack_failure(failure))


def archived_log(
    signed: Sequence[DecisionRow], shown: Sequence[DecisionRow], end: LogEnd, published: str, archived: str
) -> tuple[Sequence[DecisionRow], LogEnd]:
    """Return a log as an archive has it, and its end: with other digests where names are replaced.

    signed: as it was written.
    shown: with the names that readers see.
    end: as it is noted beside the log.
    published: the hash of the definition.
    archived: the hash that the definition has in the archive.

    Raises ArchiveError if names are replaced in a log that was changed, as nobody could tell that from the archive.
    """
    if archived == published and list(signed) == list(shown):
        return signed, end
    for problem in log_problems(signed, published, end):
        raise ArchiveError(f"{problem}, so the names of closed accounts cannot be replaced in it: {_RESTORE}")
    log: list[DecisionRow] = []
    before = archived
    for entry in shown:
        log.append(replace(entry, digest=entry.chained_digest(before)))
        before = log[-1].digest
    return log, LogEnd(len(log), log[-1].digest) if log else NO_LOG


def pack_event(frame: EventRow) -> ArchivedTournament:
    """Return what every event has: its definition, secret and field.

    Raises ArchiveError if names are replaced in a definition that was changed, as nobody could tell that from the
    archive.
    """
    archived = frame.definition_hash
    if frame.signed_text is not None:
        if hash_of_definition(json.loads(frame.signed_text)) != frame.definition_hash:
            raise ArchiveError(
                "the definition is not the one whose hash was published at the start, so the names of closed accounts "
                f"cannot be replaced in it: {_RESTORE}"
            )
        archived = hash_of_definition(json.loads(frame.definition_text))
    message = ArchivedTournament(
        game=frame.game,
        options=frame.options,
        behaviour=frame.behaviour,
        definition=frame.definition_text,
        definition_hash=archived,
        published_definition_hash="" if archived == frame.definition_hash else frame.definition_hash,
        secret=frame.secret,
        secret_hash=frame.secret_hash,
        seed=frame.seed or "",
        matches=frame.matches,
    )
    if frame.entropy is not None:
        message.entropy = frame.entropy
    for entrant in frame.entrants:
        message.entrants.add(
            name=entrant.name,
            command=entrant.command,
            folder=entrant.folder,
            sha256=entrant.sha256,
            withdrawn=entrant.withdrawn or "",
        )
    return message


def _add_history(message: ArchivedTournament, frame: TournamentRow, end: LogEnd) -> None:
    """Add what bare results leave out.

    end: of the log in the archive.
    """
    message.number = frame.id
    message.log_entries, message.log_hash = end
    message.published_log_hash = "" if end == frame.log_end else frame.log_end.digest
    message.versions.update(frame.versions)
    message.created, message.finished = frame.created, frame.finished or ""


def _action(entry: DecisionRow) -> ArchivedAction:
    return ArchivedAction(
        number=entry.number,
        created=entry.created,
        who=entry.who,
        kind=entry.kind,
        details=canonical_json(entry.details),
        reason=entry.reason,
        digest=entry.digest,
    )


def pack_match(row: MatchRow, bare: bool = False) -> ArchivedMatch:
    """Return a match.

    bare: whether to leave out what differs between runs.
    """
    message = ArchivedMatch(
        number=row.number,
        round=row.round,
        table=row.table,
        deal=row.deal,
        rotation=row.rotation,
        seed=row.seed,
        behaviour=row.behaviour,
        answers=row.answers,
        digest=row.digest,
    )
    if not bare:
        message.phase, message.times, message.duration_ms = row.phase, row.times, row.duration_ms
        message.standstill_ms = row.standstill_ms
    for seat in row.seats:
        archived_seat = message.seats.add(
            entrant=seat.entrant, score=seat.score, rank=seat.rank, decisions=seat.decisions, forfeit=seat.forfeit
        )
        if not bare:
            archived_seat.player, archived_seat.charged_us = seat.player, seat.charged_us
    for fault in row.faults:
        message.faults.add(
            seat=fault.seat,
            ply=fault.ply,
            kind=Fault.Kind.Value(f"KIND_{fault.kind.upper()}"),
            sentence=fault.sentence,
            forfeit=fault.forfeit,
        )
    for note in row.notes:
        message.notes.add(seat=note.seat, ply=note.ply, text=note.text)
    for say in row.says:
        message.says.add(seat=say.seat, ply=say.ply, text=say.text)
    return message


def _output(row: OutputRow) -> ArchivedOutput:
    return ArchivedOutput(
        phase=row.phase,
        player=row.player,
        entrant=row.entrant,
        text=row.text,
        truncated=row.truncated,
        name=row.name,
        version=row.version,
    )
