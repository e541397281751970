"""A file that somebody sends: a Python file, or an archive of a bot's folder, unpacked with care.

What it says of itself is not believed: sizes are counted as bytes come out, paths must stay below the folder, and
links, devices and whatever else is no file are refused.
"""

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO
from zlib import error as ZlibError

from arena.submissions.errors import PackError
from arena.submissions.pack import MOST_FILES, File, made

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of all files of an uploaded archive together."""


def unpacked(name: str, content: bytes, folder: Path) -> Path:
    """Write an uploaded file below an empty folder; return what is to be submitted there.

    name: what the file was called. Raises PackError where it is none that can be taken.
    """
    file = PurePosixPath(name.replace("\\", "/")).name
    if file.endswith(".py"):
        files = [File(file, False, content)]
    elif file.endswith(".zip"):
        files = list(_bounded(_zipped(content)))
    elif file.endswith((".tar", ".tar.gz", ".tgz")):
        files = list(_bounded(_tarred(content)))
    else:
        raise PackError("send a Python file (.py), or a folder with a bot.toml as .zip, .tar or .tar.gz")
    if not files:
        raise PackError(f"{file} has no files")
    if len({each.path for each in files}) < len(files):
        raise PackError(f"{file} has two files of one name")
    try:
        made(files).write(folder, writable=True)
    except OSError as error:  # a file where another one needs a folder
        raise PackError(f"{file} cannot be unpacked: {error.strerror}") from None
    if file.endswith(".py"):
        return folder / file
    entries = list(folder.iterdir())
    alone = len(entries) == 1 and entries[0].is_dir()
    return entries[0] if alone else folder  # archives of a folder as a rule have it as their only entry


def _bounded(files: Iterator[File]) -> Iterator[File]:
    """Yield files as long as they are not too many."""
    for number, file in enumerate(files, start=1):
        if number > MOST_FILES:
            raise PackError(f"it has more than {MOST_FILES:,} files")
        yield file


def _zipped(content: bytes) -> Iterator[File]:
    left = MOST_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                if entry.is_dir():
                    continue
                mode = entry.external_attr >> 16
                if mode & 0o170000 not in (0, 0o100000):
                    raise PackError(f"{entry.filename!r} is a link or no file")
                with archive.open(entry) as opened:
                    found = _read(opened, left)
                left -= len(found)
                yield File(entry.filename, bool(mode & 0o100), found)
    except (zipfile.BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError) as error:
        raise PackError(f"the zip file cannot be read: {error}") from None


def _tarred(content: bytes) -> Iterator[File]:
    left = MOST_BYTES
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r|*") as archive:
            for entry in archive:
                if entry.isdir():
                    continue
                opened = archive.extractfile(entry) if entry.isreg() else None
                if opened is None:
                    raise PackError(f"{entry.name!r} is a link or no file")
                found = _read(opened, left)
                left -= len(found)
                yield File(entry.name.removeprefix("./"), bool(entry.mode & 0o100), found)
    except (tarfile.TarError, ZlibError, EOFError, OSError) as error:
        raise PackError(f"the tar file cannot be read: {error}") from None


def _read(opened: IO[bytes], left: int) -> bytes:
    """Return what is in a file of an archive. Raises PackError where it is more than is left."""
    found = opened.read(left + 1)
    if len(found) > left:
        raise PackError(f"its files are more than {MOST_BYTES // 1024 // 1024} MiB together")
    return found
