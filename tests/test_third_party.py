"""A game in a package of its own, installed from its pyproject.toml, is a game like ours: listed, played, proved."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from venv import EnvBuilder

import pytest

HARBOUR = Path(__file__).parent / "third_party/harbour"

PAGE = (HARBOUR.parent.parent.parent / "docs/games.md").read_text()

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the project, and a Python environment in which it is installed beside arena."""
    if find_spec("hatchling") is None:
        pytest.skip("the game is built by hatchling, which is not installed: run `make test`")
    folder = tmp_path_factory.mktemp("third_party")
    project = folder / "harbour"
    shutil.copytree(HARBOUR, project, ignore=shutil.ignore_patterns("__pycache__"))
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    EnvBuilder(symlinks=True).create(folder / "venv")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")}))
    # What installers do with a wheel: it is unpacked. arena and what it needs are those of the tests.
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    (site / "beside.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    return folder


@pytest.fixture(scope="module")
def run(workshop: Path) -> Run:
    """Run a module of that environment in the project's folder."""

    def run(module: str, *arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [str(workshop / "venv/bin/python"), "-m", module, *arguments],
            cwd=workshop / "harbour", capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def match(run: Run) -> str:
    """Play a match between bots that know the game in different ways, and return what is told of it."""
    bots = ["./bots/appraiser.py", "./bots/prudent.py", "random", "./bots/appraiser.py"]
    return run("arena", "match", "--game", "harbour", *bots, "--seed", "1", "-o", "open_bids=false").stdout


@pytest.mark.parametrize("block", re.findall(r"^```(?:python|toml|proto)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
def test_the_page_about_games_shows_the_game_as_it_is(block: str) -> None:
    sources = (path.read_text() for path in HARBOUR.rglob("*") if path.suffix in {".py", ".toml", ".proto"})
    assert any(block in source for source in sources)


@pytest.mark.processes
def test_it_is_listed_and_explained(run: Run) -> None:
    listed = run("arena", "games")
    assert "\nharbour " in listed.stdout
    assert "\ncambio " in listed.stdout
    assert not listed.stderr
    explained = run("arena", "games", "harbour").stdout
    assert "harbour: Harbour: sealed bids" in explained
    assert "    second: the second highest bid" in explained
    assert "bid N  offer N coins" in explained
    assert "`bid 0`: it costs nothing" in explained
    assert "told to nobody else" in run("arena", "games", "harbour", "--log").stdout
    view = run("arena", "games", "harbour", "--view").stdout
    assert "arena_harbour.v1.HarbourView: All that one seat may see" in view
    assert "The seat that took the crate." in view


@pytest.mark.processes
def test_bots_play_it_with_its_module_and_with_the_schema_alone(match: str) -> None:
    rows = [line.split() for line in match.splitlines() if line.strip().startswith(("0 ", "1 ", "2 ", "3 "))]
    assert [row[1] for row in rows] == ["appraiser", "prudent", "random", "appraiser#2"]
    assert [row[-1] for row in rows] == ["-"] * 4  # no faults
    assert "arena_harbour" not in (HARBOUR / "bots/appraiser.py").read_text()


@pytest.mark.processes
def test_a_match_of_it_is_replayed_and_proved(run: Run, match: str) -> None:
    assert match.startswith("match 1: harbour")
    log = run("arena", "replay", "1", "--text").stdout
    assert "crate 1 is for sale\n" in log
    assert "prudent sees " in log
    assert "arena_harbour.v1.HarbourView: my cards are [" in log  # what a bot without its module read
    seen = run("arena", "replay", "1", "--seat", "0").stdout
    assert "appraiser sees " in seen
    assert "prudent sees " not in seen
    assert "prudent hides a bid" not in seen
    assert run("arena", "verify", "1").stdout == "match 1: true\n"


@pytest.mark.promise
def test_a_tournament_of_it(run: Run, tmp_path: Path) -> None:
    bots = "./bots/appraiser.py,./bots/prudent.py,random"
    tourney = ("tourney", "--game", "harbour", "--bots", bots, "--seats", "3", "--rounds", "4", "--seed", "1", "--json")
    table = json.loads(run("arena", *tourney, "--db", str(tmp_path / "arena.db")).stdout)
    assert {row["bot"] for row in table["ranking"]} == {"appraiser", "prudent", "random"}
    assert table["matches"] == 12  # each of four deals in three rotations
    assert not any(row["faults"] for row in table["ranking"])


@pytest.mark.processes
def test_its_scenarios(run: Run) -> None:
    assert "3 scenarios: 3 ok, 0 failed, 0 wrong" in run("arena", "scenario", "scenarios").stdout


@pytest.mark.processes
def test_its_own_tests_hold_it_to_the_contract(run: Run) -> None:
    assert "1 passed" in run("pytest", "-q", "-c", "pyproject.toml", "-p", "no:cacheprovider", "tests").stdout


@pytest.mark.processes
def test_without_the_package_its_matches_are_still_listed(run: Run, match: str, workshop: Path) -> None:
    database = str(workshop / "harbour/arena.db")
    here = [sys.executable, "-m", "arena"]
    listed = subprocess.run([*here, "matches", "--db", database], capture_output=True, text=True, check=False)
    assert "harbour" in listed.stdout
    replay = subprocess.run([*here, "replay", "1", "--db", database], capture_output=True, text=True, check=False)
    assert replay.returncode == 2
    assert 'there is no game "harbour"' in replay.stderr
