"""The Python packages that a bot depends on: where they are declared, and how they are fetched when it is submitted.

One of these declares them: `dependencies` in bot.toml, a requirements.txt beside it, or inline metadata in the Python
file that the command starts (PEP 723); where none does, the project's dependencies in a pyproject.toml. What arena's
own Python has in a version that fits is used from there. The rest is fetched as wheels, so that nothing of it runs, and
becomes a part of the bot: the folder `PACKAGES`, with the file `LOCK`, which names each package with its version and
hashes. Every bot's Python searches that folder.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from arena.packs.errors import ManifestError, NotBuilt
from arena.packs.manifest import FILE, PYTHONS, Manifest
from arena.packs.pack import Pack
from arena.values.checking import read_toml
from referee.engine.toml import read_table
from referee.sandbox.environment import PACKAGES

REQUIREMENTS = "requirements.txt"
PROJECT = "pyproject.toml"
LOCK = f"{PACKAGES}/requirements.lock"

MAX_REQUIREMENTS = 200

MAX_BYTES = 64 * 1024
"""Of a requirements.txt and a pyproject.toml, and how far into a Python file inline metadata is looked for."""

MAX_LINE = 500
"""Characters of a requirement."""

OF_THE_SDK = ("botarena-sdk", "botarena-rules", "grpcio", "protobuf", "trio")
"""Packages that bots take from arena's Python, in its version: `arena.sdk`, the rules, and what both run on."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The packages that a bot depends on."""

    source: str
    """The name of the file that declares them."""
    provided: tuple[Requirement, ...]
    """The packages that arena's Python has in a version that fits."""
    missing: tuple[Requirement, ...]
    """The other packages."""


class _Declaring(Struct, frozen=True):
    """A table of a TOML file that declares packages; its other keys are for others."""

    dependencies: tuple[str, ...] = ()


class _PyProject(Struct, frozen=True):
    """What a pyproject.toml says here."""

    project: _Declaring = _Declaring()


Read = Callable[[str], bytes | None]
"""Returns the content of a bot's file by its path, None if there is none."""


def in_pack(files: Pack) -> Read:
    """Return what reads the files of a pack."""
    return {file.path: file.content for file in files.files}.get


def in_folder(folder: Path) -> Read:
    """Return what reads the beginnings of files of a folder. It raises ManifestError for one that cannot be read."""

    def read(path: str) -> bytes | None:
        try:
            if not (folder / path).is_file():
                return None
            with (folder / path).open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError as error:
            raise ManifestError(f"{folder / path} cannot be read: {error.strerror}") from None

    return read


def in_file(file: Path) -> Read:
    """Return what reads the beginning of this one file of a bot, under its name."""
    return lambda path: in_folder(file.parent)(path) if path == file.name else None


def find_dependencies(manifest: Manifest, read: Read) -> Dependencies | None:
    """Return what a bot declares to depend on here; None if nothing.

    read: reads its files.

    Raises ManifestError for a mistake, for two declarations, and where a bot that is not in Python declares any.
    """
    is_python = manifest.command[0] in PYTHONS
    found = []
    if manifest.dependencies:
        if not is_python:
            raise ManifestError(
                f"{FILE}: dependencies are Python packages, and its command does not start with python3"
            )
        found.append(_parse(FILE, manifest.dependencies))
    if is_python and (content := read(REQUIREMENTS)) is not None:
        found.append(_parse(REQUIREMENTS, _lines(_text(REQUIREMENTS, content))))
    script = next((word for word in manifest.command[1:] if PurePosixPath(word).suffix == ".py"), "")
    if is_python and script and (content := read(str(PurePosixPath(script)))) is not None:
        found.append(_parse(script, _inline(script, content)))
    found = [declared for declared in found if declared.provided or declared.missing]
    if not found and is_python and (content := read(PROJECT)) is not None:
        project = read_toml(read_table(_text(PROJECT, content), ManifestError, PROJECT), _PyProject).project
        found = [
            declared for declared in [_parse(PROJECT, project.dependencies)] if declared.provided or declared.missing
        ]
    if len(found) > 1:
        raise ManifestError(f"{found[0].source} and {found[1].source} both declare dependencies: keep one of them")
    return found[0] if found else None


