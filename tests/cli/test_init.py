import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from arena.bots.templates.project import languages
from arena.cli import build_network, main
from arena.cli.build_network import may_use_network
from arena.packs.candidate import Candidate
from arena.packs.manifest import Manifest
from arena.packs.pack import make_pack
from referee.sandbox import choose

pytestmark = pytest.mark.usefixtures("in_process")

UNAVAILABLE = 69
"""What a build exits with where its tools are not installed."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


@pytest.mark.promise
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


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")
@pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here")
def test_a_bot_that_is_not_built_is_checked_as_a_copy_that_is() -> None:
    assert arena("init", "owl", "--lang", "c", "--game", "perudo").exit_code == 0
    checked = arena("check", "./owl", "--matches", "2")
    assert checked.exit_code == 0, checked.output
    assert "owl is fit to play" in checked.stdout
    assert "is not built: building a copy of it" in checked.stderr
    assert not Path("owl/build").exists()
    other = arena("check", "./owl", "--game", "coch")
    assert (other.exit_code, "plays only perudo, not coch" in other.stderr) == (2, True)
    Path("owl/bot.c").write_text("int main(void) { return }")
    broken = arena("check", "./owl")
    assert broken.exit_code == 2
    assert "the build (./build.sh) exited with code 1" in broken.stderr
    assert "expected expression" in broken.stderr


@pytest.mark.parametrize("command", ["check", "submit"])
def test_a_build_that_needs_the_network_is_refused_unless_it_is_granted(command: str) -> None:
    Path("owl").mkdir()
    manifest = 'language = "c"\ncommand = ["./bot"]\nbuild = ["./build.sh"]\n'
    Path("owl/bot.toml").write_text(manifest + "build_network = true\n")
    refused = arena(command, "./owl")
    assert refused.exit_code == 2
    assert "its build (./build.sh) needs the network (build_network in bot.toml): --build-network grants it" in (
        refused.stderr
    )


@pytest.mark.parametrize(("answer", "granted"), [("y", True), ("n", False)])
def test_on_a_terminal_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, answer: str, granted: bool) -> None:
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(build_network, "sys", SimpleNamespace(stdin=terminal, stderr=terminal))
    manifest = Manifest("go", ("./bot",), build=("./build.sh",), build_network=True)
    asking = Candidate(manifest, make_pack([]), Path())
    answers = []

    @click.command
    def ask() -> None:
        answers.append(may_use_network(asking, None))

    asked = CliRunner().invoke(ask, input=f"{answer}\n")
    assert "This bot asks for the network, for its build (./build.sh). Let it use it? [y/N]" in asked.stderr
    assert answers == [granted]
    assert may_use_network(asking, True)
    assert not may_use_network(asking, False)
    assert not may_use_network(replace(asking, manifest=structs.replace(manifest, build_network=False)), None)


@pytest.mark.parametrize(
    ("game", "others"), [("cambio", 2), ("coch", 3), ("hypp", 2), ("scopa", 2), ("torionfo", 3), ("zifuli", 4)]
)
def test_the_match_that_it_prints_fills_a_table_of_the_game(game: str, others: int) -> None:
    commands = json.loads(arena("init", "owl", "--game", game, "--json").stdout)["commands"]
    assert f"arena match --game {game} ./owl{' random' * others}" in commands
    assert f"arena match --game {game} .{' random' * others} " in Path("owl/README.md").read_text()


@pytest.mark.processes
@pytest.mark.parametrize("language", ["python", "shell", "c"])
def test_the_commands_of_its_readme_work(language: str, tmp_path: Path) -> None:
    assert_readme_works(language, "lustu", tmp_path)


@pytest.mark.toolchain
@pytest.mark.parametrize("language", sorted({*languages()} - {"python", "shell", "c"}))
def test_the_commands_of_its_readme_work_with_a_toolchain(language: str, tmp_path: Path) -> None:
    """Outside of our tree, by its own build, and without a network: `make bots` has fetched the libraries before."""
    assert_readme_works(language, "lustu", tmp_path, offline())


def offline() -> list[str]:
    """Return what begins a command that has no network; nothing where that cannot be had here."""
    ways = [["unshare", "--net"], ["bwrap", "--dev-bind", "/", "/", "--unshare-net"]]
    for way in ways[os.geteuid() != 0 :]:
        if shutil.which(way[0]) and subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
            return way
    return []


def build_quickly(folder: Path) -> None:
    """Let a bot in Rust be built without optimisation: it is built twice with all its libraries, a minute each.

    The sample bot, whose file this is, is built as it stands there.
    """
    cargo = folder / "Cargo.toml"
    slow = "codegen-units = 1\nlto = true\n"
    text = cargo.read_text()
    assert text.count(slow) == 1
    cargo.write_text(text.replace(slow, "opt-level = 0\n"))


def assert_readme_works(language: str, game: str, tmp_path: Path, begun: Sequence[str] = ()) -> None:
    """Run the commands of a new bot's README, as they stand there; skip where its tools are not installed.

    begun: what begins the command line.
    """
    assert arena("init", "mybot", "--lang", language, "--game", game).exit_code == 0
    if language == "rust":
        build_quickly(Path("mybot"))
    [commands] = re.findall(r"```sh\n(.*?)```", Path("mybot/README.md").read_text(), re.DOTALL)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "ARENA_DB": str(tmp_path / "arena.db"),
    }
    done = subprocess.run(
        [*begun, "sh", "-ec", commands], cwd="mybot", env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode == UNAVAILABLE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mybot is fit to play" in done.stdout
    assert "mybot is accepted as version 1" in done.stdout


@pytest.mark.processes
def test_the_test_of_a_bot_in_python_runs_with_pytest_and_without() -> None:
    assert arena("init", "mybot", "--game", "coch").exit_code == 0
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for runner in (["unittest"], ["pytest", "-q"]):
        command = ["python3", "-m", *runner]
        done = subprocess.run(command, cwd="mybot", env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    Path("mybot/main.py").write_text("raise SystemExit('no')\n")
    failed = subprocess.run(
        ["python3", "-m", "unittest"], cwd="mybot", env=environment, capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert "bot is not fit to play" in failed.stderr


@pytest.mark.parametrize(("language", "fetches"), [("rust", True), ("go", False), ("cpp", False), ("python", False)])
def test_a_build_that_fetches_libraries_is_told_to_be_let(language: str, fetches: bool) -> None:
    done = arena("init", "owl", "--lang", language, "--json")
    assert json.loads(done.stdout)["commands"][-1] == "arena submit ./owl --name owl" + " --build-network" * fetches


def test_a_bot_that_asks_a_language_model_plays_any_game() -> None:
    done = arena("init", "owl", "--lang", "llm", "--game", "scopa")
    assert "owl is a bot in python; owl/README.md says what to edit" in done.output
    assert {path.name for path in Path("owl").iterdir()} >= {"main.py", "settings.toml", "bot.toml", "README.md"}
    assert 'url = "http' in Path("owl/settings.toml").read_text()
