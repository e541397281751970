from pathlib import Path

import pytest

from arena.packs.command import command_line
from arena.packs.errors import ManifestError
from arena.packs.manifest import Limits, Manifest, check_games, parse_manifest, read_manifest
from arena.packs.parameters import Parameter, number_text
from arena.plan.field import find_bots

WHOLE = """\
language = "go"
command = ["./bot", "--fast"]
author = "club"
games = ["perudo"]
protocol = "stdio"
build = ["go", "build"]
ignore = ["notes"]
keep = ["bot"]
[limits]
memory_mb = 128
matches_at_once = 1
"""

LEAST = 'language = "python"\ncommand = ["python3", "main.py"]\n'


def test_every_key_is_read_and_survives_the_database() -> None:
    manifest = parse_manifest(WHOLE)
    assert manifest == Manifest(
        language="go",
        command=("./bot", "--fast"),
        author="club",
        games=("perudo",),
        protocol="stdio",
        build=("go", "build"),
        ignore=("notes",),
        keep=("bot",),
        limits=Limits(128, 1),
    )
    assert Manifest.from_json(manifest.to_json()) == manifest


def test_what_a_bot_asks_organisers_for_is_read_and_stored_only_where_it_asks() -> None:
    asking = parse_manifest(LEAST + 'needs = ["network", "device:/dev/nvidia0"]')
    assert asking.needs == ("network", "device:/dev/nvidia0")
    assert Manifest.from_json(asking.to_json()) == asking
    assert "needs" not in parse_manifest(LEAST).to_json()
    with pytest.raises(ManifestError, match='line 3: needs is wrong: there is no grant "internet"'):
        parse_manifest(LEAST + 'needs = ["internet"]')


TUNABLE = """\
language = "python"
command = ["python3", "main.py", "--caution={caution}", "{keep}"]
[parameters.caution]
start = 0.5
min = 0
max = 1
step = 0.1
[parameters.keep]
start = 3
min = -4
max = 16
"""


def test_parameters_stand_in_the_command_and_play_with_their_start_values() -> None:
    manifest = parse_manifest(TUNABLE)
    assert manifest.parameters == {"caution": Parameter(0.5, 0, 1, 0.1), "keep": Parameter(3, -4, 16)}
    assert [each.is_integer for each in manifest.parameters.values()] == [False, True]
    assert manifest.with_values().command == ("python3", "main.py", "--caution=0.5", "3")
    assert manifest.with_values({"keep": "7"}).command[-1] == "7"
    assert manifest.with_values().parameters == {}
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert "parameters" not in parse_manifest(LEAST).to_json()


def test_a_bot_with_parameters_is_started_with_their_start_values(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(TUNABLE)
    (tmp_path / "main.py").touch()
    assert command_line(parse_manifest(TUNABLE), tmp_path)[1:] == ("main.py", "--caution=0.5", "3")
    (bot,) = find_bots([str(tmp_path)], {})
    assert bot.command[1:] == ("main.py", "--caution=0.5", "3")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("{keep}", "{kept}", r'line 2: command has {kept}, and there is no such parameter; did you mean "keep"\?'),
        (', "{keep}"', "", r"line 8: parameters.keep stands nowhere in the command: write {keep} there"),
        ('"python3"', '"python{keep}"', "line 2: command has {keep} in its program"),
        ("start = 3", "start = 17", "line 8: parameters.keep starts at 17, which is not between -4 and 16"),
        ("max = 16", "max = -4", "line 8: parameters.keep has min = -4, which is not below max = -4"),
        ("step = 0.1", "step = 2", r"line 3: parameters.caution has step = 2: it must be above 0, and at most 1"),
        ("start = 0.5", 'start = "much"', 'line 4: parameters.caution.start must be a number, not "much"'),
        ("start = 0.5", "start = nan", "line 4: parameters.caution.start must be a number, not NaN"),
        ("min = 0", "", "parameters.caution.min is missing"),
        ("min = 0", "low = 0", 'unknown key "parameters.caution.low"'),
        ("parameters.keep", 'parameters."a b"', 'parameters names "a b"'),
    ],
)
def test_parameters_that_do_not_fit_are_refused_with_their_line(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ManifestError, match=sentence):
        parse_manifest(TUNABLE.replace(old, new))


@pytest.mark.parametrize(
    ("number", "text"), [(3, "3"), (0.5, "0.5"), (1e-7, "0.0000001"), (1e20, "100000000000000000000")]
)
def test_numbers_are_written_without_an_exponent(number: float, text: str) -> None:
    assert number_text(number) == text


