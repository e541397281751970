"""Submissions unpacked, each in a read-only folder named by its hash.

The folder lies in ARENA_CACHE, or else in /var/cache/arena for root, whose own home no confined bot could reach, and
in ~/.cache/arena (XDG_CACHE_HOME) for anybody else. It may be removed at any time: what is missing, or is not what
its hash says, is unpacked again.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arena.submissions.errors import PackError
from arena.submissions.pack import Pack, pack_folder


def cache_folder() -> Path:
    """Return the folder of everything unpacked."""
    if given := os.environ.get("ARENA_CACHE"):
        return Path(given).absolute()
    if os.geteuid() == 0:
        return Path("/var/cache/arena")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "arena"


def cached_folder(sha256: str, archive: Callable[[], bytes], cache: Path | None = None) -> Path:
    """Return the folder with the files of a pack; `archive` is called where they have to be unpacked.

    Several programs may do so at the same time: the folder appears complete or not at all.

    Raises PackError where the archive is not what the hash says, or the cache cannot be written.
    """
    folder = (cache or cache_folder()) / "bots" / sha256
    try:
        if folder.is_dir():
            if _holds(folder, sha256):
                return folder
            _put_away(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder.parent))
        try:
            pack = Pack.from_bytes(archive())
            if pack.sha256 != sha256:
                raise PackError(f"the files stored as {sha256} have another hash: restore the database from a copy")
            pack.write(fresh, writable=False)
            with suppress(OSError):  # another program was quicker; a folder in the way is looked at below
                fresh.rename(folder)
        finally:
            if fresh.exists():
                _remove(fresh)
        if not _holds(folder, sha256):
            raise PackError(f"{folder} keeps changing: end whoever writes there, or set ARENA_CACHE to another folder")
    except OSError as error:
        raise PackError(
            f"bots cannot be unpacked into {folder.parent}: {error.strerror}; set ARENA_CACHE to a folder of your own"
        ) from None
    return folder


def _holds(folder: Path, sha256: str) -> bool:
    with suppress(PackError):
        return pack_folder(folder).sha256 == sha256
    return False


def _put_away(folder: Path) -> None:
    """Remove a folder that others may be about to remove as well."""
    aside = Path(tempfile.mkdtemp(prefix=".damaged-", dir=folder.parent))
    with suppress(FileNotFoundError):
        folder.chmod(0o755)
        folder.rename(aside / folder.name)
    _remove(aside)


def _remove(folder: Path) -> None:
    """Remove a folder whose parts are read-only."""
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o755)
    shutil.rmtree(folder)
