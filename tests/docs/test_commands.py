"""The commands of tutorials and how-to guides run as they stand there.

All blocks ```sh (by `sh`) and ```console (by Bash) of a page run in their order, in one folder, with the environment
that the blocks before left. A block with a title is a file, and is written first. In a transcript (```console) each
line of output that is shown must be printed, apart from times, and from all numbers where no seed decides; `...`
stands for any lines.
A comment `<!-- not run: WHY -->` before a block, or `<!-- commands not run: WHY -->` for a page, says why it cannot run
in a test. tests/test_docs.py runs the README, and tests/docs/test_server.py pages that need a machine of their own.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.pages import OWN_MACHINE, ROOT, blocks, commands

PAGES = sorted(
    page
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "rules" not in page.parts and re.search(r"^```(sh|console)$", page.read_text(), re.MULTILINE)
)
HASH = re.compile(r"\b(?=[a-f]*[0-9])[0-9a-f]{8,}\b")


def shape(line: str) -> list[str]:
    """Return the words of a line of output, without numbers, units and hashes, which differ from run to run."""
    return re.findall(r"[A-Za-z]{3,}", re.sub(HASH, "", line))


FIXED = ("games", "matches", "ranking", "replay", "rules", "verify")
"""Commands whose output follows from what was played, which a seed decides."""

PLAYS = re.compile(r"arena (match|tourney|submit|league)\b")
"""A command that plays matches."""

TIME = re.compile(r"[\d.,]+ ?(?:ms|µs|s|MB|kB|(?:decisions|matches)/s)\b|(?<=\s)\d+\.\d\d$")
"""A time or a speed, and what stands in the last column of a ranking: ms/decision."""


def facts(line: str) -> list[str]:
    """Return the words and numbers of a line of output, without times, speeds and the widths of columns."""
    return re.sub("-{4,}", "----", TIME.sub("", line)).split()


def reading(command: str, *, seeded: bool) -> Callable[[str], list[str]]:
    """Return what is compared of the lines of a command.

    command
        As a reader types it.
    seeded
        Whether everything that was played so far has a seed.
    """
    words = command.split()
    is_fixed = words[:1] == ["arena"] and (words[1] == "games" or (seeded and words[1] in FIXED))
    return facts if is_fixed or "--seed" in words else shape


class Session:
    """A folder and an environment, in which commands run one after the other as a reader types them."""

    def __init__(self, folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = kept | {"PATH": path, "COLUMNS": "120", "ARENA_CACHE": str(folder / "cache")}
        self.folder = folder / "work"
        self.folder.mkdir()
        self._left = folder / "left"

    def run(self, command: str, shell: tuple[str, ...] = ("bash", "-o", "pipefail")) -> str:
        """Run a command to its end, and return its output. Fails if it does."""
        script = f"{command}\n{{ pwd; env -0; }} > '{self._left}'\n"
        done = subprocess.run(
            [*shell, "-euc", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        folder, _, variables = self._left.read_text().partition("\n")
        self.folder = Path(folder)
        self.environment = dict(variable.split("=", 1) for variable in variables.rstrip("\0").split("\0"))
        return done.stdout


def runs_here(page: Path) -> bool:
    """Whether this module runs commands of a page."""
    is_elsewhere = page.name == "README.md" or OWN_MACHINE in page.read_text()
    return not is_elsewhere and any(block.runs for block in blocks(page))


@pytest.mark.toolchain
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if runs_here(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_commands_of_a_page_run_and_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    session, seeded = Session(tmp_path), True
    for block in blocks(page):
        if block.title:
            (session.folder / block.title).write_text(block.text)
        elif block.runs:
            for command, shown in commands(block):
                output = session.run(command, ("sh",) if block.language == "sh" else ("bash", "-o", "pipefail"))
                seeded = seeded and ("--seed" in command or not PLAYS.match(command))
                read = reading(command, seeded=seeded)
                printed = [read(line) for line in output.splitlines()]
                missing = [line for line in shown if line != "..." and read(line) not in printed]
                assert missing == [], f"{command}\n{output}"


def test_hashes_of_other_letters_have_one_shape() -> None:
    shown, printed = (
        f"ann/bot is accepted as version 1: ann/bot@1, {digest}" for digest in ("feb1dadcafe00000", "12" * 8)
    )
    assert shape(shown) == shape(printed)
    assert shape("the facade is accepted") == ["the", "facade", "accepted"]


def test_what_does_not_run_says_why() -> None:
    reasons = [block.why_not for page in PAGES for block in blocks(page) if not block.title and not block.runs]
    assert len(reasons) > 10
    assert [reason for reason in reasons if len(reason.split()) < 3] == []
    unmarked = [block.text for block in blocks(ROOT / "README.md") if block.language == "sh" and block.runs]
    assert unmarked == []
