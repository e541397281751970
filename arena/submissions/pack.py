"""A pack: the files of a submission as one value, the same for the same files.

A pack knows for each file its path, whether it may be executed and its content, and nothing else: no times, no
owners, no empty folders. It is kept as a tar archive, sorted by path. Its hash is the SHA-256 of the lines

    SHA256-OF-THE-CONTENT x PATH        ("-" in place of "x" where it may not be executed)

in the same order, each with a newline.
"""

import io
import os
import stat
import tarfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath

from arena.submissions.errors import PackError

MOST_BYTES = 128 * 1024 * 1024
"""Bytes of all files of a pack together."""

MOST_FILES = 10_000

MOST_WALKED = 200_000
"""Files that are looked at in a folder, whether they are packed or not."""

LONGEST_PATH = 400
"""Bytes of a file's path inside the folder."""

JUNK = frozenset({
    ".git", ".hg", ".svn", ".jj", ".venv", "venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".hypothesis", ".idea", ".vscode", ".gradle", ".DS_Store", "Thumbs.db", ".bin",
})  # fmt: skip
"""Names that are never packed: version control, caches, editors, and npm's links to programs."""

JUNK_ENDINGS = (".pyc", ".pyo", ".swp", "~")

PRODUCTS = frozenset({"build", "dist", "target", "obj", "out"})
"""Names that are not packed where a build step makes them anew. `node_modules` is not one of them: it is a bot's
vendored sources, without which nothing could be built without a network."""

INTERMEDIATE = frozenset({"incremental", ".fingerprint", "deps"})
"""Names below a folder `target` that a build leaves behind and no bot needs."""


@dataclass(frozen=True, slots=True)
class File:
    """One file: its path inside the folder with slashes, whether it may be executed, and what is in it."""

    path: str
    executable: bool
    content: bytes


