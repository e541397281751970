"""Reads an untrusted archive: `python -I -S extractor.py KIND FILE MOST_FILES MOST_BYTES MEMORY SECONDS`.

It runs in a sandboxed process of its own (`arena.packs.extraction`), because `tarfile` and `zipfile` trust the
headers of an archive: a few bytes there can demand gigabytes, or hours.

Standard output gets, for each file, a line of JSON ({"path", "executable", "size"}) and then the content. The last line
is {"end": true}, or {"error": SENTENCE}.

It needs only the standard library, so it starts quickly and its sandbox shows little.
"""

import json
import resource
import stat
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO

MEMBERS_PER_FILE = 4
"""Most entries of an archive, as a multiple of its most files: folders are entries too."""


LONGEST_PATH = 400
"""Characters of a path; a longer one could not be packed."""


class ArchiveRefused(Exception):
    """The archive is readable, but is refused; the message says why."""


Member = tuple[str, bool, bytes]
"""Path, whether it is executable, content."""


class Budget:
    """What may still be read from an archive.

    files: how many files.
    octets: how many bytes all together.
    """

    def __init__(self, files: int, octets: int) -> None:
        self.most_files = files
        self.most_bytes = octets
        self._members = files * MEMBERS_PER_FILE
        self._files = files
        self._bytes = octets

    def count_member(self) -> None:
        """Count an entry of any kind. Raises ArchiveRefused if there are too many."""
        self._members -= 1
        if self._members < 0:
            raise ArchiveRefused(f"it has more than {self.most_files * MEMBERS_PER_FILE:,} entries")

    def read(self, opened: IO[bytes]) -> bytes:
        """Return the content of one more file. Raises ArchiveRefused beyond the budget."""
        self._files -= 1
        if self._files < 0:
            raise ArchiveRefused(f"it has more than {self.most_files:,} files")
        content = opened.read(self._bytes + 1)
        if len(content) > self._bytes:
            raise ArchiveRefused(f"its files are more than {self.most_bytes // 1024 // 1024} MiB together")
        self._bytes -= len(content)
        return content


_INSTEAD = "pack a copy of what it stands for"


def zip_members(path: str, budget: Budget) -> Iterator[Member]:
    """Yield the files of a zip archive. Raises ArchiveRefused, or what `zipfile` raises for a damaged one."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            budget.count_member()
            if entry.is_dir():
                continue
            mode = entry.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise ArchiveRefused(f"{entry.filename[:200]!r} is a link or another special file: {_INSTEAD}")
            with archive.open(entry) as opened:
                content = budget.read(opened)
            yield entry.filename, bool(mode & 0o100), content


def tar_members(path: str, budget: Budget) -> Iterator[Member]:
    """Yield the files of a tar archive. Raises ArchiveRefused, or what `tarfile` raises for a damaged one."""
    with tarfile.open(path, mode="r|*") as archive:
        for entry in archive:
            budget.count_member()
            if entry.isdir():
                continue
            opened = archive.extractfile(entry) if entry.isreg() and not entry.issparse() else None
            if opened is None:
                raise ArchiveRefused(f"{entry.name[:200]!r} is a link or another special file: {_INSTEAD}")
            yield entry.name.removeprefix("./"), bool(entry.mode & 0o100), budget.read(opened)


def write(members: Iterator[Member], out: IO[bytes]) -> None:
    """Write files, each after its header."""
    for path, executable, content in members:
        if len(path) > LONGEST_PATH:
            raise ArchiveRefused(f"the path {path[:60]!r}... is longer than {LONGEST_PATH} characters")
        header = {"path": path, "executable": executable, "size": len(content)}
        out.write(json.dumps(header).encode() + b"\n" + content)


def limit(memory: int, seconds: int) -> None:
    """Limit this process.

    memory: the bytes of its address space.
    seconds: the seconds of its CPU time.
    """
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most, most) if hard == resource.RLIM_INFINITY or most <= hard else (hard, hard))


def main(kind: str, path: str, files: int, octets: int, memory: int, seconds: int) -> None:
    """Write the files of an archive to standard output.

    kind: "zip" or "tar".
    """
    limit(memory, seconds)
    out = sys.stdout.buffer
    try:
        write((zip_members if kind == "zip" else tar_members)(path, Budget(files, octets)), out)
        end: dict[str, object] = {"end": True}
    except MemoryError:
        end = {"error": f"reading it takes more than {memory // 1024 // 1024} MiB of memory"}
    except ArchiveRefused as error:
        end = {"error": str(error)}
    except Exception as error:
        # For a damaged archive the standard library raises some twenty kinds of errors.
        end = {"error": f"the {kind} file cannot be read: {str(error)[:200] or type(error).__name__}"}
    out.write(json.dumps(end).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7]))
