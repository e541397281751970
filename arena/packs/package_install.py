"""Fetches the Python packages that a bot depends on: wheels only, frozen by their hashes.

uv resolves and unpacks them in the sandbox of builds. Nothing of a package runs, and nothing is compiled.
"""

import os
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from packaging.utils import canonicalize_name

from arena.packs.build import BuildTerms, ConfinedStep, run_confined
from arena.packs.dependencies import LOCK, OF_THE_SDK, Dependencies
from arena.packs.errors import BuildError
from arena.values.installing import how_to_install
from referee.sandbox.environment import PACKAGES
from referee.sandbox.filesystem_view import is_system

_INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_NATIVE_TLS")
"""Where uv looks for packages; an address may hold a password, which builds of bots must not see."""

_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^ \\;]+)")


@dataclass(frozen=True, slots=True)
class Package:
    """A package that a bot uses."""

    name: str
    version: str
    is_own: bool
    """Whether it came with the bot; otherwise it is in arena's Python."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}" + ("" if self.is_own else " (arena's)")


def install(dependencies: Dependencies, folder: Path, terms: BuildTerms) -> list[Package]:
    """Install what a bot depends on into its folder and return the packages that it uses.

    Must be called in the main thread.

    folder: the folder of the bot, writable.
    terms: whether the network may be used, and for how long.

    Raises BuildError if the network is needed and not granted, or a package cannot be found, fetched or unpacked.
    """
    provided = [
        Package(canonicalize_name(requirement.name), version(requirement.name), is_own=False)
        for requirement in dependencies.provided
    ]
    if not dependencies.missing:
        return provided
    names = ", ".join(map(str, dependencies.missing))
    if not terms.network:
        raise BuildError(
            f"it depends on {names} ({dependencies.source}), which must be fetched: --build-network lets it"
        )
    if (folder / PACKAGES).exists():
        raise BuildError(f"its file {PACKAGES} is where the packages that it depends on belong: call it something else")
    (folder / PACKAGES).mkdir()
    step = ConfinedStep(
        f"fetching {names} ({dependencies.source})",
        f"install the packages into the bot's folder {PACKAGES} and submit it with them "
        f"(uv pip install --target={PACKAGES} ...)",
        _INDEX_VARIABLES,
    )
    uv = _Uv(folder, terms, step)
    versions = {package.name: package.version for package in provided} | {name: version(name) for name in OF_THE_SDK}
    packages, lock = _own(uv.lock(map(str, dependencies.missing), versions), versions)
    (folder / LOCK).write_text(lock)
    uv.install()
    (folder / LOCK).write_text(lock)  # a wheel may hold a file of that name
    shutil.rmtree(folder / PACKAGES / "bin", ignore_errors=True)  # scripts for a Python that is elsewhere
    return packages + provided


class _Uv:
    """Runs uv in the folder of a bot, as a confined step."""

    def __init__(self, folder: Path, terms: BuildTerms, step: ConfinedStep) -> None:
        self._folder, self._terms, self._step = folder, terms, step
        self._program = _find_uv()

    def lock(self, requirements: Iterable[str], versions: Mapping[str, str]) -> str:
        """Return the lock file for requirements.

        versions: by name, those of the packages of which no other version may be chosen.
        """
        asked, constraints, locked = (f"{PACKAGES}/{name}" for name in ("asked.txt", "constraints.txt", "all.txt"))
        (self._folder / asked).write_text("".join(f"{requirement}\n" for requirement in requirements))
        (self._folder / constraints).write_text("".join(f"{name}=={number}\n" for name, number in versions.items()))
        self._run(
            "compile", asked, "-c", constraints, "-o", locked, "--generate-hashes", "--no-header", "--no-annotate"
        )
        lock = (self._folder / locked).read_text()
        for name in (asked, constraints, locked):
            (self._folder / name).unlink()
        return lock

    def install(self) -> None:
        """Unpack what the lock file of the bot names."""
        self._run("install", "-r", LOCK, "--require-hashes", "--no-deps", "--target", PACKAGES, "--link-mode", "copy")

    def _run(self, *words: str) -> None:
        line = [self._program, "pip", *words, "--only-binary", ":all:", "--no-cache", "--no-config", "--quiet"]
        line += ["--no-python-downloads", "--python", sys.executable]
        run_confined(line, self._folder, self._terms, self._step)


def _own(lock: str, given: Collection[str]) -> tuple[list[Package], str]:
    """Return the packages of a lock file that are a bot's own, and the lock file of these.

    given: the names of the packages that are not its own.
    """
    packages, lines = [], []
    keeping = False
    for line in lock.splitlines(keepends=True):
        if match := _PINNED.match(line):
            keeping = canonicalize_name(match[1]) not in given
            if keeping:
                packages.append(Package(canonicalize_name(match[1]), match[2], is_own=True))
        if keeping:
            lines.append(line)
    return packages, "".join(lines)


def _find_uv() -> str:
    """Return the path of a uv that the sandbox shows. Raises BuildError where there is none."""
    found = shutil.which("uv")
    with suppress(ImportError, FileNotFoundError):
        from uv import find_uv_bin

        found = find_uv_bin()
    if found is None or not (Path(found).resolve().is_relative_to(sys.prefix) or is_system(os.path.realpath(found))):
        raise BuildError(
            f"packages of bots are fetched by uv, which is not installed beside arena: {how_to_install('botarena[uv]')}"
        )
    return found
