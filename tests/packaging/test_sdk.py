"""Three distributions of one tree: botarena-sdk has what a bot needs, botarena-rules what it needs to look ahead, and
botarena the rest, and none breaks another.

The wheels are built without what is compiled and unpacked; `make wheels` tries real installations.
"""

import json
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
from tests.sdk.test_look_ahead import GAMES as NAMES
from tests.sdk.test_look_ahead import messages

ROOT = Path(__file__).parents[2]
SDK, RULES = ROOT / "packages/botarena-sdk", ROOT / "packages/botarena-rules"
MAIN, BOT, AHEAD = "botarena", "botarena_sdk", "botarena_rules"
LIBRARIES = str(Path(pytest.__file__).parents[1])


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the unpacked wheels, each in a folder of its name."""
    folder = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, SDK, RULES):
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


def python(code: str, *folders: Path, input: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run code with these folders and the libraries, but not this tree, on Python's path."""
    paths = os.pathsep.join([*map(str, folders), LIBRARIES])
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd="/", env={"PATH": os.environ["PATH"], "PYTHONPATH": paths, **environment},
        input=input, capture_output=True, text=True, check=False,
    )  # fmt: skip


def project(folder: Path) -> Any:
    """Return the table `project` of a pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_versions_licences_and_requirements_agree() -> None:
    main, sdk, rules = project(ROOT), project(SDK), project(RULES)
    assert {sdk["version"], rules["version"]} == {main["version"]}
    own = [f"{name}=={main['version']}" for name in ("botarena-rules", "botarena-sdk")]
    assert {*own} < {*main["dependencies"]}
    assert sdk["optional-dependencies"]["positions"] == own[:1]
    assert {*sdk["dependencies"], *sdk["optional-dependencies"]["trio"], *rules["dependencies"]} < {
        *main["dependencies"]
    }
    assert own[1] in rules["dependencies"]
    for folder in (SDK, RULES):
        assert (folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.promise
def test_nothing_but_the_three_packages_comes_into_the_path_of_python(unpacked: Path) -> None:
    tops = {name: {path.name for path in (unpacked / name).iterdir()} for name in (MAIN, BOT, AHEAD)}
    for name, top in tops.items():
        assert [each for each in top if each.endswith(".dist-info")] == [f"{name}-{project(ROOT)['version']}.dist-info"]
        top.remove(f"{name}-{project(ROOT)['version']}.dist-info")
    assert tops == {MAIN: {"arena", "referee", "sample_bots"}, BOT: {"arena", "referee"}, AHEAD: {"arena", "referee"}}


def test_each_file_is_in_one_of_them(unpacked: Path) -> None:
    main, sdk, rules = (files(unpacked / name) for name in (MAIN, BOT, AHEAD))
    assert len(main | sdk | rules) == len(main) + len(sdk) + len(rules)
    ours = {
        str(path.relative_to(ROOT))
        for package in ("arena", "referee")
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".pyi", ".typed"} and "__pycache__" not in path.parts
    }
    assert ours <= main | sdk | rules
    alone = {name for name in sdk if ".dist-info/" not in name}
    assert {*map(os.path.dirname, alone)} == {"arena/sdk", "referee", "referee/v1"}
    assert sum((unpacked / BOT / name).stat().st_size for name in sdk) < 1e6
    parts = ("arena/positions/", "arena/search/", "referee/engine/", "referee/games/", "botarena_rules-")
    assert all(name.startswith(parts) for name in rules)
    assert not any(name.startswith(parts) for name in main)
    assert sum((unpacked / AHEAD / name).stat().st_size for name in rules) < 2e6


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
    assert started.stderr.endswith(
        "to start ./bot.py as in a match, arena is needed: pip install --find-links dist botarena\n"
    )


AHEAD_OF_TIME = """
from arena.sdk import Bot

class Ahead(Bot):
    name = "ahead"
    wants_positions = True

    def choose(self, question):
        return question.position.world().legal()[0]

if __name__ == "__main__":
    Ahead().run()
"""


@pytest.mark.promise
def test_a_bot_that_looks_ahead_by_the_sdk_alone_says_what_to_install(unpacked: Path) -> None:
    done = python(AHEAD_OF_TIME, unpacked / BOT, ARENA_ADDRESS="unix:/nobody", ARENA_TOKEN="owl")
    assert done.returncode == 1
    assert "the rules are not installed" in done.stderr
    assert done.stderr.endswith("pip install --find-links dist 'botarena-sdk[positions]'\n")
    assert "Traceback" not in done.stderr


LOOK = """
import json, sys
from random import Random

