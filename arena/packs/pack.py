"""A pack: the files of a submission as one value, the same for the same files.

A pack holds the path, the executable bit and the content of each file, and nothing else: no times, no owners, no
empty folders. It is stored as a tar archive, sorted by path. Its hash is the SHA-256 of the lines

    SHA256-OF-THE-CONTENT x PATH        ("-" instead of "x" if it is not executable)

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

from arena.packs.errors import PackError
from arena.packs.left_out import JUNK, JUNK_ENDINGS, Selection

MOST_BYTES = 128 * 1024 * 1024
"""Bytes of all files of a pack together."""

MOST_FILES = 10_000

MOST_WALKED = 200_000
"""Most files in a folder, packed or not."""

LONGEST_PATH = 400
"""Bytes of a file's path inside the folder."""

FILE_TIME = 318_211_200
"""The date of unpacked read-only files: 1980-02-01 UTC, which zip files can hold in every time zone."""

INTERMEDIATE = frozenset({"incremental", ".fingerprint", "deps"})
"""Names below a folder `target` that a build leaves and no bot needs."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a pack."""

    path: str
    """The path inside the folder, with slashes."""
    executable: bool
    """Whether its executable bit is set."""
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
        """Return the pack that `to_bytes` wrote. Raises PackError if it is damaged."""
        try:
            with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as opened:
                return make_pack(
                    File(entry.name, bool(entry.mode & 0o100), content.read())
                    for entry in opened
                    # A sparse file could expand to any size: packs have none.
                    if not entry.issparse() and (content := opened.extractfile(entry)) is not None
                )
        except (tarfile.TarError, ValueError, OverflowError) as error:
            raise PackError(f"a pack is damaged ({error}): restore the database from a copy") from None

    def write(self, folder: Path, *, writable: bool) -> None:
        """Write the files below the existing `folder`, read-only unless `writable`.

        Read-only files have the date FILE_TIME, so that a file that holds the date of another one (a class archive of
        Java that of its jar) is valid wherever they are written.
        """
        folders = {folder}
        for file in self.files:
            path = folder / checked_path(file.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(above for above in path.parents if folder in above.parents)
            path.write_bytes(file.content)
            path.chmod((0o755 if file.executable else 0o644) if writable else (0o555 if file.executable else 0o444))
            if not writable:
                os.utime(path, (FILE_TIME, FILE_TIME))
        for parent in sorted(folders, reverse=True):
            parent.chmod(0o755 if writable else 0o555)


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
    selection: Selection | None = None,
) -> Pack:
    """Return the pack of the files in a folder, without junk.

    ignore: more names to leave out, at any depth.
    keep: take only these paths with all below them; empty: everything.
    skip: names to leave out at the top of the folder only.
    selection: what else to leave out, in the folder of an author; it gets what was left out.

    Raises PackError for a symbolic link or another special file, for a name that cannot be packed, and if there is
    too much or nothing.
    """
    files: list[File] = []
    room = MOST_BYTES
    walked = list(islice(_walk(folder, "", _Exclusions(ignore, skip, keep, selection)), MOST_WALKED))
    if len(walked) == MOST_WALKED:
        raise PackError(f"{folder} has more than {MOST_WALKED:,} files: submit a folder that holds only the bot")
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
    """What to leave out: see `pack_folder`."""

    ignore: Collection[str]
    skip: Collection[str]
    keep: Collection[str]
    selection: Selection | None

    def excludes(self, path: Path, below: str) -> bool:
        """Return whether to leave out a file or folder, and note it.

        below: its folder in the pack, with a slash.
        """
        inside = f"{below}{path.name}"
        found = self._names(path.name, below) or (
            self.selection is not None and self.selection.leaves_out(path, inside)
        )
        if found and self.selection is not None:
            self.selection.note(inside, is_folder=path.is_dir() and not path.is_symlink())
        return found

    def _names(self, name: str, below: str) -> bool:
        """Return whether its name says that it is left out."""
        if name in JUNK or name.endswith(JUNK_ENDINGS) or name in self.ignore or (not below and name in self.skip):
            return True
        if name in INTERMEDIATE and "target" in PurePosixPath(below).parts:
            return True
        inside = f"{below}{name}/"
        keep = [f"{path.rstrip('/')}/" for path in self.keep]
        return bool(keep) and not any(inside.startswith(path) or path.startswith(inside) for path in keep)


def _walk(folder: Path, below: str, exclusions: _Exclusions) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder and their paths inside the pack."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise PackError(f"the folder {folder} cannot be read: {error.strerror}") from None
    for entry in entries:
        name, inside = entry.name, f"{below}{entry.name}"
        if exclusions.excludes(Path(entry.path), below):
            continue
        if entry.is_symlink():
            raise PackError(
                f"{entry.path} is a symbolic link, which cannot be submitted: put the file itself there, "
                f'or leave it out (ignore = ["{name}"] in bot.toml)'
            )
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{checked_path(inside)}/", exclusions)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path), checked_path(inside)
        else:
            raise PackError(f"{entry.path} is neither a file nor a folder: remove sockets, pipes and devices")


def _read(path: Path, inside: str, room: int) -> File:
    try:
        # The path may have changed since: follow no link and do not block on a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            mode = os.fstat(descriptor).st_mode
            content = file.read(room + 1) if stat.S_ISREG(mode) else None
    except OSError as error:
        raise PackError(f"{path} cannot be read: {error.strerror}") from None
    if content is None:
        raise PackError(f"{path} is not a file")
    if len(content) > room:
        raise PackError(
            f"the files exceed {MOST_BYTES // 1024 // 1024} MiB; {path} is the first beyond that: "
            'leave out what the bot does not need (ignore = ["NAME"] in bot.toml)'
        )
    return File(checked_path(inside), bool(mode & 0o100), content)


def checked_path(inside: str) -> str:
    """Return a path inside a pack unchanged. Raises PackError if it could lead outside, or cannot be printed."""
    parts = inside.split("/")
    if "\\" in inside:
        raise PackError(
            f"the file {inside!r} has a backslash in its name, as some Windows programs write paths into archives: "
            "pack the folder with another program, such as tar"
        )
    if not inside.isprintable() or len(os.fsencode(inside)) > LONGEST_PATH:
        raise PackError(f"the file {inside!r} cannot be packed: its name must be short and printable, and UTF-8")
    if any(part in ("", ".", "..") for part in parts):
        raise PackError(f"the path {inside} leads out of the bot's folder")
    return inside
