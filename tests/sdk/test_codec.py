"""Turns from bytes, answers to bytes: whatever the referee sends, both codecs take it as the protobuf library does."""

from random import Random
from types import ModuleType
from typing import Any

import pytest
from google.protobuf.message import DecodeError

from arena.sdk import Bot, message_codec, pure
from arena.sdk.errors import Refused
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Turns
from tests.fuzz.mutate import mutated_message

CODECS: list[ModuleType] = [pure]
if message_codec.NATIVE:
    from arena.sdk import native  # type: ignore[attr-defined]

    CODECS.append(native)

TEXTS = ("", "keep", "exchange", "Zürich, 東京", "x" * 200, "\x00")
FIELDS = ("id", "match", "view", "legal", "events", "bank_ms", "charged_us", "again")


@pytest.fixture(params=CODECS, ids=lambda codec: codec.__name__.rpartition(".")[2])
def codec(request: pytest.FixtureRequest) -> ModuleType:
    """Each codec that there is."""
    return request.param  # type: ignore[no-any-return]


def _question(rng: Random) -> Question:
    question = Question(id=rng.choice((0, 1, 200, 2**32, 2**63 - 1, 2**64 - 1)), match=rng.choice((0, 1, 2**32 - 1)))
    question.view = rng.randbytes(rng.choice((0, 1, 50, 300)))
    question.legal.extend(rng.choices(TEXTS, k=rng.randrange(4)))
    if rng.random() < 0.3:
        question.events.extend(rng.choices(TEXTS, k=rng.randrange(3)))
    question.bank_ms = rng.choice((0, 10_000, 2**32 - 1))
    question.charged_us = rng.choice((0, 127, 128))
    question.again = rng.random() < 0.3
    return question


def _turns(rng: Random) -> Turns:
    turns = Turns(questions=[_question(rng) for _ in range(rng.randrange(4))])
    if rng.random() < 0.3:
        turns.starts.append(MatchStart(match=rng.randrange(300), game="cambio", options={"a": "b"}, seats=4))
    if rng.random() < 0.3:
        turns.ends.append(MatchEnd(match=rng.randrange(300), scores=[1, -5], ranks=[1, 2], events=["over"]))
    return turns


def _field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 128:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes(encoded + bytes([number]))


def _by_library(message: bytes) -> Any:
    response = PlayResponse.FromString(message)
    if response.WhichOneof("message") == "refusal":
        raise Refused(response.refusal.sentence)
    return response.turns.questions, response.turns.starts, response.turns.ends


def _read(read_turns: Any, message: bytes) -> Any:
    try:
        questions, starts, ends = read_turns(message)
    except DecodeError:
        return DecodeError
    except Refused as refusal:
        return str(refusal)
    plain = [
        tuple(tuple(value) if name in ("legal", "events") else value for name, value in fields)
        for fields in ([(name, getattr(question, name)) for name in FIELDS] for question in questions)
    ]
    return (
        plain,
        [start.SerializeToString(deterministic=True) for start in starts],
        [end.SerializeToString(deterministic=True) for end in ends],
    )


@pytest.mark.parametrize("seed", range(4))
def test_turns_are_read_as_by_the_library(codec: ModuleType, seed: int) -> None:
    rng = Random(seed)
    kinds = set()
    for _ in range(3000):
        turns = _turns(rng)
        message = PlayResponse(turns=turns).SerializeToString()
        match rng.randrange(4):
            case 0:
                message = mutated_message(message, rng)
            case 1:  # of the right lengths outside
                message = _field(3, mutated_message(turns.SerializeToString(), rng))
            case 2:
                questions = [mutated_message(question.SerializeToString(), rng) for question in turns.questions]
                message = _field(3, b"".join(_field(2, question) for question in questions))
        expected = _read(_by_library, message)
        assert _read(codec.read_turns, message) == expected, message
        kinds.add(type(expected))
    assert kinds >= {tuple, type}


