from pathlib import Path

import pytest

from arena.submissions.errors import ManifestError
from arena.submissions.manifest import Limits, Manifest, check_games, parse_manifest, read_manifest

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
        "go", ("./bot", "--fast"), ("perudo",), "stdio", ("go", "build"), ("notes",), ("bot",), Limits(128, 1), "club"
    )
    assert Manifest.from_json(manifest.to_json()) == manifest


def test_what_is_absent_has_a_default() -> None:
    manifest = parse_manifest(LEAST)
    assert manifest == Manifest("python", ("python3", "main.py"))
    assert manifest.plays("cambio")
    assert not parse_manifest(WHOLE).plays("cambio")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("language = go", r"bot.toml is no TOML: .*line 1, column 12"),
        ("a = " + "[" * 30_000, "bot.toml is no TOML: brackets are nested too deeply"),
        ("a = " + "9" * 20_000, "bot.toml is no TOML: Exceeds the limit"),
        ('comand = ["x"]', r'bot.toml, line 1: there is no key "comand"; did you mean "command"\? \(keys: language, '),
        (LEAST + "[limits]\nmemory = 5", r'line 4: there is no key "memory"; did you mean "memory_mb"\? \(keys: mem'),
        ('language = "go"', r'bot.toml does not say its command: add a line command = \["./bot"\]'),
        ('command = ["./x"]', r'does not say its language: add a line language = "python"'),
        ('language = "Go"\ncommand = ["./x"]', r"line 1: language is one word in lower case"),
        ('language = "go"\ncommand = "./x"', r"line 2: command is a list of texts"),
        ('language = "go"\ncommand = []', r"line 2: command names no program"),
        ('language = "go"\ncommand = [""]', r"line 2: command has an empty text"),
        ('language = "go"\ncommand = ["a\\u0007"]', r"line 2: .* cannot be printed"),
        ('language = "go"\ncommand = ["/bin/x"]', r"names /bin/x: a program lies in the bot's folder"),
        ('language = "go"\ncommand = ["../x"]', r"names ../x, which leaves the bot's folder"),
        (LEAST + 'author = " "', r"line 3: author is a text of up to 64 characters"),
        (LEAST + "games = []", r"line 3: games is empty: leave it out"),
        (LEAST + 'games = ["a", "a"]', r'line 3: games names "a" twice'),
        (LEAST + 'protocol = "json"', r'line 3: protocol is "grpc", or "stdio"'),
        (LEAST + 'build = ["/bin/make"]', r"line 3: build names /bin/make"),
        (LEAST + 'ignore = ["a/b"]', r"line 3: ignore .* names without a slash"),
        (LEAST + 'keep = ["../a"]', r'line 3: keep names "../a", which is not inside'),
        (LEAST + "limits = 5", r"line 3: limits is a table"),
        (LEAST + "[limits]\nmemory_mb = true", r"line 4: memory_mb is a whole number, 16 or more"),
        (LEAST + "[limits]\nmemory_mb = 5", r"line 4: memory_mb is a whole number, 16 or more"),
        (LEAST + "[limits]\nmatches_at_once = 0", r"line 4: matches_at_once is a whole number, 1 or more"),
    ],
)
def test_every_mistake_is_a_sentence_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(ManifestError, match=sentence):
        parse_manifest(text)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="there is no bot.toml in"):
        read_manifest(tmp_path / "bot.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(ManifestError, match="latin.toml is not a text in UTF-8"):
        read_manifest(tmp_path / "latin.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 65537)
    with pytest.raises(ManifestError, match="is no bot.toml: it has more than 64 KiB"):
        read_manifest(tmp_path / "long.toml")


def test_a_game_that_is_not_installed_is_a_mistake() -> None:
    manifest = parse_manifest(LEAST + 'games = ["cambo"]')
    with pytest.raises(ManifestError, match=r'games names "cambo", which is no game here; did you mean "cambio"\?'):
        check_games(manifest, ["cambio", "perudo"])
    check_games(manifest, ["cambo"])
