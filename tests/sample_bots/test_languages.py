"""The sample bots in other languages that are built here (`make bots`): their own tests, the check, tournaments."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.packs.manifest import read_manifest
from arena.packs.pack import pack_folder
from tests.sample_bots.commands import command

pytestmark = pytest.mark.toolchain

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_bots"

TESTS = {
    "go": ["go", "test", "./..."],
    "typescript": ["npm", "test", "--silent"],
    "rust": ["cargo", "test", "--quiet"],
    "cpp": ["ctest", "--test-dir", "build", "--output-on-failure"],
    "java": ["mvn", "--quiet", "--batch-mode", "test"],
}
"""How the tests of each language are run, in its folder."""

BUILT = {
    "go": "build/bot",
    "typescript": "build/bot.mjs",
    "rust": "target/release/bot",
    "cpp": "build/bot",
    "java": "target/bot.jar",
}

LANGUAGES = [language for language in TESTS if (SAMPLES / language / "build.sh").exists()]


LINTS = {
    "go": ["sh", "-c", 'test -z "$(gofmt -l $(git ls-files "*.go"))" && go vet ./...'],
    "rust": ["cargo", "fmt", "--check"],
}
"""How the code of each language is checked for format and mistakes, in its folder."""


def built(language: str) -> Path:
    """Return the folder of a language's bot; skip where it is not built."""
    if not (SAMPLES / language / BUILT[language]).exists():
        pytest.skip(f"the bot in {language} is not built: `make bots` says what is missing")
    return SAMPLES / language


def arena(*words: str) -> Any:
    done = CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tests_of_the_language_pass(language: str) -> None:
    run_in_folder(language, TESTS[language])


@pytest.mark.parametrize("language", LINTS)
def test_the_code_is_formatted_and_has_no_lint(language: str) -> None:
    run_in_folder(language, LINTS[language])


def run_in_folder(language: str, words: list[str]) -> None:
    """Run a command in the folder of a language's bot; skip where its tool is not installed."""
    folder = built(language)
    if shutil.which(TESTS[language][0]) is None:
        pytest.skip(f"{TESTS[language][0]} is not installed")
    environment = os.environ | {"GOFLAGS": "-mod=mod", "CARGO_PROFILE_DEV_DEBUG": "0"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bot_is_fit_to_play(language: str) -> None:
    done = CliRunner().invoke(main, ["check", str(built(language))], prog_name="arena")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bot_with_sense_beats_random(language: str, tmp_path: Path) -> None:
    folder = built(language)
    game = read_manifest(folder / "bot.toml").games[0]
    words = ["--game", game, "--bots", f"{folder},random", "--rounds", "60", "--seed", "5", "--json"]
    played = arena("tourney", *words, "--db", str(tmp_path / "arena.db"))
    rows = {row["bot"]: row for row in played["ranking"]}
    assert rows[language]["faults"] == {}
    assert rows[language]["rank"] == 1
    assert rows["random"]["bound"] == "<" or rows[language]["elo"] - rows["random"]["elo"] > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bot_plays_without_bubblewrap(language: str, tmp_path: Path) -> None:
    folder = built(language)
    words = ["--game", read_manifest(folder / "bot.toml").games[0], "--bots", f"{folder},random", "--rounds", "2"]
    words += ["--sandbox", "rlimits", "--trust-bots", "--db", str(tmp_path / "arena.db"), "--json"]
    assert {row["bot"]: row["faults"] for row in arena("tourney", *words)["ranking"]} == {language: {}, "random": {}}


def test_the_class_archive_of_java_is_valid_for_a_submitted_bot(tmp_path: Path) -> None:
    folder = built("java")
    pack_folder(folder, keep=read_manifest(folder / "bot.toml").keep).write(tmp_path, writable=False)
    words = ["java", "-XX:+UseSerialGC", "-XX:SharedArchiveFile=target/bot.jsa", "-jar", "target/bot.jar"]

    def output() -> str:
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "a referee starts this bot" in done.stderr
        return done.stdout

    assert "archive" not in output()
    os.utime(tmp_path / "target/bot.jar")
    assert "Unable to use shared archive" in output()


def test_all_languages_at_one_table_play_the_same_again(tmp_path: Path) -> None:
    bots = [
        f"{shlex.join(command(SAMPLES / language))} random"
        for language in LANGUAGES
        if (SAMPLES / language / BUILT[language]).exists()
    ]
    if not bots:
        pytest.skip("no bot in another language is built: `make bots`")
    found = []
    for jobs in ("1", "2"):
        words = ["--game", "cambio", "-o", "chips=3", "--bots", ",".join([*bots, "random"]), "--rounds", "10"]
        db = str(tmp_path / f"{jobs}.db")
        found.append(
            arena("tourney", *words, "--seats", str(len(bots) + 1), "--seed", "3", "--jobs", jobs, "--db", db, "--json")
        )
    scores = [[(row["bot"], row["score"], row["faults"]) for row in each["ranking"]] for each in found]
    assert scores[0] == scores[1]
    assert all(not faults for _, _, faults in scores[0])
