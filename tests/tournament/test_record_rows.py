from arena.plan.schedule import Deal, MatchPlan
from arena.plan.seating import Player
from arena.run.record_rows import (
    kind_name,
    match_row,
    output_rows,
    withdrawals,
)
from arena.run.work_units import WorkUnit
from referee.engine.record import Say
from referee.v1.work_pb2 import Fault, PhaseEnd, Record

PLAYERS = (Player(1, 0), Player(0, 0), Player(1, 1))
MATCH = MatchPlan(14, Deal(4, 2, 0, PLAYERS), 2, PLAYERS)
UNIT = WorkUnit(2, {14: MATCH})


def test_a_record_becomes_a_row() -> None:
    record = Record(
        match=14,
        answers=b"\x00\x01",
        times=b"\x07\x08",
        scores=[3, -1, 0],
        ranks=[1, 3, 2],
        digest=b"digest",
        behaviour=5,
        duration_ms=12,
        charged_us=[100, 200, 300],
        decisions=[1, 0, 1],
    )
    record.faults.add(seat=1, ply=0, kind=Fault.KIND_TIMEOUT, sentence="no answer", forfeit=True)
    record.notes.add(seat=2, ply=1, text="why not")
    record.says.add(seat=0, ply=0, text="I have a cat")
    row = match_row(record, MATCH, UNIT, b"seed")
    assert (row.number, row.phase, row.round, row.table, row.deal, row.rotation) == (14, 2, 2, 0, 4, 2)
    assert (row.seed, row.behaviour, row.answers, row.times, row.digest) == (b"seed", 5, b"\0\1", b"\7\10", b"digest")
    assert [(seat.entrant, seat.player, seat.score, seat.rank) for seat in row.seats] == [
        (1, 0, 3, 1),
        (0, 1, -1, 3),
        (1, 2, 0, 2),
    ]
    assert [seat.forfeit for seat in row.seats] == [False, True, False]
    assert [(seat.decisions, seat.charged_us) for seat in row.seats] == [(1, 100), (0, 200), (1, 300)]
    [fault] = row.faults
    assert (fault.seat, fault.ply, fault.kind, fault.sentence, fault.forfeit) == (1, 0, "timeout", "no answer", True)
    assert [(note.seat, note.ply, note.text) for note in row.notes] == [(2, 1, "why not")]
    assert row.says == (Say(0, 0, "I have a cat"),)


def test_every_kind_of_fault_has_a_word() -> None:
    kinds = [kind_name(kind) for kind in Fault.Kind.values() if kind]
    assert kinds == ["illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn"]


def test_what_processes_leave_behind() -> None:
    end = PhaseEnd(phase=2)
    end.players.add(output="hello\n", name="Bot", version="2")
    end.players.add()
    end.players.add(output="a\nno cards left\n", truncated=True, process_faults=5, withdrawn=True)
    first, third = output_rows(end, UNIT)
    assert (first.phase, first.player, first.entrant, first.text, first.name) == (2, 0, 1, "hello\n", "Bot")
    assert (third.player, third.entrant, third.truncated) == (2, 1, True)
    assert withdrawals(end, UNIT) == {1: 5}
