"""Writes the files of a site into a folder, and replaces those of an earlier site there.

All files are first written into a folder beside it. A new folder then appears as a whole. In a folder with an earlier
site each file is replaced at once, those that lead to others last; what the earlier site had and this one has not is
removed. Files of anybody else, such as CNAME or .git, stay. A list of what is ours lies in the folder; it is written
before anything else, so that a run that is stopped in between is completed by the next one.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from arena_site.errors import SiteError

OURS = ".arena-site.json"
"""The file that lists the files of a site, with the hashes of their content."""

FIRST_PAGE = "index.html"


class SiteFolder:
    """The folder of a site while it is written. Files that are equal to those of the earlier site stay untouched."""

    def __init__(self, target: Path, staging: Path, before: Mapping[str, str]) -> None:
        self._target = target
        self._staging = staging
        self._before = before
        self._files: dict[str, str] = {}
        self.bytes = 0

    @property
    def count(self) -> int:
        """The number of files."""
        return len(self._files)

    def write(self, path: str, content: str | bytes) -> int:
        """Add a file and return its size in bytes.

        path: within the site, with slashes.
        """
        data = content.encode() if isinstance(content, str) else content
        file = self._staging / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        self._files[path] = sha256(data).hexdigest()
        self.bytes += len(data)
        return len(data)

    def publish(self) -> None:
        """Put the files in their place. Raises SiteError if that would overwrite a file of anybody else."""
        if not self._target.exists():
            self._list(self._staging, self._files)
            self._staging.chmod(0o777 & ~_umask())
            self._staging.rename(self._target)
            return
        for path in self._files:
            if path not in self._before and (self._target / path).exists():
                raise SiteError(
                    f"{self._target / path} is not a file of an earlier site: move it away, or name another folder"
                )
        self._list(self._target, {**self._before, **self._files})
        for path in sorted(self._files, key=lambda path: (path.endswith(".html"), path == FIRST_PAGE, path)):
            self._replace(path)
        for path in self._before.keys() - self._files.keys():
            self._remove(path)
        self._list(self._target, self._files)

    def _replace(self, path: str) -> None:
        file = self._target / path
        if self._before.get(path) == self._files[path] == _hash(file):
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self._staging / path, file)

    def _remove(self, path: str) -> None:
        """Remove a file of the earlier site, unless somebody has changed it since, and folders that are empty then."""
        file = self._target / path
        if _hash(file) == self._before[path]:
            file.unlink()
            for folder in file.relative_to(self._target).parents[:-1]:
                if any((self._target / folder).iterdir()):
                    break
                (self._target / folder).rmdir()

    def _list(self, folder: Path, files: Mapping[str, str]) -> None:
        written = self._staging / f"{OURS}.new"
        written.write_text(json.dumps({"files": files}, indent=0, sort_keys=True) + "\n", "utf-8")
        os.replace(written, folder / OURS)


@contextmanager
def site_folder(target: Path) -> Iterator[SiteFolder]:
    """Open the folder of a site, to be published by the caller; without that nothing changes.

    Raises SiteError if the folder has other content and no earlier site, or cannot be written.
    """
    target = target.absolute()
    try:
        before = _files_before(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(mkdtemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent))
        try:
            yield SiteFolder(target, staging, before)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise SiteError(
            f"{error.filename or target} cannot be written: {error.strerror}; name another folder with --to"
        ) from None


def _files_before(target: Path) -> dict[str, str]:
    """Return the files of the earlier site in a folder, with their hashes; none where there is no folder yet."""
    if not target.exists():
        return {}
    if not target.is_dir():
        raise SiteError(f"{target} is a file: name a folder with --to")
    listed = target / OURS
    if not listed.exists():
        others = [entry.name for entry in target.iterdir() if entry.name != ".git"]
        if others:
            raise SiteError(
                f"{target} holds other files ({min(others)}) and no earlier site: name a new folder with --to"
            )
        return {}
    try:
        files = json.loads(listed.read_text("utf-8"))["files"]
        return {str(path): str(digest) for path, digest in files.items() if _is_inside(str(path))}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SiteError(f"{listed} is damaged: remove the folder {target}, or name another one with --to") from None


def _is_inside(path: str) -> bool:
    """Return whether a path stays in the folder: the list may have been changed."""
    parts = path.split("/")
    return not path.startswith("/") and ".." not in parts and "" not in parts


def _hash(file: Path) -> str | None:
    """Return the hash of a file; None if there is no such file."""
    return sha256(file.read_bytes()).hexdigest() if file.is_file() and not file.is_symlink() else None


def _umask() -> int:
    """Return the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
