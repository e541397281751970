"""Turns as bytes: both codecs write what the protobuf library writes."""

from random import Random
from types import ModuleType

import pytest

from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayResponse, Question


def _start(rng: Random) -> MatchStart:
    return MatchStart(match=rng.randrange(300), game="cambio", options={"laps": "2"}, bot_seed=rng.randbytes(32))


def _question(rng: Random) -> Question:
    return Question(
        id=rng.choice((0, 1, 200, 2**64 - 1)),
        match=rng.choice((0, 7, 2**32 - 1)),
        view=rng.randbytes(rng.choice((0, 20, 300))),
        legal=rng.choice((["keep"], ["keep", "exchange"], [], ["Zürich", ""] * 50)),
        bank_ms=rng.choice((0, 10_000)),
        charged_us=rng.choice((0, 2**32 - 1)),
        again=rng.random() < 0.5,
        events=rng.choice(([], ["seat 0 is dealt 3", "é"])),
    )


def _end(rng: Random) -> MatchEnd:
    return MatchEnd(
        match=rng.choice((0, 900)),
        scores=rng.choice(([], [0, -(2**31), 2**31 - 1], [-1] * 200)),
        ranks=rng.choice(([], [1, 2, 300])),
        events=rng.choice(([], ["the end"])),
    )


def test_messages_hold_what_was_added(codec: ModuleType) -> None:
    writer = codec.TurnsWriter()
    for seed in range(300):
        rng, expected = Random(seed), PlayResponse()
        assert writer.is_empty
        for _ in range(rng.randrange(1, 9)):
            match rng.randrange(4):
                case 0:
                    start = expected.turns.starts.add()
                    start.CopyFrom(_start(rng))
                    writer.add_start(start.SerializeToString())
                case 1:
                    end = expected.turns.ends.add()
                    end.CopyFrom(_end(rng))
                    writer.add_end(end.match, tuple(end.scores), tuple(end.ranks), list(end.events))
                case _:
                    one = expected.turns.questions.add()
                    one.CopyFrom(_question(rng))
                    writer.add_question(
                        one.id, one.match, one.view, tuple(one.legal), one.bank_ms, one.charged_us, one.again,
                        list(one.events),
                    )  # fmt: skip
        assert not writer.is_empty
        assert writer.take() == expected.SerializeToString()


def test_a_move_that_is_no_text_leaves_the_others_whole(codec: ModuleType) -> None:
    writer = codec.TurnsWriter()
    writer.add_question(1, 1, b"", ("keep",), 0, 0, False, [])
    with pytest.raises(UnicodeEncodeError):
        writer.add_question(2, 1, b"", ("\ud800",), 0, 0, False, [])
    assert PlayResponse.FromString(writer.take()).turns.questions[0].legal == ["keep"]
