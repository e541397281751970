"""A referee's record of a match as a row of the store."""

from collections import Counter

from arena.plan.schedule import MatchPlan
from arena.run.work_units import WorkUnit
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import ContentionRow, FaultRow, MatchRow, NoteRow, OutputRow, SeatRow
from referee.engine import registry
from referee.engine.record import Say
from referee.v1.work_pb2 import Fault, PhaseEnd, ProcessFailure, Record, UnderWay


def match_row(record: Record, match: MatchPlan, unit: WorkUnit, seed: bytes) -> MatchRow:
    """Return the row of one finished match."""
    faults = tuple(
        FaultRow(fault.seat, fault.ply, kind_name(fault.kind), fault.sentence, fault.forfeit) for fault in record.faults
    )
    forfeits = {fault.seat for fault in faults if fault.forfeit}
    seats = tuple(
        SeatRow(
            entrant=player.entrant,
            player=unit.players[player],
            score=record.scores[seat],
            rank=record.ranks[seat],
            decisions=record.decisions[seat],
            charged_us=record.charged_us[seat],
            forfeit=seat in forfeits,
        )
        for seat, player in enumerate(match.players)
    )
    return MatchRow(
        number=match.number,
        phase=unit.number,
        round=match.deal.round,
        table=match.deal.table,
        deal=match.deal.number,
        rotation=match.rotation,
        seed=seed,
        behaviour=record.behaviour,
        answers=record.answers,
        times=record.times,
        digest=record.digest,
        duration_ms=record.duration_ms,
        seats=seats,
        faults=faults,
        notes=tuple(NoteRow(note.seat, note.ply, note.text) for note in record.notes),
        says=tuple(Say(say.seat, say.ply, say.text) for say in record.says),
        standstill_ms=record.standstill_ms,
    )


def row_under_way(report: UnderWay, match: MatchPlan, unit: WorkUnit, seed: bytes, game: str) -> MatchRow:
    """Return the record so far of a match under way, without a result."""
    nothing = [0 for _ in match.players]
    so_far = Record(
        answers=report.answers,
        says=report.says,
        behaviour=registry.game(game).behaviour,
        scores=nothing,
        ranks=[1 for _ in match.players],
        decisions=nothing,
        charged_us=nothing,
    )
    return match_row(so_far, match, unit, seed)


def output_rows(end: PhaseEnd, unit: WorkUnit) -> list[OutputRow]:
    """Return what the processes of a unit left behind, where they left anything."""
    return [
        OutputRow(unit.number, place, player.entrant, left.output, left.truncated, left.name, left.version)
        for (player, place), left in zip(unit.players.items(), end.players, strict=True)
        if left.output or left.name or left.version
    ]


def failure_row(failure: ProcessFailure, unit: WorkUnit) -> ProcessFailureRow:
    """Return the row of one failure of a bot's process."""
    return ProcessFailureRow(
        phase=unit.number,
        player=failure.player,
        entrant=list(unit.players)[failure.player].entrant,
        time_us=failure.time_us,
        kind=ProcessFailure.Kind.Name(failure.kind).removeprefix("KIND_").lower(),
        sentence=failure.sentence,
        exit_code=failure.exit_code if failure.HasField("exit_code") else None,
        signal=failure.signal if failure.HasField("signal") else None,
        matches=tuple(failure.matches),
        guilty=failure.guilty if failure.HasField("guilty") else None,
        output=failure.output,
        truncated=failure.truncated,
    )


def contention_row(end: PhaseEnd, unit: WorkUnit) -> ContentionRow:
    """Return what the machine could not give the bots of a unit in time."""
    waited: Counter[int] = Counter()
    for player, left in zip(unit.players, end.players, strict=True):
        waited[player.entrant] += left.waited_us
    return ContentionRow(unit.number, end.void, end.lag_us, dict(waited))


def ready_times(end: PhaseEnd, unit: WorkUnit) -> dict[int, int]:
    """Return how long bots of a unit took to get ready for matches, in microseconds, by place in the field."""
    ready: Counter[int] = Counter()
    for player, left in zip(unit.players, end.players, strict=True):
        ready[player.entrant] += left.ready_us
    return dict(+ready)


def withdrawals(end: PhaseEnd, unit: WorkUnit) -> dict[int, int]:
    """Return the bots that the referee withdrew: place in the field to the failures of its processes."""
    failures: dict[int, int] = {}
    for player, left in zip(unit.players, end.players, strict=True):
        if left.withdrawn:
            failures.setdefault(player.entrant, left.process_faults)
    return failures


def kind_name(kind: "Fault.Kind.ValueType") -> str:
    """Return the word for a kind of fault: "illegal", "timeout" ..."""
    return Fault.Kind.Name(kind).removeprefix("KIND_").lower()