def check_installed(manifest: Manifest, folder: Path, read: Read) -> None:
    """Raise NotBuilt if a bot that plays in its own folder depends on packages that are not installed there."""
    dependencies = find_dependencies(manifest, read)
    if dependencies is not None and dependencies.missing and not (folder / PACKAGES).is_dir():
        missing = " ".join(f"'{requirement}'" for requirement in dependencies.missing)
        raise NotBuilt(
            f"what {dependencies.source} declares is not installed in {folder}: submit the bot, or "
            f"(cd {folder} && uv pip install --target {PACKAGES} {missing})"
        )


def _is_provided(requirement: Requirement) -> bool:
    if requirement.url or (requirement.extras and canonicalize_name(requirement.name) not in OF_THE_SDK):
        return False
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False


def _parse(source: str, lines: "Iterator[str] | tuple[str, ...]") -> Dependencies:
    requirements: list[Requirement] = []
    for line in lines:
        if line.startswith("-"):
            raise ManifestError(f'{source}: "{line[:80]}" is an option of pip: name packages only')
        if (requirement := _requirement(source, line)) is None:
            continue
        if requirement.url is not None:
            raise ManifestError(
                f"{source}: {requirement.name} is to come from {requirement.url[:80]}: only packages of the index are "
                "fetched; put other sources into the bot's folder"
            )
        if canonicalize_name(requirement.name) in OF_THE_SDK and not _is_provided(requirement):
            raise ManifestError(
                f"{source}: {requirement} does not fit {requirement.name} {version(requirement.name)}, with which "
                "arena.sdk runs: ask for no version of it"
            )
        requirements.append(requirement)
        if len(requirements) > MAX_REQUIREMENTS:
            raise ManifestError(f"{source} names more than {MAX_REQUIREMENTS} packages")
    provided = tuple(filter(_is_provided, requirements))
    return Dependencies(source, provided, tuple(wanted for wanted in requirements if wanted not in provided))


def _requirement(source: str, line: str) -> Requirement | None:
    """Return a requirement without its marker, None if that excludes it here. Raises ManifestError."""
    try:
        if len(line) > MAX_LINE or not line.isprintable():
            raise InvalidRequirement(f"it has more than {MAX_LINE} characters, or some that cannot be printed")
        requirement = Requirement(line)
        holds = requirement.marker is None or requirement.marker.evaluate()
        requirement.marker = None  # its texts may hold anything, line ends among it
        _is_provided(requirement)
    except (ValueError, LookupError, RecursionError) as error:  # packaging does not check all of it when it parses
        why = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise ManifestError(f'{source}: "{line[:80]}" is no requirement such as "networkx>=3" ({why})') from None
    return requirement if holds else None


def _lines(text: str) -> Iterator[str]:
    """Yield the requirements of a requirements.txt."""
    for line in text.replace("\\\n", " ").splitlines():
        line = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
        if " --hash=" in line:
            raise ManifestError(
                f"{REQUIREMENTS}: hashes are not taken over, as arena records its own: leave out --hash=..."
            )
        if line:
            yield line


def _inline(source: str, content: bytes) -> tuple[str, ...]:
    """Return the dependencies in the inline metadata of a Python file."""
    blocks = list(_metadata_blocks(content[:MAX_BYTES].decode("utf-8", "replace").splitlines()))
    if not blocks:
        return ()
    if len(blocks) > 1:
        raise ManifestError(f"{source} has two blocks of inline metadata (# /// script): keep one of them")
    return read_toml(read_table(blocks[0], ManifestError, f"{source}, inline metadata"), _Declaring).dependencies


def _metadata_blocks(lines: list[str]) -> Iterator[str]:
    """Yield the text of each block that begins with `# /// script` and ends with the last `# ///` of its comment."""
    place = 0
    while place < len(lines):
        if lines[place] != "# /// script":
            place += 1
            continue
        start = end = place = place + 1
        while place < len(lines) and (lines[place] == "#" or lines[place].startswith("# ")):
            if lines[place] == "# ///":
                end = place
            place += 1
        if end > start:
            yield "\n".join(line[2:] for line in lines[start:end])


def _text(source: str, content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise ManifestError(f"{source} has more than {MAX_BYTES // 1024} KiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ManifestError(f"{source} is not UTF-8") from None
