"""Text from bots, made harmless."""

import unicodedata

import pytest

from referee.engine.clean_text import clean, clean_bytes
from referee.wire import QUOTED_MOVES, describe_illegal


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
    ("index", "text", "legal", "sentence"),
    [
        (-1, "pas\x1bs", ["keep", "pass"], 'it answered "pas\\x1bs", which is not legal there: keep, pass'),
        (2, "", ["keep", "pass"], "it answered with the index 2, but the legal moves are 2: keep, pass"),
        (-1, "", ["keep"], "its answer names no move: set its index or its text"),
    ],
)
def test_what_is_no_legal_move_is_quoted_with_those_that_are(
    index: int, text: str, legal: list[str], sentence: str
) -> None:
    assert describe_illegal(index, text, legal) == sentence


def test_of_very_many_legal_moves_the_first_are_told() -> None:
    legal = [f"bid {number}" for number in range(QUOTED_MOVES + 1)]
    assert describe_illegal(-1, "x", legal).endswith(f": {', '.join(legal[:QUOTED_MOVES])} ...")
    assert describe_illegal(-1, "x", legal[:QUOTED_MOVES]).endswith(f": {', '.join(legal[:QUOTED_MOVES])}")


def test_every_character_is_shown_or_escaped_by_its_category() -> None:
    for code in (*range(0x3100), *range(0xD7F0, 0xE010), *range(0xFE00, 0x10010), 0xE0001, 0x1F600, 0x10FFFF):
        character = chr(code)
        category = unicodedata.category(character)
        is_shown = category == "Zs" or category[0] not in "CZ"
        assert (clean(character, 10) == character) is is_shown, hex(code)
        assert (clean(f"é{character}", 20) == f"é{character}") is is_shown, hex(code)
