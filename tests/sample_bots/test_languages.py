"""The sample bots in other languages that are built here (`make bots`): their own tests, the check, tournaments."""

import json
import os
import shlex
import shutil
import subprocess
import sys
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


CLANG_FORMAT = [str(Path(sys.executable).with_name("uv")), "tool", "run", "clang-format==20.1.8"]
PRETTIER = ["npx", "--yes", "prettier@3.6.2"]
SHELLCHECK = ["shellcheck", "--shell=sh"]
JAVA_FORMAT = "com.google.googlejavaformat:google-java-format:1.28.0:jar:all-deps"

_PARSER = [
    f"--add-exports=jdk.compiler/com.sun.tools.javac.{part}=ALL-UNNAMED"
    for part in ("api", "code", "file", "parser", "tree", "util")
]
"""What the formatter uses of the compiler."""


def java_format() -> list[str]:
    """Return the command of google-java-format, which Maven fetches."""
    jar = ROOT / "build/lint" / "-".join([*JAVA_FORMAT.split(":")[1:3], "all-deps.jar"])
    if not jar.exists():
        copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
        words = ["mvn", "--quiet", "--batch-mode", copy, f"-Dartifact={JAVA_FORMAT}", f"-DoutputDirectory={jar.parent}"]
        fetched = subprocess.run(words, capture_output=True, text=True, check=False)
        if fetched.returncode:
            pytest.skip("google-java-format could not be fetched")
    return ["java", *_PARSER, "-jar", str(jar)]


LINTS = [
    ("go", ["gofmt", "-l"], ["*.go"]),
    ("go", ["go", "vet", "./..."], []),
    ("rust", ["cargo", "fmt", "--check"], []),
    ("rust", ["cargo", "clippy", "--locked", "--all-targets", "--quiet", "--", "--deny", "warnings"], []),
    ("typescript", [*PRETTIER, "--check"], ["*.ts", "package.json"]),
    ("java", ["--aosp", "--dry-run", "--set-exit-if-changed"], ["*.java"]),
    ("cpp", [*CLANG_FORMAT, "--dry-run", "--Werror"], ["*.cpp", "*.h"]),
    ("c", [*CLANG_FORMAT, "--dry-run", "--Werror"], ["*.c", "*.h"]),
    ("shell", [*SHELLCHECK, "--exclude=SC1091,SC2034,SC2154"], ["*.sh"]),  # names that the other file sets and reads
    *((language, SHELLCHECK, ["build.sh"]) for language in [*TESTS, "c"]),
]
"""How the code of each language is checked for format and mistakes: its folder, a command that fails or prints what is
wrong, and the files that it gets. Generated files are not checked."""


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


@pytest.mark.parametrize(("language", "words", "files"), LINTS)
def test_the_code_is_formatted_and_has_no_lint(language: str, words: list[str], files: list[str]) -> None:
    folder = SAMPLES / language
    if language == "java" and words[0] == "--aosp":
        words = [*java_format(), *words]
    if not is_there(words):
        pytest.skip(f"{words[0]} is not installed, or what it runs ({' '.join(words[1:4])})")
    listed = subprocess.run(["git", "ls-files", *files], cwd=folder, capture_output=True, text=True, check=True)
    own = [name for name in listed.stdout.splitlines() if "v1" not in Path(name).parts] if files else []
    done = subprocess.run([*words, *own], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout if words[0] == "gofmt" else "") == (0, ""), done.stdout + done.stderr


def is_there(words: list[str]) -> bool:
    """Return whether the program of a lint is installed, or could be just now."""
    begun = next((words[: len(tool)] for tool in (CLANG_FORMAT, PRETTIER) if words[: len(tool)] == tool), words[:1])
    if words[0] == "cargo":
        begun = words[:2]
    asked = [] if words[0] == "gofmt" else ["version"] if words[0] == "go" else ["--version"]
    if shutil.which(begun[0]) is None:
        return False
    return subprocess.run([*begun, *asked], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


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
