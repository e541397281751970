"""Records: compact answers and times, and their replay."""

from math import exp

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import RecordError
from referee.engine.events import digest
from referee.engine.record import pack_answers, pack_time, ranks_with_forfeits, replay, unpack_answers, unpack_time
from tests.guessing import GUESSING, GuessingOptions

SEED = bytes(range(32))


@pytest.mark.parametrize("indices", [[], [0], [127], [128], [0, 1, 300, 2, 70000, 127]])
def test_answers_come_back(indices: list[int]) -> None:
    assert unpack_answers(pack_answers(indices)) == indices


def test_answers_are_leb128() -> None:
    assert pack_answers([1, 127, 128, 300]) == bytes([1, 127, 128, 1, 172, 2])


def test_answers_cut_short() -> None:
    with pytest.raises(RecordError, match="end in the middle of a number"):
        unpack_answers(pack_answers([300])[:1])


def test_times() -> None:
    assert pack_time(0) == pack_time(0.9) == 0
    assert unpack_time(0) == 0.0
    assert pack_time(1) == 1
    assert pack_time(1e12) == 255
    for microseconds in (1.0, 5.0, 86.0, 1000.0, 1e6, 9e7):
        assert unpack_time(pack_time(microseconds)) == pytest.approx(microseconds, rel=exp(1 / 27) - 1)
    assert [pack_time(unpack_time(byte)) for byte in range(2, 255)] == list(range(2, 255))


def test_replay_gives_the_same_match() -> None:
    options = GuessingOptions(rounds=2)
    state = GUESSING.start(options, 2, Chance(SEED))
    for moves in (["low", "high"], ["again"], ["high", "high"]):
        state.apply(moves)
    played = list(replay(GUESSING, options, 2, Chance(SEED), [0, 1, 0, 1, 1]))
    assert [[(step.ply, step.seat, step.move) for step in steps] for _, steps in played] == [
        [],
        [(0, 0, "low"), (1, 1, "high")],
        [(2, state.starter, "again")],
        [(3, 0, "high"), (4, 1, "high")],
    ]
    assert played[1][1][0].legal == ("low", "high")
    assert played[1][1][0].seen == 4
    assert digest(played[-1][0].events) == digest(state.events)
    assert played[-1][0].outcome() == state.outcome()


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([0], "the record ends at answer 1, but seat 1 has yet to answer with the others"),
        ([0, 2], "answer 1 of seat 1 is number 2 of 2 moves"),
        ([0, 1, 1, 0], "the record has 4 answers, but the match is over after 3"),
    ],
)
def test_records_that_do_not_fit(answers: list[int], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(replay(GUESSING, GuessingOptions(), 2, Chance(SEED), answers))


def test_a_record_may_stop_between_questions() -> None:
    played = list(replay(GUESSING, GuessingOptions(), 2, Chance(SEED), [0, 1]))
    assert len(played) == 2
    assert played[-1][0].asked


@pytest.mark.parametrize(
    ("ranks", "forfeits", "result"),
    [
        ((1, 2, 2, 4), (False, False, False, False), (1, 2, 2, 4)),
        ((1, 2, 2, 4), (True, False, False, False), (4, 1, 1, 3)),
        ((1, 2, 3, 4), (True, False, True, False), (3, 1, 3, 2)),
        ((1, 1), (True, True), (1, 1)),
    ],
)
def test_forfeited_seats_tie_for_last(
    ranks: tuple[int, ...], forfeits: tuple[bool, ...], result: tuple[int, ...]
) -> None:
    assert ranks_with_forfeits(ranks, forfeits) == result