def test_other_messages(codec: ModuleType) -> None:
    welcome = PlayResponse()
    welcome.welcome.protocol = 1
    assert _read(codec.read_turns, welcome.SerializeToString()) == ([], [], [])
    assert _read(codec.read_turns, b"") == ([], [], [])
    refusal = PlayResponse()
    refusal.refusal.sentence = "no"
    assert _read(codec.read_turns, refusal.SerializeToString()) == "no"
    assert _read(codec.read_turns, refusal.SerializeToString() + welcome.SerializeToString()) == ([], [], [])


@pytest.mark.skipif(not message_codec.NATIVE, reason="arena.sdk.native was not compiled")
def test_ordinary_turns_are_read_in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(message: bytes) -> None:
        raise AssertionError(message)

    monkeypatch.setattr(pure, "read_turns", fail)
    rng = Random(9)
    for _ in range(300):
        turns = _turns(rng)
        for question in turns.questions:
            question.id %= 2**63
        message = PlayResponse(turns=turns).SerializeToString()
        assert _read(native.read_turns, message) == _read(_by_library, message)


def test_equal_lists_of_moves_are_one_tuple_in_c(codec: ModuleType) -> None:
    """There may be any number of different lists."""
    for number in range(10_000):
        turns = Turns(questions=[Question(id=1, legal=["keep", str(number)])] * 2)
        (first, second), _, _ = codec.read_turns(PlayResponse(turns=turns).SerializeToString())
        assert tuple(first.legal) == ("keep", str(number))
        assert (first.legal is second.legal) == (codec is not pure)


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_written_as_by_the_library(codec: ModuleType, seed: int) -> None:
    rng = Random(seed)
    writer = codec.AnswersWriter()
    assert writer.take_message() == b""
    for _ in range(300):
        request = PlayRequest()
        for number in range(rng.randrange(5)):
            assert len(writer) == number
            question = rng.choice((0, 1, 300, 2**63, 2**64 - 1))
            index, text = rng.choice(((0, None), (1, None), (2**32 - 1, None), (None, rng.choice(TEXTS)), (None, None)))
            note, say = rng.choice(TEXTS), rng.choice(TEXTS)
            writer.add(question, index, text, note, say)
            request.answers.answers.add(question=question, index=index, text=text, note=note, say=say)
        assert writer.take_message() == request.SerializeToString()
        assert len(writer) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        (-1, 0, None, "", ""),
        (2**64, 0, None, "", ""),
        (1, 2**32, None, "", ""),
        (1, None, 7, "", ""),
        ("1", 0, None, "", ""),
    ],
)
def test_what_is_no_answer_is_refused(codec: ModuleType, arguments: Any) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        codec.AnswersWriter().add(*arguments)


def test_in_games_that_are_played_with_words_any_text_is_a_move(capfd: pytest.CaptureFixture[str]) -> None:
    messages = message_codec.MessageCodec(Bot[Any](), "token")
    start = MatchStart(match=1, game="cambio", seats=2, text_move="say", text_limit=9)
    wire = [Question(id=number, match=1, legal=["[4]", "say"]) for number in range(1, 6)]
    turns = Turns(starts=[start], questions=wire)
    questions = messages.questions(messages.read(PlayResponse(turns=turns).SerializeToString(), lambda message: None))
    questions[1].say("my own")
    messages.add_answers(questions, ["[4]", "say", "I offer \ud83d it", 1, ""])
    answers = PlayRequest.FromString(messages.take_message()).answers.answers
    assert [(answer.WhichOneof("move"), answer.index, answer.say) for answer in answers] == [
        ("index", 0, ""),
        ("index", 1, "my own"),
        ("index", 1, "I offer ?"),
        ("index", 1, ""),
        ("text", 0, ""),
    ]
    assert capfd.readouterr().err.count("not a legal move") == 1
