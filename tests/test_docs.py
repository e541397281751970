"""Documentation runs: the README's commands, its bot and its links; docs/cli.md; what the lock file names."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import house
from tests.docs.test_commands import facts
from tools import protocol_page, workspace

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def transcript() -> Iterator[tuple[str, list[str]]]:
    """Yield each command of the README's console blocks with the output shown for it."""
    for block in blocks("console"):
        for part in block.removeprefix("$ ").split("\n$ "):
            command, *shown = part.splitlines()
            yield command, shown


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """Return a folder in which the README's bot lies under the name that the README gives it."""
    (bot,) = blocks("python")
    (tmp_path / "mybot.py").write_text(bot)
    return tmp_path


def environment() -> dict[str, str]:
    """Return an environment in which `arena` and `python` are those of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return kept | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120"}


@pytest.mark.processes
def test_the_commands_of_the_readme_run_and_print_what_it_shows(workshop: Path) -> None:
    ran = 0
    for command, shown in transcript():
        done = subprocess.run(
            command, shell=True, cwd=workshop, env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed = [facts(line) for line in done.stdout.splitlines()]
        for line in shown:
            assert line == "..." or facts(line) in printed, f"{command}\nprints no line like: {line}\n\n{done.stdout}"
        ran += shlex.split(command)[0] == "arena"
    assert ran >= 5


@pytest.mark.processes
def test_the_bot_of_the_readme_is_typed(workshop: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", f"--cache-dir={ROOT}/.mypy_cache/readme"]
    done = subprocess.run([*command, str(workshop / "mybot.py")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]), ids=lambda page: str(page.relative_to(ROOT))
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", sorted((ROOT / "docs/rules").glob("*.md")), ids=lambda page: page.stem)
def test_each_rules_page_tells_what_of_its_book_is_left_out(page: Path) -> None:
    (section,) = re.findall(r"^## Left out\n\n(.+?)\n\n## ", page.read_text(), re.MULTILINE | re.DOTALL)
    assert len(section.split()) >= 10


@pytest.mark.promise
def test_the_page_of_commands_is_current() -> None:
    # In a process of its own: click remembers the help option of a command from its first use, here perhaps by a test.
    page = subprocess.run([sys.executable, "-m", "arena.cli.reference_page"], stdout=subprocess.PIPE, check=True).stdout
    assert (ROOT / "docs/cli.md").read_text() == page.decode(), "run `make docs`"


@pytest.mark.promise
def test_the_page_of_options_is_current() -> None:
    # In a process of its own: tests install games.
    page = subprocess.run([sys.executable, "-m", "arena.cli.options_page"], stdout=subprocess.PIPE, check=True).stdout
    assert (ROOT / "docs/options.md").read_text() == page.decode(), "run `make docs`"


def test_the_page_of_the_protocol_is_current_and_its_links_lead_to_its_messages() -> None:
    page = (ROOT / "docs/protocol.md").read_text()
    assert page == protocol_page.page(), "run `make docs`"
    anchors = {name.replace(".", "").lower() for name in re.findall(r"^### (.*)$", page, re.MULTILINE)}
    assert {"question", "cambioviewstage", "botservice"} <= anchors
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors


def test_the_lock_names_only_the_public_package_index() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    sources = {source for package in lock["package"] for source in package["source"].values()}
    assert sources == {".", *workspace.members(ROOT), "https://pypi.org/simple"}
    hosts = set(re.findall(r"https?://[^/\"]+", (ROOT / "uv.lock").read_text()))
    assert hosts == {"https://pypi.org", "https://files.pythonhosted.org"}


def test_the_table_of_the_architecture_is_that_of_the_law() -> None:
    assert house.table() in (ROOT / "docs/architecture.md").read_text(), "write there what python -m tests.house prints"


@pytest.mark.parametrize("page", ["architecture", "development", "security"])
def test_files_that_pages_name_exist(page: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text()
    named = set(re.findall(r"`((?:arena|bench|docs|packages|protos|referee|sample_bots|tests|tools)/[\w./-]*)`", text))
    assert len(named) > 10
    assert {name for name in named if "NAME" not in name and not (ROOT / name).exists()} == set()
