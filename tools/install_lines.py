"""Makes every command that installs arena by pip say what works: python -m tools.install_lines. Part of `make docs`.

The switch is the table in docs/releases.md. While it lists no release, commands take arena from its wheels in `dist`
(`make dist`); after the first, from the package index.
"""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

WHEELS = "--find-links dist"

_FOLDERS = ("arena", "docs", "packages", "sample_bots")
_SUFFIXES = {".ipynb", ".md", ".py", ".tmpl"}
_OTHERS = {"__pycache__", "build", "gen", "node_modules", "target", "tests"}
_COMMAND = re.compile(rf"\bpip install (?:{WHEELS} )?(?='?botarena)")
_ROW = re.compile(r"^\| \d+\.\d+\.\d+ \| \d{4}-\d\d-\d\d \|", re.MULTILINE)


def is_on_index(root: Path) -> bool:
    """Return whether a release is listed."""
    _, _, releases = (root / "docs/releases.md").read_text().partition("\n## Releases\n")
    return _ROW.search(releases.partition("\n## ")[0]) is not None


def corrected(text: str, on_index: bool) -> str:
    """Return a text with the commands in it as they work."""
    text = _COMMAND.sub("pip install " if on_index else f"pip install {WHEELS} ", text)
    return re.sub(r"^ON_INDEX = (True|False)$", f"ON_INDEX = {on_index}", text, flags=re.MULTILINE)


def corrections(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a tree that say something else, each with the text that it should have."""
    on_index = is_on_index(root)
    paths = [root / "README.md", *(path for folder in _FOLDERS for path in sorted((root / folder).rglob("*")))]
    for path in paths:
        if path.suffix in _SUFFIXES and path.is_file() and not _OTHERS.intersection(path.relative_to(root).parts):
            text = path.read_text()
            if (right := corrected(text, on_index)) != text:
                yield path, right


if __name__ == "__main__":
    for path, right in corrections(ROOT):
        path.write_text(right)
        print(path.relative_to(ROOT))
