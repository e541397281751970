"""Writes docs/licences.md: the licences of all packages that botarena and its extras install.

    python -m tools.licences [--check]

Which packages and versions these are stands in uv.lock, their licences in their own metadata, read where Python finds
them: `make licences` installs them all into an environment of their own. --check only says whether the page is current.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.markers import Marker

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/licences.md"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OURS = re.compile("botarena(-|$)")

HEAD = """# Licences of dependencies

What an installation of botarena consists of on Linux, and what each of its extras adds, with the licences that the
packages state. Made by `make licences` from uv.lock.

| package | version | licence | needed for |
| --- | --- | --- | --- |
"""

IN_FILES = {"resvg-py": "MIT"}
"""Licences of packages whose metadata states none, as the file LICENSE that they come with says."""

Packages = dict[tuple[str, str], set[str]]
"""What each package, by name and version, is needed for: `arena` itself, or extras."""


class LicenceError(Exception):
    """The page cannot be made. The text says why."""


def locked_packages(lock: dict[str, Any]) -> Packages:
    """Return all packages of a lock file that botarena needs on this system, for itself and by its extras."""
    entries: dict[str, list[Any]] = {}
    for entry in lock["package"]:
        entries.setdefault(entry["name"], []).append(entry)
    [ours] = entries["botarena"]
    found: Packages = {}
    for use, dependencies in {"arena": ours["dependencies"], **ours["optional-dependencies"]}.items():
        waiting, seen = list(dependencies), set()
        while waiting:
            dependency = waiting.pop()
            if not applies(dependency.get("marker", "")):
                continue
            for entry in entries[dependency["name"]]:
                if dependency.get("version", entry["version"]) != entry["version"]:
                    continue
                found.setdefault((entry["name"], entry["version"]), set()).add(use)
                for extra in ("", *dependency.get("extra", ())):
                    if (entry["name"], entry["version"], extra) not in seen:
                        seen.add((entry["name"], entry["version"], extra))
                        waiting += entry["optional-dependencies"][extra] if extra else entry.get("dependencies", [])
    return found


def applies(marker: str) -> bool:
    """Return whether a marker holds on this system, for any Python that arena supports."""
    versions = [{"python_version": version, "python_full_version": f"{version}.0", "extra": ""} for version in PYTHONS]
    return not marker or any(Marker(marker).evaluate(version) for version in versions)


def stated_licence(stated: PackageMetadata) -> str:
    """Return the licence that the metadata of a package states: an SPDX expression, else classifiers, else its text."""
    if expression := stated.get("License-Expression"):
        return str(expression)
    prefix = "License :: OSI Approved :: "
    if classifiers := [
        classifier.removeprefix(prefix)
        for classifier in stated.get_all("Classifier") or []
        if classifier.startswith(prefix)
    ]:
        return ", ".join(sorted(classifiers))
    return str(stated.get("License") or "").strip().split("\n")[0]


def rows(packages: Packages, known: dict[str, str]) -> Iterator[str]:
    """Yield the rows of the page.

    known: licences by package.

    Raises LicenceError for a package without any.
    """
    for (name, version), uses in sorted(packages.items()):
        if OURS.match(name):
            continue
        if not known.get(name):
            raise LicenceError(f"{name} {version} states no licence, or is not installed: run `make licences`")
        needed = "arena" if "arena" in uses else ", ".join(sorted(f"`{use}`" for use in uses))
        yield f"| {name} | {version} | {known[name]} | {needed} |\n"


def installed_licences(packages: Packages) -> dict[str, str]:
    """Return the licences of the packages that are installed, by name."""
    found = {}
    for name, _ in packages:
        try:
            found[name] = stated_licence(metadata(name)) or IN_FILES.get(name, "")
        except PackageNotFoundError:
            continue
    return found


def listed_licences(page: str) -> dict[str, str]:
    """Return the licences on a page, by package."""
    cells = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0]: row[2] for row in cells[2:]}


def main(*words: str) -> int:
    """Write the page or, with --check, compare it with the lock. Return the exit code."""
    packages = locked_packages(tomllib.loads((ROOT / "uv.lock").read_text()))
    listed = listed_licences(PAGE.read_text()) if PAGE.exists() else {}
    known = listed if words else listed | installed_licences(packages)
    try:
        page = HEAD + "".join(rows(packages, known))
    except LicenceError as error:
        print(error, file=sys.stderr)
        return 1
    if words and page != PAGE.read_text():
        print("docs/licences.md does not list what uv.lock names: run `make licences`", file=sys.stderr)
        return 1
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
