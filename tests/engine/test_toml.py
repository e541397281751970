"""TOML tables: values, and the sentences for what is wrong with them."""

import pytest

from referee.engine.toml import TomlTable, read_table

TEXT = """\
title = "x"
sizes = [1, 2]

[plan]
"quoted" = 1
  indented = true
[[bot]]
name = "a"
[[bot]]
name = 5
[ plan.deep ]
inner = { key = 1 }
"""


class FileError(Exception):
    """The error of the format that the tests read."""


@pytest.fixture
def table() -> TomlTable:
    return read_table(TEXT, FileError, "f.toml")


def test_values(table: TomlTable) -> None:
    assert table.text("title") == "x"
    assert table.text("absent", "default") == "default"
    assert table.items("sizes", (int,), "a number") == (1, 2)
    assert table.items("absent", (int,), "a number") == ()
    assert table.table("plan").flag("indented")
    assert not table.table("plan").flag("absent")
    assert table.table("absent").values == {}
    assert [bot.path for bot in table.tables("bot")] == ["bot[1]", "bot[2]"]
    assert table.table("plan").integer("quoted") == 1
    assert table.table("plan").integer("absent", 0, 5) == 0
    assert read_table("a = [[1, 'b'], []]", FileError).lists("a", (int, str), "a card") == ((1, "b"), ())
    assert list(table) == ["title", "sizes", "plan", "bot"]
    assert read_table(b"\xef\xbb\xbfa = 1", FileError).integer("a") == 1


def test_mistakes_name_file_line_and_key(table: TomlTable) -> None:
    assert str(table.mistake("title", "is bad")) == "f.toml, line 1: title is bad"
    assert str(table.mistake("sizes[2]", "is bad")) == "f.toml, line 2: sizes[2] is bad"
    assert str(table.mistake("absent", "is bad")) == "f.toml: absent is bad"
    plan, (first, second) = table.table("plan"), table.tables("bot")
    assert str(plan.mistake("quoted", "is bad")) == "f.toml, line 5: plan.quoted is bad"
    assert str(plan.mistake("indented", "is bad")) == "f.toml, line 6: plan.indented is bad"
    assert str(first.mistake("name", "is bad")) == "f.toml, line 8: bot[1].name is bad"
    assert str(first.mistake("absent", "is bad")) == "f.toml, line 7: bot[1].absent is bad"
    assert str(second.mismatch("name", "a text")) == "f.toml, line 10: bot[2].name must be a text, not 5"
    assert str(second.mismatch("size", "a number")) == "f.toml, line 9: bot[2].size is missing: it must be a number"
    inner = plan.table("deep").table("inner")
    assert str(inner.mistake("key", "is bad")) == "f.toml, line 12: plan.deep.inner.key is bad"


def test_without_a_name_there_is_no_place() -> None:
    with pytest.raises(FileError, match=r'^unknown key "siz"; did you mean "size"\? \(known: size\)$'):
        read_table("siz = 1", FileError).check_keys(["size"])
    with pytest.raises(FileError, match="^not valid TOML: Invalid value"):
        read_table("size = ", FileError)


@pytest.mark.parametrize("value", ["0x" + "f" * 6000, '"' + "x" * 6000 + '"', "[" + "1, " * 3000 + "]"])
def test_a_long_value_is_not_repeated_in_full(value: str) -> None:
    table = read_table(f"size = {value}", FileError)
    assert len(str(table.mismatch("size", "a flag"))) < 300
    with pytest.raises(FileError, match="^size must be "):
        table.flag("size")


def test_a_long_key_is_not_repeated_in_full() -> None:
    with pytest.raises(FileError) as raised:
        read_table("k" * 1_000_000 + " = 1", FileError, "f.toml").check_keys(["size"])
    assert str(raised.value) == f'f.toml, line 1: unknown key "{"k" * 200}..." (known: size)'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\nb = " + "[" * 30_000, "not valid TOML: brackets are nested too deeply in line 2"),
        ("a = 1\nb = [\n" + "[" * 3_000 + "\n", "not valid TOML: brackets are nested too deeply in line 3"),
        ("a = 1\n\nb = " + "9" * 5_000, "not valid TOML: a number of more than 4,300 digits in line 3"),
        (b"a = 1\n# M\xfcller", "not UTF-8 text (byte 9, in line 2)"),
        ("a = 1".encode("utf-16"), "not UTF-8 text (byte 0, in line 1)"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(text: str | bytes, sentence: str) -> None:
    with pytest.raises(FileError) as raised:
        read_table(text, FileError, "f.toml")
    assert str(raised.value) == f"f.toml is {sentence}"


@pytest.mark.parametrize("line", ["  " * 100_000, "[" * 100_000, "a" * 100_000 + " " * 100_000])
def test_long_lines_are_searched_quickly(line: str) -> None:
    table = read_table(f'a = """\n{line}\n"""\nb = 1', FileError, "f.toml")
    assert str(table.mistake("b", "is bad")) == "f.toml, line 4: b is bad"
