"""Answers from bytes: whatever a bot sends, both codecs take it as the protobuf library does."""

from random import Random
from types import ModuleType
from typing import Any

import pytest
from google.protobuf.message import DecodeError

from referee.codec import UnexpectedHello, pure
from referee.v1.play_pb2 import Answer, Answers, Hello, PlayRequest
from tests.fuzz.mutate import mutated_message

TEXTS = ("", "keep", "Zürich, 東京", "x" * 200, "\x00")


def _answer(rng: Random) -> Answer:
    answer = Answer(question=rng.choice((0, 1, 77, 2**32, 2**63 - 1, 2**64 - 1)))
    if rng.random() < 0.8:
        answer.index = rng.choice((0, 1, 5, 128, 2**32 - 1))
    if rng.random() < 0.2:
        answer.text = rng.choice(TEXTS)
    if rng.random() < 0.2:
        answer.note = rng.choice(TEXTS)
    if rng.random() < 0.2:
        answer.say = rng.choice(TEXTS)
    return answer


def _request(rng: Random) -> bytes:
    return PlayRequest(answers=Answers(answers=[_answer(rng) for _ in range(rng.randrange(6))])).SerializeToString()


def _read(read_answers: Any, message: bytes) -> Any:
    try:
        return read_answers(message)
    except (DecodeError, UnexpectedHello) as error:
        return type(error)


def test_answers_are_read_as_they_were_written(codec: ModuleType) -> None:
    answers = [
        Answer(question=5, index=0),
        Answer(question=300),
        Answer(question=2**64 - 1, text="keep", note="why"),
        Answer(index=2**32 - 1, say="ha"),
    ]
    assert codec.read_answers(PlayRequest(answers=Answers(answers=answers)).SerializeToString()) == (
        [5, 300, 2**64 - 1, 0],
        [0, -1, -1, 2**32 - 1],
        {2: ("keep", "why", ""), 3: ("", "", "ha")},
    )


def test_whole_and_damaged_messages_are_read_alike(codec: ModuleType) -> None:
    kinds = set()
    for seed in range(20_000):
        rng = Random(seed)
        message = _request(rng) if seed % 4 == 0 else mutated_message(_request(rng), rng)
        expected = _read(pure.read_answers, message)
        assert _read(codec.read_answers, message) == expected, message.hex()
        kinds.add(type(expected) if isinstance(expected, tuple) else expected)
    assert kinds >= {tuple, DecodeError}


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\x12",
        b"\x12\x00",
        b"\x12\x80\x00",
        b"\x12\x00\x12\x04\x0a\x02\x08\x01",  # two lists of answers, which merge
        b"\x12\x04\x0a\x02\x08\x01\x1a\x00",  # an unknown field behind them
        b"\x12\x05\x0a\x03\x88\x00\x01",  # a tag in two bytes
        b"\x12\x08\x0a\x06\x08\x01\x10\x03\x1a\x00",  # an empty text takes the place of the index
        b"\x12\x07\x0a\x05\x1a\x01x\x10\x03",  # an index takes the place of a text
        b"\x12\x06\x0a\x04\x1a\x02\xed\xa0",  # no UTF-8
        b"\x12\x08\x0a\x06\x10\x80\x80\x80\x80\x10",  # an index of 33 bits
        b"\x12\x0d\x0a\x0b\x08" + b"\xff" * 9 + b"\x01",  # a question of 64 bits
        b"\x12\x0d\x0a\x0b\x08" + b"\xff" * 9 + b"\x7f",  # and one of more
        b"\x12\x04\x0a\x7f\x08\x01",  # an answer longer than the message
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        PlayRequest(hello=Hello(token="x")).SerializeToString(),
        PlayRequest(answers=Answers()).SerializeToString() + PlayRequest(hello=Hello()).SerializeToString(),
        PlayRequest(hello=Hello()).SerializeToString() + PlayRequest(answers=Answers()).SerializeToString(),
    ],
)
def test_unusual_messages_are_read_alike(codec: ModuleType, message: bytes) -> None:
    assert _read(codec.read_answers, message) == _read(pure.read_answers, message)