from arena.sdk.message_codec import MessageCodec
from arena.search import evaluate, search

seen = {}
for name, matches in json.load(sys.stdin).items():
    bot = Ahead()
    codec = MessageCodec(bot, "")
    for message, move in matches:
        [question] = codec.questions(codec.read(bytes.fromhex(message), lambda text: None))
        position = question.position
        worlds = position.worlds(2)
        worlds[0].copy().playout(Random(1), until="deal", most=50)
        assert worlds[1].legal() == question.legal == position.legal
        found = [method(position, worlds=2, rng=Random(1)) for method in (evaluate, search)]
        codec.add_answer(question, move)
    seen[name] = [result.best in question.legal for result in found]
try:
    import arena.cli
except ModuleNotFoundError:
    print(json.dumps(seen))
"""


def sent() -> str:
    """Return the messages to a seat in the first questions of a match of each game, and what it answers, as JSON."""
    return json.dumps(
        {name: [(shown.SerializeToString().hex(), move) for shown, _, move in messages(name, 2, 3)] for name in NAMES}
    )


@pytest.mark.promise
def test_bots_look_ahead_without_arena(unpacked: Path) -> None:
    done = python(
        BLOCK + AHEAD_OF_TIME.partition("if __name__")[0] + LOOK, unpacked / BOT, unpacked / AHEAD, input=sent()
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: [True, True] for name in NAMES}


@pytest.mark.toolchain
def test_the_extra_brings_the_rules_and_arena_comes_on_top(unpacked: Path, tmp_path: Path) -> None:
    """Real installations, with what they require from the package index."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    find_uv = [sys.executable, "-c", "import uv; print(uv.find_uv_bin())"]
    uv = subprocess.run(find_uv, check=True, capture_output=True, text=True).stdout.strip()
    room = tmp_path / "venv"

    def run(*words: str, input: str = "") -> str:
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, input=input, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(requirement: str) -> set[str]:
        links = str(unpacked)
        run(uv, "pip", "install", "--quiet", "--python", str(room), "--find-links", links, requirement)
        listed = run(uv, "pip", "list", "--format", "json", "--python", str(room))
        return {package["name"] for package in json.loads(listed)}

    run(uv, "venv", "--quiet", "--python", sys.executable, str(room))
    alone = install("botarena-sdk")
    assert {name for name in alone if name.startswith("botarena")} == {"botarena-sdk"}
    added = install("botarena-sdk[positions]") - alone
    assert added == {"botarena-rules", "mypy-extensions"}
    look = AHEAD_OF_TIME.partition("if __name__")[0] + LOOK
    assert json.loads(run(str(room / "bin/python"), "-c", look, input=sent())) == {name: [True, True] for name in NAMES}

    install("botarena")
    command = str(room / "bin/arena")
    assert "cambio" in run(command, "games")
    (tmp_path / "ahead.py").write_text(AHEAD_OF_TIME)
    words = ["--game", "cambio", "./ahead.py", "random", "--sandbox", "off", "--json", "--db", "a.db"]
    played = json.loads(run(command, "match", *words))
    assert (played["faults"], played["process_failures"]) == ([], [])


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
@pytest.mark.parametrize("order", [(MAIN, BOT, AHEAD), (AHEAD, BOT, MAIN)])
def test_all_work_in_folders_of_their_own(unpacked: Path, order: tuple[str, str]) -> None:
    code = "import arena.sdk, arena.cli, arena.search, referee.v1.play_pb2, referee.engine; print(arena.__version__)"
    done = python(code, *(unpacked / name for name in order))
    assert done.stdout.strip() == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"], (
        done.stderr
    )


@pytest.mark.processes
@pytest.mark.parametrize(("missing", "there"), [("botarena-sdk", AHEAD), ("botarena-rules", BOT)])
@pytest.mark.parametrize("code", ["import arena.cli", "import arena.values.definition"])
def test_arena_says_what_is_missing(unpacked: Path, code: str, missing: str, there: str) -> None:
    done = python(code, unpacked / MAIN, unpacked / there)
    assert done.returncode == 1
    sentence = f"{missing}, which botarena needs, is not installed: install it as botarena was installed"
    assert done.stderr.strip().splitlines()[-1].removeprefix("ImportError: ") == sentence
    assert ("Traceback" in done.stderr) == (code != "import arena.cli")
