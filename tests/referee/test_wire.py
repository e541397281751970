"""Views as bytes, and text from bots made harmless."""

from typing import NamedTuple

import pytest
from google.protobuf import descriptor_pool, message_factory

from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.registry import game
from referee.v1.cambio_pb2 import CambioView
from referee.v1.play_pb2 import Answer
from referee.wire import (
    CACHED_VALUES,
    QUOTED_MOVES,
    ViewCodec,
    ViewEncoder,
    clean,
    clean_bytes,
    describe_illegal,
    view_schema,
    view_type,
)


@pytest.mark.parametrize("name", ["cambio", "cucco"])
def test_the_bytes_of_every_view_say_what_the_view_says(name: str) -> None:
    rules = game(name)
    state = rules.start(rules.options(), 5, Chance(bytes(32)))
    encode = ViewEncoder(rules)
    pool = descriptor_pool.DescriptorPool()
    for file in view_schema(rules).file:
        pool.Add(file)
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(view_type(rules)))
    for turn in range(200):
        if not state.asked:
            break
        for seat in range(5):
            view = state.view(seat)
            assert message.FromString(encode(view)) == message(**view._asdict())  # type: ignore[attr-defined]
        state.apply([state.legal(seat)[turn % 2] for seat in state.asked])


class Stub(NamedTuple):
    chips: tuple[int, ...]
    card: int | None


def test_a_codec_keeps_a_bounded_number_of_parts() -> None:
    codec = ViewCodec(type("Loose", (Game,), {"message": game("cambio").message, "stable": 0})(), Stub._fields)
    for chips in range(2 * CACHED_VALUES + 10):
        part = codec.encode_changing(Stub((chips,), chips))
        assert CambioView.FromString(part) == CambioView(chips=[chips], card=chips)
    assert all(len(kept) <= CACHED_VALUES for kept in codec._changing)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain text", "plain text"),
        ("Zürich, 東京 and – dashes", "Zürich, 東京 and – dashes"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("two\nlines\r\u2028", "two\\x0alines\\x0d\\u2028"),
        ("\u202eevil\u2066\u200f", "\\u202eevil\\u2066\\u200f"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("<b>markup is left alone</b>", "<b>markup is left alone</b>"),
    ],
)
def test_clean_escapes_what_could_harm_a_terminal(text: str, safe: str) -> None:
    assert clean(text, 100) == safe


@pytest.mark.parametrize("text", ["x" * 1000, "\x00" * 1000, "é" * 1000])
def test_clean_is_bounded(text: str) -> None:
    assert len(clean(text, 50)) == 50
    assert clean(text, 50).endswith("…")


def test_output_keeps_its_lines() -> None:
    assert clean_bytes(b"one\n\ttwo\xff\x1b", 100) == "one\n\ttwo\\xff\\x1b"


@pytest.mark.parametrize(
    ("answer", "legal", "sentence"),
    [
        (Answer(text="pas\x1bs"), ["keep", "pass"], 'it answered "pas\\x1bs", which is not legal there: keep, pass'),
        (Answer(index=2), ["keep", "pass"], "it answered with the index 2, but the legal moves are 2: keep, pass"),
        (Answer(), ["keep"], "its answer names no move: set its index or its text"),
    ],
)
def test_what_is_no_legal_move_is_quoted_with_those_that_are(answer: Answer, legal: list[str], sentence: str) -> None:
    assert describe_illegal(answer, legal) == sentence


def test_of_very_many_legal_moves_the_first_are_told() -> None:
    legal = [f"bid {number}" for number in range(QUOTED_MOVES + 1)]
    assert describe_illegal(Answer(text="x"), legal).endswith(f": {', '.join(legal[:QUOTED_MOVES])} ...")
    assert describe_illegal(Answer(text="x"), legal[:QUOTED_MOVES]).endswith(f": {', '.join(legal[:QUOTED_MOVES])}")
