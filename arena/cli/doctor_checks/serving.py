"""What `arena serve` needs beside what matches need: a user with rights, folders, libraries of the pages, a port."""

import errno
import os
import pwd
import shutil
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from socket import gaierror

from arena.cli.doctor_checks.check_result import CheckResult
from arena.packs.cache import cache_folder
from arena.values.installing import how_to_install

PAGE_LIBRARIES = ("h11", "jinja2", "multipart", "prometheus_client", "starlette")

ROOM_BYTES = 1 << 30


def user(db: str) -> CheckResult:
    """Check that whoever asks is the user of the database's file: another one has other rights."""
    name = _name_of(os.geteuid())
    with suppress(OSError):
        owner = os.stat(db).st_uid
        if owner != os.geteuid():
            sentence = f"{name}, while {db} is {_name_of(owner)}'s: what follows says nothing of a server that it runs"
            return CheckResult("user", "less", sentence, f"run this as {_name_of(owner)}: runuser -u {_name_of(owner)}")
    return CheckResult("user", "good", name)


def cache() -> CheckResult:
    """Check the folder into which bots are unpacked before they play."""
    return _folder("cache", cache_folder() / "bots", "bots are unpacked", "set ARENA_CACHE to a folder of your own")


def archives(folder: Path) -> CheckResult:
    """Check the folder of the archives of seasons, as in --archives."""
    return _folder("archives", folder, "archives are written", "choose another folder for --archives")


def pages() -> CheckResult:
    """Check that the libraries of the pages are installed."""
    missing = [name for name in PAGE_LIBRARIES if find_spec(name) is None]
    if missing:
        return CheckResult("pages", "less", f"no pages: {', '.join(missing)} missing", how_to_install("botarena[web]"))
    return CheckResult("pages", "good", "the libraries of `arena serve` and `arena web` are installed")


def port(host: str, number: int) -> CheckResult:
    """Check that a server can listen on a port."""
    from arena.http import listening

    try:
        listening(host, number).close()
    except OSError as error:
        why = error.strerror if isinstance(error, gaierror) else os.strerror(error.errno or 0)
        remedy = "end the program that listens there (ss -ltnp), or choose another --port"
        if error.errno == errno.EACCES:
            remedy = "choose a port from 1024 on, behind a proxy"
        elif error.errno != errno.EADDRINUSE:
            remedy = "choose an address of this machine for --host"
        return CheckResult("port", "broken", f"cannot listen on {host}:{number} ({why})", remedy)
    return CheckResult("port", "good", f"{host}:{number} is free")


def _folder(name: str, folder: Path, what: str, remedy: str) -> CheckResult:
    """Check that a folder is there, or can be made, and can be written to."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=present):
            free = shutil.disk_usage(present).free
    except OSError as error:
        place = folder if present == folder else f"{folder} cannot be made, as {present}"
        sentence = f"{place} is not writable ({error.strerror}): {what} there"
        return CheckResult(name, "broken", sentence, f"make it writable for {_name_of(os.geteuid())}, or {remedy}")
    sentence = f"{what} into {folder}, {free >> 20:,} MB free"
    if free < ROOM_BYTES:
        return CheckResult(name, "less", sentence, "free at least 1 GB")
    return CheckResult(name, "good", sentence)


def _name_of(user: int) -> str:
    """Return the name of a user, or its number where it has none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
