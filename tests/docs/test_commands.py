"""The commands of tutorials and how-to guides run as they stand there.

All blocks ```sh and ```console of a page run in their order, in one folder, with the environment that the blocks
before left. A block with a title is a file, and is written first. In a transcript (```console) each line of output
that is shown must be printed, apart from times, and from all numbers where no seed decides; `...` stands for any lines.
A comment `<!-- not run: WHY -->` before a block, or `<!-- commands not run: WHY -->` for a page, says why it cannot run
in a test. tests/test_docs.py runs the README.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(
    page
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "rules" not in page.parts and re.search(r"^```(sh|console)$", page.read_text(), re.MULTILINE)
)
BLOCK = re.compile(
    r'(?:<!-- not run(?: here)?: ([^\n]+) -->\n)?^```([a-z]+)(?: title="([^"]+)")?\n(.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
HASH = re.compile(r"\b(?=[a-f]*[0-9])[0-9a-f]{8,}\b")
PAGE_MARK = re.compile(r"<!-- commands not run: (.+?) -->")


@dataclass(frozen=True)
class Block:
    """A block of a page, which is a file or commands."""

    language: str
    """What it is marked as: "sh", "console", or the language of a file."""
    text: str
    title: str
    """The name of the file that it is; empty: it is commands."""
    why_not: str
    """The reason that its commands are not run; empty: they are."""

    @property
    def runs(self) -> bool:
        """Whether it is run."""
        return not self.title and not self.why_not


def blocks(page: Path) -> list[Block]:
    """Return the files and commands of a page."""
    text = page.read_text()
    whole = PAGE_MARK.search(text)
    found = [
        Block(language, body, title or "", why_not or (whole[1] if whole else ""))
        for why_not, language, title, body in BLOCK.findall(text)
    ]
    return [block for block in found if block.title or block.language in ("sh", "console")]


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a block, each with the output that is shown for it."""
    if block.language == "sh":
        return [(block.text, [])]
    parts = block.text.removeprefix("$ ").split("\n$ ")
    return [(part.split("\n")[0], part.splitlines()[1:]) for part in parts]


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

    def run(self, command: str) -> str:
        """Run a command to its end, and return its output. Fails if it does."""
        script = f"{command}\n{{ pwd; env -0; }} > '{self._left}'\n"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
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


@pytest.mark.toolchain
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "README.md" and any(block.runs for block in blocks(page))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_commands_of_a_page_run_and_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    session, seeded = Session(tmp_path), True
    for block in blocks(page):
        if block.title:
            (session.folder / block.title).write_text(block.text)
        elif block.runs:
            for command, shown in commands(block):
                output = session.run(command)
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
