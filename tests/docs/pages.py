"""The blocks of a page of the documentation: files, and commands that tests run."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(
    r"(?:<!-- not run(?: here)?: ([^\n]+) -->\n)?(?:<!-- ((?:with|as) [^\n]+) -->\n)?"
    r'^```([a-z]+)(?: title="([^"]+)")?\n(.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
PAGE_MARK = re.compile(r"<!-- commands not run: (.+?) -->")
OWN_MACHINE = "<!-- commands run on a machine of their own"
"""How a page begins whose commands run in tests/docs/test_server.py."""


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
    case: str = ""
    """When or as whom its commands are run, such as "with PostgreSQL"; empty: always, as the user of the page."""

    @property
    def runs(self) -> bool:
        """Whether it is run."""
        return not self.title and not self.why_not


def blocks(page: Path) -> list[Block]:
    """Return the files and commands of a page."""
    text = page.read_text()
    whole = PAGE_MARK.search(text)
    found = [
        Block(language, body, title or "", why_not or (whole[1] if whole else ""), case)
        for why_not, case, language, title, body in BLOCK.findall(text)
    ]
    return [block for block in found if block.title or block.language in ("sh", "console")]


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a block, each with the output that is shown for it."""
    if block.language == "sh":
        return [(block.text, [])]
    parts = block.text.removeprefix("$ ").split("\n$ ")
    return [(part.split("\n")[0], part.splitlines()[1:]) for part in parts]
