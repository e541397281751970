"""What is tuned, and where that is declared."""

from pathlib import Path

import pytest
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter, check_all, of_manifest, parse_option, read_file, texts

from arena.packs.manifest import parse_manifest


def test_a_parameter_of_the_command_line() -> None:
    assert parse_option("caution=0.5,0..1") == Parameter("caution", 0.5, 0, 1, 0.05)
    assert parse_option("caution = 0.5, 0 .. 1, 0.1") == Parameter("caution", 0.5, 0, 1, 0.1)
    assert parse_option("keep=3,-4..16") == Parameter("keep", 3, -4, 16, 1.0, is_integer=True)
    assert parse_option("keep=3,0..4") == Parameter("keep", 3, 0, 4, 0.5, is_integer=True)
    assert parse_option("keep=3,0..4.") == Parameter("keep", 3, 0, 4, 0.2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("caution", '--parameter "caution" is not NAME=START,MIN..MAX'),
        ("caution=0.5", "is not NAME=START"),
        ("caution=much,0..1", '"much" is not a number'),
        ("caution=nan,0..1", '"nan" is not a number below'),
        ("caution=1e300,0..1", "is not a number below"),
        ("caution=2,0..1", "the parameter caution starts at 2, which is not between 0 and 1"),
        ("caution=1,1..0", "the parameter caution has min = 1, which is not below max = 0"),
        ("caution=0.5,0..1,2", "has step = 2: it must be above 0, and at most 1"),
        ("keep=1,0..9,0.1", "has step = 0.1, which changes no whole number"),
        ("a-b=1,0..9", '"a-b" cannot name a parameter'),
    ],
)
def test_a_wrong_one_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TuneError) as refused:
        parse_option(text)
    assert sentence in str(refused.value)


def test_a_file_as_openbench_and_fishtest_have_it(tmp_path: Path) -> None:
    path = tmp_path / "parameters.txt"
    path.write_text(
        "# late moves\nLMRBase, int, 60, 30, 100, 5, 0.002\n\nscale, float, 1, 0, 2, .1, .002\nold,4,0,9,1,.01\n"
    )
    assert read_file(path) == [
        Parameter("LMRBase", 60, 30, 100, 5.0, 0.002, is_integer=True),
        Parameter("scale", 1, 0, 2, 0.1, 0.002),
        Parameter("old", 4, 0, 9, 1.0, 0.01, is_integer=True),
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a, int, 60, 30", r'line 2: "a, int, 60, 30" is not NAME, int or float, START'),
        ("a, double, 60, 30, 100, 5, 0.002", "line 2: .* is not NAME"),
        ("a, int, 160, 30, 100, 5, 0.002", "line 2: the parameter a starts at 160"),
        ("a, int, 60, 30, 100, 5, 0", "line 2: the parameter a has the rate 0"),
        ("a, int, x, 30, 100, 5, 0", 'line 2: a: "x" is not a number'),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "parameters.txt"
    path.write_text(f"#\n{line}\n")
    with pytest.raises(TuneError, match=sentence):
        read_file(path)
    path.write_bytes(b"\xff")
    with pytest.raises(TuneError, match="is not UTF-8 text"):
        read_file(path)
    path.write_bytes(b"#" * 300_000)
    with pytest.raises(TuneError, match="more than 256 KiB"):
        read_file(path)
    with pytest.raises(TuneError, match="cannot be read"):
        read_file(tmp_path)


def test_those_of_a_manifest() -> None:
    manifest = parse_manifest(
        'language = "c"\ncommand = ["./bot", "{a}", "--b={b}"]\n'
        "parameters.a = { start = 3, min = 0, max = 9 }\nparameters.b = { start = 1.0, min = 0, max = 4, step = 1 }\n"
    )
    assert of_manifest(manifest) == [Parameter("a", 3, 0, 9, 0.5, is_integer=True), Parameter("b", 1, 0, 4, 1.0)]


def test_what_a_bot_is_given() -> None:
    fine, whole = parse_option("a=0.5,0..1,0.001"), parse_option("b=3,0..9")
    assert texts((fine, whole), (0.123456789, 4.5)) == {"a": "0.12346", "b": "5"}
    assert texts((fine, whole), (1e-9, 4.4999)) == {"a": "0.0", "b": "4"}
    assert texts((fine, whole), (7.0, -3.0)) == {"a": "1", "b": "0"}
    tiny = parse_option("a=0.0000002,0..0.0000005")
    assert tiny.text(0.0000002) == "0.0000002"


@pytest.mark.parametrize(
    ("names", "command", "sentence"),
    [
        ("a", ("./bot", "{b}"), r"has no \{a\}"),
        ("a", ("./bot", "{a}", "{aa}"), r"has \{aa\}, and there is no such parameter; did you mean"),
        ("", ("./bot",), "there is nothing to tune"),
        ("aa", ("./bot", "{a}"), "declared twice"),
    ],
)
def test_parameters_are_those_of_the_command(names: str, command: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(TuneError, match=sentence):
        check_all([parse_option(f"{name}=1,0..9") for name in names], command)