def test_what_is_absent_has_a_default() -> None:
    manifest = parse_manifest(LEAST)
    assert manifest == Manifest("python", ("python3", "main.py"))
    assert manifest.plays("cambio")
    assert not parse_manifest(WHOLE).plays("cambio")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("language = go", r"bot.toml is not valid TOML: .*line 1, column 12"),
        ("a = " + "[" * 30_000, "bot.toml is not valid TOML: brackets are nested too deeply in line 1"),
        ("a = " + "9" * 20_000, "bot.toml is not valid TOML: a number of more than 4,300 digits in line 1"),
        ('comand = ["x"]', r'bot.toml, line 1: unknown key "comand"; did you mean "command"\? \(known: language, '),
        (
            LEAST + "[limits]\nmemory = 5",
            r'line 4: unknown key "limits.memory"; did you mean "memory_mb"\? \(known: mem',
        ),
        ('language = "go"', r'bot.toml: command is missing: add a line command = \["./bot"\]'),
        ('command = ["./x"]', r'bot.toml: language is missing: add a line language = "python"'),
        ('language = "Go"\ncommand = ["./x"]', r'line 1: language must be one word in lower case, .*, not "Go"'),
        ('language = "go"\ncommand = "./x"', r'line 2: command must be a list of texts, .*, not "./x"'),
        ('language = "go"\ncommand = []', r"line 2: command names no program"),
        ('language = "go"\ncommand = [""]', r"line 2: command has an empty text"),
        ('language = "go"\ncommand = ["a\\u0007"]', r"line 2: .* cannot be printed"),
        ('language = "go"\ncommand = ["/bin/x"]', r"names /bin/x: use a program in the bot's folder"),
        ('language = "go"\ncommand = ["../x"]', r"names ../x, which is outside the bot's folder"),
        (LEAST + 'author = " "', r"line 3: author must not be empty"),
        (LEAST + 'author = "a\\n"', r'line 3: author must be a text of up to 64 printable characters, not "a\\n"'),
        (LEAST + "games = []", r"line 3: games is empty: leave it out"),
        (
            LEAST + 'games = "perudo, cambio"',
            r'line 3: games must be a list of texts, like \["one", "two"\], not "perudo',
        ),
        (LEAST + 'games = ["a", "a"]', r'line 3: games names "a" twice'),
        (LEAST + 'protocol = "json"', r'line 3: protocol must be one of grpc, stdio, not "json"'),
        (LEAST + 'build = ["/bin/make"]', r"line 3: build names /bin/make"),
        (LEAST + 'ignore = ["a/b"]', r'line 3: ignore names "a/b": it takes names without a slash'),
        (LEAST + 'keep = ["../a"]', r'line 3: keep names "../a", which is not inside'),
        (LEAST + "limits = 5", r"line 3: limits must be a table: a line \[limits\] with its keys below it, not 5"),
        (
            LEAST + "[limits]\nmemory_mb = true",
            r"line 4: limits.memory_mb must be a whole number, 16 or more, not true",
        ),
        (LEAST + "[limits]\nmemory_mb = 5", r"line 4: limits.memory_mb must be 16 or more, not 5"),
        (LEAST + "[limits]\nmatches_at_once = 0", r"line 4: limits.matches_at_once must be 1 or more, not 0"),
    ],
)
def test_every_mistake_is_a_sentence_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(ManifestError, match=sentence):
        parse_manifest(text)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="there is no bot.toml in"):
        read_manifest(tmp_path / "bot.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(ManifestError, match=r"latin.toml is not UTF-8 text \(byte 2, in line 1\)"):
        read_manifest(tmp_path / "latin.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 65537)
    with pytest.raises(ManifestError, match="is too large for a bot.toml: it has more than 64 KiB"):
        read_manifest(tmp_path / "long.toml")


def test_a_game_that_is_not_installed_is_a_mistake() -> None:
    manifest = parse_manifest(LEAST + 'games = ["cambo"]')
    with pytest.raises(ManifestError, match=r'games names "cambo", which is not installed; did you mean "cambio"\?'):
        check_games(manifest, ["cambio", "perudo"])
    check_games(manifest, ["cambo"])


def test_a_game_of_a_family_needs_to_be_listed() -> None:
    manifest = parse_manifest(LEAST + 'games = ["family:poker(players=3)"]')
    with pytest.raises(ManifestError, match="which no installed family of games lists: name its games without param"):
        check_games(manifest, ["cambio"])
    check_games(parse_manifest(LEAST + 'games = ["family:poker"]'), ["cambio", "family:poker"])


def test_one_game_needs_no_list() -> None:
    assert parse_manifest(LEAST + 'games = "cambio"').games == ("cambio",)


@pytest.mark.parametrize("change", [{"limits": None}, {"limits": {"feet": 2}}, {"colour": "red"}])
def test_a_stored_manifest_of_other_values_is_refused_in_a_sentence(change: dict[str, object]) -> None:
    values = parse_manifest(WHOLE).to_json() | change
    for damaged in ({}, values):
        with pytest.raises(ManifestError, match=r"a stored bot.toml cannot be read"):
            Manifest.from_json(damaged)
