"""Pages of the code that the documents link to: the site has no forge to lead to."""

import posixpath
import subprocess
from collections.abc import Iterator
from pathlib import Path

LARGEST = 64_000
"""Bytes of a file that is shown."""

_LEFT_OUT = (".gitignore", ".sum", "_pb2.py", "_pb2.pyi")
"""Endings of files that nobody wants to read."""

LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".ts": "typescript",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cpp": "cpp",
    ".sh": "sh",
    ".toml": "toml",
    ".proto": "protobuf",
    ".json": "json",
    ".xml": "xml",
    ".yaml": "yaml",
    ".service": "ini",
    ".mod": "text",
}
"""Of the highlighter, by the suffix of a file."""


class Sources:
    """The files and folders outside docs/ to which pages link, each as a page of its own below `source/`."""

    def __init__(self, root: Path) -> None:
        """Begin without pages.

        root: of the checkout.
        """
        self.root = root
        self._wanted: set[str] = set()

    def page(self, path: str) -> str:
        """Return the page, below docs/, of a file or folder of the checkout, and have it made.

        Raises FileNotFoundError if there is none.
        """
        if path == "CHANGELOG.md":
            return "changelog.md"
        if path == "docs/rules":
            return "rules.md"
        if not (self.root / path).exists():
            raise FileNotFoundError(f"a page links to {path}, which does not exist")
        self._wanted.add(path)
        return f"source/{path}.md"

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the place below docs/ and the text of each page."""
        for path in sorted(self._wanted):
            listed = subprocess.run(
                ["git", "ls-files", "--", path], cwd=self.root, check=True, stdout=subprocess.PIPE, text=True
            )
            files = [file for file in listed.stdout.split() if not file.endswith(_LEFT_OUT)]
            blocks = [self._block(file, path) for file in files]
            yield (
                f"source/{path}.md",
                f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n" + "\n\n".join(blocks) + "\n",
            )

    def _block(self, file: str, shown: str) -> str:
        """Return the heading and the text of one file.

        shown: the file or folder whose page it stands on.
        """
        heading = f"## {posixpath.relpath(file, shown)}\n\n" if file != shown else ""
        content = (self.root / file).read_bytes()
        if len(content) > LARGEST or b"\0" in content:
            return f"{heading}{len(content)} bytes, not shown here."
        language = LANGUAGES.get(Path(file).suffix, "text")
        return f"{heading}````` {language}\n{content.decode()}\n`````"
