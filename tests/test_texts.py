import json
import tomllib

import pytest

from arena.texts import json_text, printable, toml_text

HARMFUL = "\u202e\u2066\u200b\u2028\ufeff\x1b[2J\x9b31m\x85\x08\x7f\x00\U000e0001"


def test_what_is_harmless_stays_as_it_is() -> None:
    for text in ("", "a\nb\tc", "Ünïcödé ½ · 漢字 🂡", "│ table │"):
        assert printable(text) is text


@pytest.mark.parametrize("character", [*HARMFUL, "\r", "\ud800"])
def test_what_a_terminal_heeds_becomes_an_escape(character: str) -> None:
    told = printable(f"a{character}b\n")
    assert told.replace("\n", "").isprintable()
    assert (told[0], told[-2:]) == ("a", "b\n")
    assert printable(told) == told


def test_where_a_line_must_stay_one_nothing_ends_it() -> None:
    assert printable("a\nb\tc", "") == "a\\x0ab\\x09c"


def test_who_reads_json_or_toml_gets_the_very_same_values() -> None:
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
