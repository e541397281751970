"""Copies of what only root may read, for the users that bots run as.

Where arena is run by root a bot's folder, or its program, may be root's alone (mode 0700). The sandbox shows a copy
then, which everybody may read, made in a folder that nobody else may enter: a new one whenever anything has changed.
"""

import atexit
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

COPIED_BYTES = 256 << 20
"""The most that is copied of one folder."""


class Copies:
    """Makes copies, and removes them all in the end."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._made: dict[tuple[str, int, int, int], str] = {}

    def readable(self, path: str) -> str:
        """Return the path of what can be read by anybody who gets there: the same one, or that of a copy.

        Raises OSError where there is no such file, or too much to be copied.
        """
        if _is_open(os.stat(path).st_mode):
            return path
        key = (os.path.realpath(path), *_look(path))
        if key not in self._made:
            self._made[key] = str(self._copied(path, str(len(self._made))))
        return self._made[key]

    def close(self) -> None:
        """Remove all copies."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            self._made.clear()

    def _copied(self, path: str, name: str) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="arena-copies-"))
            atexit.register(self.close)
        place = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self._folder)) / "copy"
        if os.path.isdir(path):
            shutil.copytree(path, place, symlinks=True, ignore=_no_plain_files)
        else:
            shutil.copyfile(path, place)
            shutil.copymode(path, place)
        for each, mode in _all(str(place)):
            os.chmod(each, 0o755 if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else 0o644)
        return place


def _all(path: str) -> Iterator[tuple[str, int]]:
    """Yield a file, or a folder with all in it but links, each with its mode."""
    yield path, os.stat(path).st_mode
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            mode = os.lstat(one := os.path.join(folder, name)).st_mode
            if not stat.S_ISLNK(mode):
                yield one, mode


def _is_open(mode: int) -> bool:
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & wanted == wanted


def _look(path: str) -> tuple[int, int, int]:
    """Return what changes with a file or folder: how many files, their size, the newest change.

    Raises PermissionError where there is too much to be copied.
    """
    found = [os.lstat(each) for each, _ in _all(path)]
    size = sum(one.st_size for one in found)
    if size > COPIED_BYTES:
        raise PermissionError(
            errno.EACCES, f"the user that runs it may not read {path}, which is too large to be copied: chmod a+rX"
        )
    return len(found), size, max(one.st_ctime_ns for one in found)


def _no_plain_files(folder: str, names: list[str]) -> list[str]:
    """Return what is neither a file nor a folder nor a link: sockets, pipes."""
    kinds = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    return [name for name, mode in kinds.items() if stat.S_IFMT(mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)]
