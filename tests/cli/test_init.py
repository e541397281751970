import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.templates.project import languages

UNAVAILABLE = 69
"""What a build exits with where its tools are not installed."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


def test_the_three_commands_that_it_prints_work() -> None:
    made = arena("init", "mybot", "--game", "coch")
    assert made.exit_code == 0, made.output
    commands = re.findall(r"^    arena (.*)$", made.stdout, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["check", "match", "submit"]
    for command in commands:
        done = arena(*shlex.split(command))
        assert done.exit_code == 0, done.output
    assert "mybot is accepted as version 1" in done.stdout


def test_what_it_says_to_programs_and_what_is_wrong() -> None:
    told = json.loads(arena("init", "owl", "--json").stdout)
    assert (told["folder"], told["name"], told["game"]) == ("owl", "owl", "cambio")
    refused = arena("init", "fox", "--lang", "cobol")
    assert refused.exit_code == 2
    assert 'there is no "cobol"; there are python' in refused.stderr
    assert not Path("fox").exists()
    assert arena("init", "owl").exit_code == 2


@pytest.mark.parametrize(
    ("game", "others"), [("cambio", 2), ("coch", 3), ("hypp", 2), ("scopa", 2), ("torionfo", 3), ("zifuli", 4)]
)
def test_the_match_that_it_prints_fills_a_table_of_the_game(game: str, others: int) -> None:
    commands = json.loads(arena("init", "owl", "--game", game, "--json").stdout)["commands"]
    assert f"arena match --game {game} ./owl{' random' * others}" in commands
    assert f"arena match --game {game} .{' random' * others} " in Path("owl/README.md").read_text()


@pytest.mark.parametrize("language", ["python", "shell", "c"])
def test_the_commands_of_its_readme_work(language: str, tmp_path: Path) -> None:
    assert_readme_works(language, "lustu", tmp_path)


@pytest.mark.toolchain
@pytest.mark.parametrize("language", sorted({*languages()} - {"python", "shell", "c"}))
def test_the_commands_of_its_readme_work_with_a_toolchain(language: str, tmp_path: Path) -> None:
    """Outside of our tree, by its own build."""
    assert_readme_works(language, "lustu", tmp_path)


def assert_readme_works(language: str, game: str, tmp_path: Path) -> None:
    """Run the commands of a new bot's README, as they stand there; skip where its tools are not installed."""
    assert arena("init", "mybot", "--lang", language, "--game", game).exit_code == 0
    [commands] = re.findall(r"```sh\n(.*?)```", Path("mybot/README.md").read_text(), re.DOTALL)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "ARENA_DB": str(tmp_path / "arena.db"),
    }
    done = subprocess.run(
        ["sh", "-ec", commands], cwd="mybot", env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode == UNAVAILABLE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mybot is fit to play" in done.stdout
    assert "mybot is accepted as version 1" in done.stdout


@pytest.mark.parametrize(("language", "fetches"), [("go", True), ("cpp", False), ("python", False)])
def test_a_build_that_fetches_libraries_is_told_to_be_let(language: str, fetches: bool) -> None:
    done = arena("init", "owl", "--lang", language, "--json")
    assert json.loads(done.stdout)["commands"][-1] == "arena submit ./owl --name owl" + " --build-network" * fetches
