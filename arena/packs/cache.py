"""The cache of unpacked submissions, each in a read-only folder named by its hash.

The cache is in ARENA_CACHE, or else in /var/cache/arena for root, whose own home no sandboxed bot can reach, and in
~/.cache/arena (XDG_CACHE_HOME) for other users. It may be removed at any time: missing or changed folders are
unpacked again.
"""

import errno
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from arena.packs.errors import PackError
from arena.packs.pack import Pack, pack_folder
from referee.paths import is_utf8


def cache_folder() -> Path:
    """Return the folder of the cache."""
    if folder := os.environ.get("ARENA_CACHE"):
        return Path(folder).absolute()
    if os.geteuid() == 0:
        return Path("/var/cache/arena")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "arena"


def cached_folder(sha256: str, archive: Callable[[], bytes], cache: Path | None = None) -> Path:
    """Return the folder with the files of a pack.

    Several processes may unpack it at the same time: the folder appears complete or not at all.

    archive: called for the content of the pack if it has to be unpacked.

    Raises PackError if the archive has another hash, or the cache cannot be written or named in messages.
    """
    folder = (cache or cache_folder()) / "bots" / sha256
    if not is_utf8(folder):
        raise PackError(f"bots cannot play from {folder.parent}, which is not UTF-8: set ARENA_CACHE to another folder")
    try:
        if folder.is_dir():
            if _holds(folder, sha256):
                return folder
            _remove_shared(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder.parent))
        try:
            pack = Pack.from_bytes(archive())
            if pack.sha256 != sha256:
                raise PackError(f"the files stored as {sha256} have another hash: restore the database from a copy")
            pack.write(temporary, writable=False)
            with suppress(OSError):  # another process was quicker; its folder is checked below
                temporary.rename(folder)
        finally:
            if temporary.exists():
                remove_folder(temporary)
        if not _holds(folder, sha256):
            raise PackError(f"{folder} keeps changing: end what writes there, or set ARENA_CACHE to another folder")
    except OSError as error:
        raise PackError(
            f"bots cannot be unpacked into {folder.parent}: {error.strerror}; set ARENA_CACHE to a folder of your own"
        ) from None
    return folder


def forget_packs(hashes: Iterable[str], cache: Path | None = None) -> None:
    """Remove the files of packs, where they are unpacked on this machine. Raises PackError if any are left."""
    for sha256 in hashes:
        folder = (cache or cache_folder()) / "bots" / sha256
        try:
            if folder.is_dir():
                _remove_shared(folder)
        except OSError as error:
            raise PackError(f"{folder} cannot be removed: {error.strerror}; remove it") from None


def _holds(folder: Path, sha256: str) -> bool:
    with suppress(PackError):
        return pack_folder(folder).sha256 == sha256
    return False


def _remove_shared(folder: Path) -> None:
    """Remove a folder of the cache that other processes may be removing as well."""
    temporary = Path(tempfile.mkdtemp(prefix=".removed-", dir=folder.parent))
    with suppress(FileNotFoundError):
        folder.chmod(0o755)
        folder.rename(temporary / folder.name)
    remove_folder(temporary)


def remove_folder(folder: Path) -> None:
    """Remove a folder that may hold read-only files, folders that cannot be read, and folders of any depth.

    Python's own functions recurse into folders. Raises OSError if something is left.
    """
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)
    if os.path.lexists(folder):
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(folder))
