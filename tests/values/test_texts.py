import json
import os
import tomllib

import pytest

from arena.values.texts import csv_value, json_text, not_utf8, printable, toml_text

HARMFUL = "\u202e\u2066\u200b\u2028\ufeff\x1b[2J\x9b31m\x85\x08\x7f\x00\U000e0001"


def test_safe_text_is_unchanged() -> None:
    for text in ("", "a\nb\tc", "Ünïcödé ½ · 漢字 🂡", "│ table │"):
        assert printable(text) is text


@pytest.mark.parametrize("character", [*HARMFUL, "\r", "\ud800"])
def test_control_and_invisible_characters_are_escaped(character: str) -> None:
    escaped = printable(f"a{character}b\n")
    assert escaped.replace("\n", "").isprintable()
    assert (escaped[0], escaped[-2:]) == ("a", "b\n")
    assert printable(escaped) == escaped


def test_line_breaks_are_escaped_unless_kept() -> None:
    assert printable("a\nb\tc", "") == "a\\x0ab\\x09c"


def test_escaped_json_and_toml_parse_to_the_same_values() -> None:
    values = {"name": HARMFUL + "ü", "list": [HARMFUL, 1, None], HARMFUL: True}
    for options in ({}, {"indent": 2}):
        text = json_text(values, **options)
        assert text.replace("\n", "").isprintable()
        assert "ü" in text
        assert json.loads(text) == values
    assert json.loads(json_text("\ud800")) == "\ud800"
    text = toml_text(HARMFUL + "ü")
    assert text.isprintable()
    assert tomllib.loads(f"x = {text}") == {"x": HARMFUL + "ü"}


def test_bytes_of_paths_that_are_not_utf8_are_shown_the_same_everywhere() -> None:
    path = os.fsdecode(b"caf\xe9/\xff")
    assert printable(path) == "caf\\xe9/\\xff"
    assert json.loads(json_text({path: path})) == {printable(path): printable(path)}
    assert tomllib.loads(f"x = {toml_text(path)}") == {"x": printable(path)}


def test_what_is_not_utf8_is_quoted_alone() -> None:
    for text, word in ((os.fsdecode(b'a=1 user=b\xfft "c"'), "b\\xfft"), ("x" * 60 + "\udc80" + "y" * 60, None)):
        with pytest.raises(UnicodeEncodeError) as raised:
            text.encode()
        quoted = word or "x" * 40 + "\\x80" + "y" * 39
        assert (not_utf8(raised.value) or "").startswith(f'the text "{quoted}" is not UTF-8, and cannot be stored')
    with pytest.raises(UnicodeEncodeError) as raised:
        "é".encode("ascii")
    assert not_utf8(raised.value) is None


@pytest.mark.parametrize(
    ("value", "written"),
    [("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-owl", "'-owl"), ("+x", "'+x"), ("a=b", "a=b"), (-1, -1)],
)
def test_texts_are_no_formulas_of_spreadsheets(value: object, written: object) -> None:
    assert csv_value(value) == written
