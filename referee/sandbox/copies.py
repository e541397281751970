"""Readable copies of files that only root may read, for the users that bots run as.

Where root runs arena, a bot's folder or program may be readable by root alone (mode 0700). The sandbox then shows a
copy that everybody may read, in a folder that only root may enter. A changed file is copied again.
"""

import atexit
import errno
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

COPIED_BYTES = 256 << 20
COPIED_FILES = 100_000
COPIED_DEPTH = 200
"""The largest folder that is copied: bytes, files and folders, and folders within each other."""


class Copies:
    """Makes copies, and removes them all when it is closed; threads may share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._copies: dict[tuple[str, int, int, int], str] = {}

    def readable(self, path: str) -> str:
        """Return the path itself where everybody may read it, or the path of a copy.

        Raises OSError where the file does not exist or the folder is too large to be copied.
        """
        if _is_open(os.stat(path).st_mode):
            return path
        key = (os.path.realpath(path), *_fingerprint(path))
        with self._lock:
            if key not in self._copies:
                self._copies[key] = str(self._copy(path, str(len(self._copies))))
            return self._copies[key]

    def close(self) -> None:
        """Remove all copies."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            self._copies.clear()

    def _copy(self, path: str, name: str) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="arena-copies-"))
            atexit.register(self.close)
        place = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self._folder)) / "copy"
        if os.path.isdir(path):
            shutil.copytree(path, place, symlinks=True, ignore=_special_files)
        else:
            shutil.copyfile(path, place)
            shutil.copymode(path, place)
        for one, mode in _walk(str(place)):
            os.chmod(one, 0o755 if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else 0o644)
        return place


def _walk(path: str) -> Iterator[tuple[str, int]]:
    """Yield a file, or a folder with everything in it except links; each with its mode.

    Raises PermissionError where there is too much to be copied.
    """
    count, top = 0, path
    waiting = [(path, os.stat(path).st_mode, 0)]
    while waiting:
        path, mode, depth = waiting.pop()
        count += 1
        if count > COPIED_FILES or depth > COPIED_DEPTH:
            raise _too_large(top)
        yield path, mode
        if stat.S_ISDIR(mode):
            with os.scandir(path) as entries:
                found = [(entry.path, entry.stat(follow_symlinks=False).st_mode) for entry in entries]
            waiting += [(one, mode, depth + 1) for one, mode in found if not stat.S_ISLNK(mode)]


def _too_large(path: str) -> PermissionError:
    return PermissionError(
        errno.EACCES, f"the user that runs it may not read {path}, which is too large to be copied: chmod a+rX"
    )


def _is_open(mode: int) -> bool:
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & wanted == wanted


def _fingerprint(path: str) -> tuple[int, int, int]:
    """Return how many files a path holds, their size, and their newest change in nanoseconds.

    Raises PermissionError where they are too large to be copied.
    """
    statuses = [os.lstat(one) for one, _ in _walk(path)]
    size = sum(status.st_size for status in statuses)
    if size > COPIED_BYTES:
        raise _too_large(path)
    return len(statuses), size, max(status.st_ctime_ns for status in statuses)


def _special_files(folder: str, names: list[str]) -> list[str]:
    """Return those names that are neither files nor folders nor links: sockets, pipes."""
    kinds = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    return [name for name, mode in kinds.items() if stat.S_IFMT(mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)]
