"""Export a stored tournament as the items of an archive.

Bare results leave out what differs between two runs of the same bots with the same secret: times, processes, their
output, dates and versions. For deterministic bots they are equal byte for byte.
"""

from collections.abc import Iterator

from arena.results.archive.failure_items import pack_failure
from arena.store import Store
from arena.values.canonical_json import canonical_json
from arena.values.rows import DecisionRow, EventRow, MatchRow, OutputRow, TournamentRow
from referee.v1.archive_pb2 import ArchivedAction, ArchivedMatch, ArchivedOutput, ArchivedTournament, ArchiveItem
from referee.v1.work_pb2 import Fault


def items(store: Store, number: int, *, bare: bool = False) -> Iterator[ArchiveItem]:
    """Yield the items of a tournament, in the order of the schedule.

    bare: whether to yield results only.
    """
    yield ArchiveItem(tournament=_tournament(store.tournament(number), bare))
    if not bare:
        for entry in store.decisions(number):
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


def pack_event(frame: EventRow) -> ArchivedTournament:
    """Return what every event has: its definition, secret and field."""
    message = ArchivedTournament(
        game=frame.game,
        options=frame.options,
        behaviour=frame.behaviour,
        definition=frame.definition_text,
        definition_hash=frame.definition_hash,
        secret=frame.secret,
        secret_hash=frame.secret_hash,
        seed=frame.seed or "",
        matches=frame.matches,
    )
    if frame.entropy is not None:
        message.entropy = frame.entropy
    for entrant in frame.entrants:
        message.entrants.add(
            name=frame.closed.stored(entrant.name),  # what its definition names, by whose hash it is verified
            command=entrant.command,
            folder=entrant.folder,
            sha256=entrant.sha256,
            withdrawn=entrant.withdrawn or "",
        )
    return message


def _tournament(frame: TournamentRow, bare: bool) -> ArchivedTournament:
    message = pack_event(frame)
    if not bare:
        message.number = frame.id
        message.log_entries, message.log_hash = frame.log_end
        message.versions.update(frame.versions)
        message.created, message.finished = frame.created, frame.finished or ""
    return message


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
