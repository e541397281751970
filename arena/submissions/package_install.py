"""Fetches the Python packages that a bot depends on: wheels only, frozen by their hashes.

uv resolves and unpacks them in the sandbox of builds. Nothing of a package runs, and nothing is compiled.
"""

import os
import re
import shutil
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.utils import canonicalize_name

from arena.submissions.build import BuildTerms, run_confined
from arena.submissions.dependencies import LOCK, OF_THE_SDK, Dependencies
from arena.submissions.errors import BuildError
from referee.sandbox.environment import PACKAGES
from referee.sandbox.filesystem_view import is_system

_INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_NATIVE_TLS")
"""Where uv looks for packages; an address may hold a password, which builds of bots must not see."""

_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^ \\;]+)")


@dataclass(frozen=True, slots=True)
class Package:
    """A package that a bot uses. is_own: whether it came with the bot; otherwise it is in arena's Python."""

    name: str
    version: str
    is_own: bool

    def __str__(self) -> str:
        return f"{self.name} {self.version}" + ("" if self.is_own else " (arena's)")


def install(dependencies: Dependencies, folder: Path, terms: BuildTerms) -> list[Package]:
    """Install what a bot depends on into its folder and return the packages that it uses.

    folder: of the bot, writable. terms: whether the network may be used, and for how long. Must be called in the main
    thread.

    Raises BuildError if the network is needed and not granted, or a package cannot be found, fetched or unpacked.
    """
    theirs = [
        Package(canonicalize_name(each.name), version(each.name), is_own=False)
        for each in dependencies.requirements
        if each not in dependencies.missing()
    ]
    missing = dependencies.missing()
    if not missing:
        return theirs
    names = ", ".join(map(str, missing))
    if not terms.network:
        raise BuildError(
            f"it depends on {names} ({dependencies.source}), which must be fetched: --build-network lets it"
        )
    if (folder / PACKAGES).exists():
        raise BuildError(f"its file {PACKAGES} is where the packages that it depends on belong: call it something else")
    (folder / PACKAGES).mkdir()
    asked, constraints, lock = (folder / PACKAGES / name for name in ("asked.txt", "constraints.txt", "all.txt"))
    asked.write_text("".join(f"{each}\n" for each in missing))
    constraints.write_text("".join(f"{line}\n" for line in _constraints(theirs)))
    title = f"fetching {names} ({dependencies.source})"
    common = ["--only-binary", ":all:", "--no-cache", "--no-config", "--quiet", "--no-python-downloads"]
    common += ["--python", sys.executable]
    paths = [str(path.relative_to(folder)) for path in (asked, constraints, lock)]
    uv = [_uv(), "pip"]
    compile = ["compile", paths[0], "-c", paths[1], "-o", paths[2], "--generate-hashes", "--no-header", "--no-annotate"]
    run_confined([*uv, *compile, *common], folder, terms, title, _INDEX_VARIABLES)
    packages, text = _own(lock.read_text(), {*OF_THE_SDK, *(package.name for package in theirs)})
    (folder / LOCK).write_text(text)
    install = ["install", "-r", LOCK, "--require-hashes", "--no-deps", "--target", PACKAGES, "--link-mode", "copy"]
    run_confined([*uv, *install, *common], folder, terms, title, _INDEX_VARIABLES)
    (folder / LOCK).write_text(text)  # a wheel may hold a file of that name
    for path in (asked, constraints, lock):
        path.unlink()
    shutil.rmtree(folder / PACKAGES / "bin", ignore_errors=True)  # scripts for a Python that is elsewhere
    return packages + theirs


def _constraints(theirs: list[Package]) -> Iterator[str]:
    """Yield the versions of what bots take from arena's Python."""
    yield from (f"{package.name}=={package.version}" for package in theirs)
    for name in OF_THE_SDK:
        try:
            yield f"{name}=={version(name)}"
        except PackageNotFoundError:
            continue


def _own(lock: str, given: Collection[str]) -> tuple[list[Package], str]:
    """Return the packages of a lock file that are a bot's own, and the lock file of these. given: names of others."""
    packages, kept = [], []
    keeping = False
    for line in lock.splitlines(keepends=True):
        if match := _PINNED.match(line):
            keeping = canonicalize_name(match[1]) not in given
            if keeping:
                packages.append(Package(canonicalize_name(match[1]), match[2], is_own=True))
        if keeping:
            kept.append(line)
    return packages, "".join(kept)


def _uv() -> str:
    """Return the path of a uv that the sandbox shows. Raises BuildError where there is none."""
    found = shutil.which("uv")
    with suppress(ImportError, FileNotFoundError):
        from uv import find_uv_bin

        found = find_uv_bin()
    if found is None or not (Path(found).resolve().is_relative_to(sys.prefix) or is_system(os.path.realpath(found))):
        raise BuildError(
            "packages of bots are fetched by uv, which is not installed beside arena: pip install 'botarena[uv]'"
        )
    return found
