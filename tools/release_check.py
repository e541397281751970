"""Checks that a release can be made of the tree: python -m tools.release_check. docs/releases.md has the steps.

Prints a line for each check, and exits with 1 if any fails.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

from tools.workspace import OF_THE_CORE, beside, members

ROOT = Path(__file__).parent.parent

REQUIRED = (
    ("pyproject.toml", "botarena-rules"), ("pyproject.toml", "botarena-sdk"),
    ("packages/botarena-rules/pyproject.toml", "botarena-sdk"),
    ("packages/botarena-sdk/pyproject.toml", "botarena-rules"),
)  # fmt: skip
"""The distributions of this tree that others require in their own version, each with the file that says so."""

Check = Callable[[Path], Iterator[str]]
"""Yields what is wrong with the tree, in sentences."""


def release_version(root: Path) -> str:
    """Return the version of the tree."""
    version: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    return version


def stated_versions(root: Path) -> dict[str, str | None]:
    """Return the version in each file that states it; None where it is missing."""
    packages = root / "packages"

    def search(path: str, pattern: str) -> str | None:
        found = re.search(pattern, (root / path).read_text(), re.MULTILINE)
        return found and found[1]

    return {
        "arena/__init__.py": search("arena/__init__.py", r'^__version__ = "(.*)"$'),
        **{f"{file}, {name}": search(file, rf'^(?:    |positions = \[)"{name}==([^"]*)"') for file, name in REQUIRED},
        "CITATION.cff": search("CITATION.cff", r"^version: (.*)$"),
        **{folder: release_version(root / folder) for folder in [*members(root), *beside(root)]},
        "packages/botarena-sdk-go/build.sh": search("packages/botarena-sdk-go/build.sh", r"^version=(.*)$"),
        "packages/botarena-sdk-rust": search("packages/botarena-sdk-rust/Cargo.toml", r'^version = "(.*)"$'),
        "packages/botarena-sdk-typescript": search(
            "packages/botarena-sdk-typescript/package.json", r'^  "version": "(.*)",$'
        ),
        "packages/botarena-sdk-java": ElementTree.parse(packages / "botarena-sdk-java/pom.xml").findtext("{*}version"),
    }


def check_versions(root: Path) -> Iterator[str]:
    """All versions are that of pyproject.toml."""
    version = release_version(root)
    for place, stated in stated_versions(root).items():
        if stated != version:
            yield f"{place} states version {stated}, pyproject.toml {version}"


def check_changelog(root: Path) -> Iterator[str]:
    """The newest heading of the changelog is that of the version, with a date and entries."""
    version = release_version(root)
    _, _, newest = (root / "CHANGELOG.md").read_text().partition("\n## ")
    title, _, entries = newest.partition("\n## ")[0].partition("\n")
    if not re.fullmatch(re.escape(version) + r" \(\d{4}-\d\d-\d\d\)", title):
        yield f'CHANGELOG.md begins with "{title}": it must be "{version} (YEAR-MONTH-DAY)"'
    if not re.search(r"^- ", entries, re.MULTILINE):
        yield f"CHANGELOG.md has no entry for {version}"


def check_tree(root: Path) -> Iterator[str]:
    """Everything is committed, and no tag of the version exists."""
    changed = run(root, "git", "status", "--porcelain").stdout.splitlines()
    if changed:
        yield f"{len(changed)} files are not committed: {', '.join(line[3:] for line in changed[:5])}"
    tag = f"v{release_version(root)}"
    if run(root, "git", "tag", "--list", tag).stdout.strip():
        yield f"the tag {tag} exists: choose another version"


def check_generated(root: Path) -> Iterator[str]:
    """The lock, the generated pages and the licences are current."""
    if run(root, os.environ.get("UV", "uv"), "lock", "--check", "--quiet").returncode:
        yield "uv.lock is not current: run `uv lock`"
    for module, page in PAGES.items():
        if run(root, sys.executable, "-m", module).stdout != (root / page).read_text():
            yield f"{page} is not current: run `make docs`"
    licences = run(root, sys.executable, "-m", "tools.licences", "--check")
    if licences.returncode:
        yield licences.stderr.strip()


def check_wheels(root: Path) -> Iterator[str]:
    """Folder dist holds wheels and sdists of the version and nothing else, made after the last change."""
    version = release_version(root)
    made = {path.name: path for path in (root / "dist").glob("*") if path.suffix in (".whl", ".gz")}
    names = [Path(folder).name.replace("-", "_") for folder in [*members(root), *beside(root)]]
    ours = tuple(f"{name}-{version}" for name in ("botarena", *names))
    narrow = sorted(name for name in made if "-linux_" in name)
    if narrow:
        yield f"dist holds {', '.join(narrow)}, which the index refuses (they fit this system alone): run `make wheels`"
    others = [name for name in made if not name.startswith(ours)]
    if others:
        yield f"dist holds {', '.join(sorted(others))}: remove what is not of {version}"
    pure = [pattern for name in names for pattern in (f"{name}-*-py3-none-any.whl", f"{name}-*.tar.gz")]
    for pattern in ("botarena-*.whl", "botarena-*.tar.gz", *pure):
        if not any(path.match(pattern) for path in made.values()):
            yield f"dist has no {pattern}: run `make wheels`"
    changed = run(root, "git", "log", "-1", "--format=%ct").stdout.strip()
    old = sorted(name for name, path in made.items() if changed and path.stat().st_mtime < int(changed))
    if old:
        yield f"{old[0]} is older than the last commit: run `make wheels`"


def check_sdist(root: Path) -> Iterator[str]:
    """A wheel can be built from the tree as git exports it, without git."""
    with tempfile.TemporaryDirectory() as folder:
        exported = subprocess.run(["git", "archive", "HEAD"], cwd=root, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x"], input=exported, cwd=folder, check=True)
        building = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", f"{folder}/built")
        projects = {"botarena": Path(folder)} | {name: Path(folder, "packages", name) for name in OF_THE_CORE}
        for name, project in projects.items():
            built = run(project, *building)
            if built.returncode:
                yield f"there is no wheel of {name} without git: {built.stderr.strip()[-300:]}"


PAGES = {
    "arena.cli.options_page": "docs/options.md",
    "tools.protocol_page": "docs/protocol.md",
    "arena.cli.reference_page": "docs/cli.md",
    "arena.envs.layout_page": "docs/observations.md",
}
"""The modules that make a page, with the page."""

CHECKS: dict[str, Check] = {
    "tree": check_tree,
    "versions": check_versions,
    "changelog": check_changelog,
    "generated files": check_generated,
    "without git": check_sdist,
    "wheels": check_wheels,
}


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder."""
    environment = os.environ | {"ARENA_COMPILE": "none"}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def main(root: Path = ROOT) -> int:
    """Run all checks and print what they find. Return the exit code."""
    failed = False
    for name, check in CHECKS.items():
        wrong = list(check(root))
        failed |= bool(wrong)
        print(f"{name}: {'; '.join(wrong) or 'good'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
