"""Two distributions of one tree: botarena-sdk has what a bot needs, botarena the rest, and neither breaks the other.

The wheels are built without what is compiled and unpacked; `make wheels` tries real installations.
"""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from arena.bots.question_export import plies_of, recorded_question
from tests.remote.test_remote import Organiser, arena
from tests.replay.replays import GAMES, stored

ROOT = Path(__file__).parents[2]
SDK = ROOT / "packages/botarena-sdk"
MAIN, BOT = "botarena", "botarena_sdk"
LIBRARIES = str(Path(pytest.__file__).parents[1])


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the unpacked wheels, each in a folder of its name."""
    folder = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, SDK):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
            cwd=project, env=os.environ | {"ARENA_COMPILE": "none"}, check=True, capture_output=True,
        )  # fmt: skip
    for wheel in folder.glob("*.whl"):
        assert wheel.name.endswith("-py3-none-any.whl")
        zipfile.ZipFile(wheel).extractall(folder / wheel.name.split("-")[0])
    return folder


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a recorded question of cambio."""
    match = stored(GAMES[0])
    file = tmp_path_factory.mktemp("questions") / "question.json"
    file.write_text(recorded_question(match, plies_of(match, 1)[2]).to_text())
    return file


def python(code: str, *folders: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run code with these folders and the libraries, but not this tree, on Python's path."""
    paths = os.pathsep.join([*map(str, folders), LIBRARIES])
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd="/", env={"PATH": os.environ["PATH"], "PYTHONPATH": paths, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def project(folder: Path) -> Any:
    """Return the table `project` of a pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_versions_licences_and_requirements_agree() -> None:
    main, sdk = project(ROOT), project(SDK)
    assert sdk["version"] == main["version"]
    assert f"botarena-sdk=={sdk['version']}" in main["dependencies"]
    assert {*sdk["dependencies"], *sdk["optional-dependencies"]["trio"]} < {*main["dependencies"]}
    assert (SDK / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.promise
def test_each_file_is_in_one_of_them(unpacked: Path) -> None:
    main, sdk = files(unpacked / MAIN), files(unpacked / BOT)
    assert not main & sdk
    ours = {
        str(path.relative_to(ROOT))
        for package in ("arena", "referee")
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".pyi", ".typed"} and "__pycache__" not in path.parts
    }
    assert ours <= main | sdk
    alone = {name for name in sdk if ".dist-info/" not in name}
    assert {*map(os.path.dirname, alone)} == {"arena/sdk", "referee", "referee/v1"}
    assert sum((unpacked / BOT / name).stat().st_size for name in sdk) < 1e6


USE = """
import sys
from arena.sdk import ask
from referee.v1.cambio_pb2 import CambioView
import arena.sdk.blocking, arena.sdk.stub_call
print(ask(lambda question: question.legal[0], sys.argv[1]).move)
"""


@pytest.mark.promise
def test_the_sdk_works_alone(unpacked: Path, question: Path) -> None:
    done = python(f"import sys; sys.argv = ['', {str(question)!r}]\n{USE}", unpacked / BOT)
    assert done.stdout == "keep\n", done.stderr
    started = python(f"from arena.sdk import ask; ask('./bot.py', {str(question)!r})", unpacked / BOT)
    assert started.stderr.endswith("to start ./bot.py as in a match, arena is needed: pip install botarena\n")


BLOCK = """
import os, sys

BLOCKED = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty", "trio"}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
for name in BLOCKED:
    sys.modules.pop(name, None)
for name in ("fork", "getuid", "killpg", "memfd_create", "pidfd_open", "register_at_fork",
    "sched_getaffinity", "setsid"):
    delattr(os, name)
"""


@pytest.mark.processes
def test_the_sdk_needs_nothing_that_only_linux_has(unpacked: Path, question: Path) -> None:
    done = python(f"import sys; sys.argv = ['', {str(question)!r}]\n{BLOCK}\n{USE}", unpacked / BOT)
    assert done.stdout == "keep\n", done.stderr


PLAY = """
from arena.sdk import Bot

class First(Bot):
    def choose(self, question):
        return 0

First().run()
"""


@pytest.mark.toolchain
def test_a_remote_bot_plays_by_it_alone(unpacked: Path, tmp_path: Path) -> None:
    db = str(tmp_path / "arena.db")
    token = arena("tokens", "create", "owl", "--json", "--db", db)["token"]
    words = ["--game", "cambio", "--bots", "remote:owl,random", "--rounds", "2", "--seed", "1", "--db", db]
    organiser = Organiser(tmp_path, *words)
    try:
        bot = python(BLOCK + PLAY, unpacked / BOT, **organiser.environment | {"ARENA_TOKEN": token})
        assert (bot.returncode, bot.stderr) == (0, "")
        assert organiser.result()["matches"] == 2
    finally:
        organiser.process.kill()
        organiser.process.communicate()


@pytest.mark.processes
@pytest.mark.parametrize("order", [(MAIN, BOT), (BOT, MAIN)])
def test_both_work_in_folders_of_their_own(unpacked: Path, order: tuple[str, str]) -> None:
    code = "import arena.sdk, arena.cli, referee.v1.play_pb2, referee.engine; print(arena.__version__)"
    done = python(code, *(unpacked / name for name in order))
    assert done.stdout.strip() == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"], (
        done.stderr
    )


@pytest.mark.processes
@pytest.mark.parametrize("code", ["import arena.cli", "import arena.values.definition"])
def test_arena_says_that_the_sdk_is_missing(unpacked: Path, code: str) -> None:
    done = python(code, unpacked / MAIN)
    assert done.returncode == 1
    sentence = "botarena-sdk, which botarena needs, is not installed: pip install --force-reinstall botarena-sdk"
    assert done.stderr.strip().splitlines()[-1].removeprefix("ImportError: ") == sentence
    assert ("Traceback" in done.stderr) == (code != "import arena.cli")