@dataclass(frozen=True)
class Pack:
    """Files, sorted by path."""

    files: tuple[File, ...]

    @cached_property
    def sha256(self) -> str:
        """The hash of the pack, in hex."""
        lines = (
            f"{sha256(file.content).hexdigest()} {'x' if file.executable else '-'} {file.path}\n" for file in self.files
        )
        return sha256("".join(lines).encode()).hexdigest()

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(len(file.content) for file in self.files)

    def to_bytes(self) -> bytes:
        """Return the pack as a tar archive."""
        whole = io.BytesIO()
        with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for file in self.files:
                entry = tarfile.TarInfo(file.path)
                entry.size = len(file.content)
                entry.mode = 0o755 if file.executable else 0o644
                archive.addfile(entry, io.BytesIO(file.content))
        return whole.getvalue()

    @classmethod
    def from_bytes(cls, archive: bytes) -> "Pack":
        """Return the pack that `to_bytes` wrote. Raises PackError where it is damaged."""
        try:
            with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
                return make_pack(
                    File(entry.name, bool(entry.mode & 0o100), content.read())
                    for entry in opened
                    # A sparse file would unfold to any size: packs have none.
                    if not entry.issparse() and (content := opened.extractfile(entry)) is not None
                )
        except (tarfile.TarError, ValueError, OverflowError) as error:
            raise PackError(f"a pack is damaged ({error}): restore the database from a copy") from None

    def write(self, folder: Path, *, writable: bool) -> None:
        """Write the files below `folder`, which exists; where not `writable`, nobody may change them or add others."""
        folders = {folder}
        for file in self.files:
            path = folder / checked(file.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(parent for parent in path.parents if folder in parent.parents)
            path.write_bytes(file.content)
            path.chmod((0o755 if file.executable else 0o644) if writable else (0o555 if file.executable else 0o444))
        for each in sorted(folders, reverse=True):
            each.chmod(0o755 if writable else 0o555)


def make_pack(files: Iterable[File]) -> Pack:
    """Return the pack of some files, in the order of their paths."""
    return Pack(tuple(sorted(files, key=lambda file: file.path.encode())))


def pack_file(path: Path) -> Pack:
    """Return the pack of a single file. Raises PackError."""
    return make_pack([_read(path, path.name, MOST_BYTES)])


def pack_folder(
    folder: Path,
    *,
    ignore: Collection[str] = (),
    keep: Collection[str] = (),
    skip: Collection[str] = (),
) -> Pack:
    """Return the pack of what lies in a folder and is not junk.

    ignore: more names that are left out, wherever they are. keep: paths that alone are taken, with all below them;
    empty: everything. skip: names that are left out at the top of the folder only.

    Raises PackError for a symbolic link, for what is neither file nor folder, for a name that cannot be packed, and
    where there is too much or nothing.
    """
    files: list[File] = []
    room = MOST_BYTES
    walked = list(islice(_walk(folder, "", _Exclusions(ignore, skip, keep)), MOST_WALKED))
    if len(walked) == MOST_WALKED:
        raise PackError(f"{folder} has more than {MOST_WALKED:,} files, which is more than anybody looks through")
    for path, inside in sorted(walked):
        if len(files) == MOST_FILES:
            raise PackError(
                f"{folder} has more than {MOST_FILES:,} files: leave out what the bot does not need "
                '(ignore = ["NAME"] in bot.toml)'
            )
        files.append(_read(path, inside, room))
        room -= len(files[-1].content)
    if not files:
        raise PackError(f"{folder} has no file that could be packed")
    return make_pack(files)


@dataclass(frozen=True, slots=True)
class _Exclusions:
    """What is left out: see `pack_folder`."""

    ignore: Collection[str]
    skip: Collection[str]
    keep: Collection[str]

    def out(self, below: str, name: str) -> bool:
        """Tell whether what lies under that name in a folder of the pack is left out."""
        if name in JUNK or name.endswith(JUNK_ENDINGS) or name in self.ignore or (not below and name in self.skip):
            return True
        if name in INTERMEDIATE and "target" in PurePosixPath(below).parts:
            return True
        inside = f"{below}{name}/"
        kept = [f"{each.rstrip('/')}/" for each in self.keep]
        return bool(kept) and not any(inside.startswith(each) or each.startswith(inside) for each in kept)


def _walk(folder: Path, below: str, left: _Exclusions) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder and their paths inside it."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise PackError(f"the folder {folder} cannot be read: {error.strerror}") from None
    for entry in entries:
        name, inside = entry.name, f"{below}{entry.name}"
        if left.out(below, name):
            continue
        if entry.is_symlink():
            raise PackError(
                f"{entry.path} is a symbolic link, and a submission has none: put the file itself there, "
                f'or leave it out (ignore = ["{name}"] in bot.toml)'
            )
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{checked(inside)}/", left)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path), checked(inside)
        else:
            raise PackError(f"{entry.path} is neither a file nor a folder: a submission has no sockets, pipes, devices")


def _read(path: Path, inside: str, room: int) -> File:
    try:
        # Whatever the path has become since it was looked at: no link is followed, and no pipe waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            mode = os.fstat(descriptor).st_mode
            content = file.read(room + 1) if stat.S_ISREG(mode) else None
    except OSError as error:
        raise PackError(f"{path} cannot be read: {error.strerror}") from None
    if content is None:
        raise PackError(f"{path} is no file")
    if len(content) > room:
        raise PackError(
            f"there is more than {MOST_BYTES // 1024 // 1024} MiB to pack; {path} is the first file that is too much: "
            'leave out what the bot does not need (ignore = ["NAME"] in bot.toml)'
        )
    return File(checked(inside), bool(mode & 0o100), content)


def checked(inside: str) -> str:
    """Return a path inside a pack as it is. Raises PackError where it could lie elsewhere, or cannot be printed."""
    parts = inside.split("/")
    if not inside.isprintable() or "\\" in inside or len(os.fsencode(inside)) > LONGEST_PATH:
        raise PackError(f"the file {inside!r} cannot be packed: its name must be short and printable")
    if any(part in ("", ".", "..") for part in parts):
        raise PackError(f"the path {inside} leaves the bot's folder")
    return inside
