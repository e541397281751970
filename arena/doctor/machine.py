"""Versions, cores, room on the disk, the database."""

import os
import platform
import shutil
import sys
import tempfile
from importlib import metadata

from arena.doctor.check_result import Finding
from arena.store import NoDatabase, StoreError, open_store
from referee.build_info import compiled

OLDEST_PYTHON = (3, 11)
OLDEST = {"grpcio": (1, 78), "protobuf": (6, 31)}
"""What the stubs in referee/v1 need."""

ROOM_BYTES = 1 << 30


def python() -> Finding:
    """Look at the interpreter."""
    version = f"Python {platform.python_version()}, {sys.executable}"
    if sys.version_info >= OLDEST_PYTHON:
        return Finding("python", "good", version)
    return Finding("python", "broken", version, "arena needs Python 3.11 or newer")


def libraries() -> Finding:
    """Look at the libraries that bots are spoken with by."""
    found = {name: metadata.version(name) for name in OLDEST}
    told = ", ".join(f"{name} {version}" for name, version in found.items())
    old = [name for name, version in found.items() if tuple(map(int, version.split(".")[:2])) < OLDEST[name]]
    if not old:
        return Finding("grpc", "good", told)
    return Finding("grpc", "broken", f"{told}: {' and '.join(old)} too old", "install arena again, with its lock")


def rules() -> Finding:
    """Look whether rules and referee are compiled."""
    if compiled():
        return Finding("rules", "good", "compiled, and the referee's work for each decision too")
    return Finding("rules", "good", "interpreted; compiled ones (`make fast`) are two and a half times as fast")


def cores() -> Finding:
    """Look at the cores that we may use."""
    mine, all_there = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    told = f"{mine} of {all_there} cores: --jobs {mine} without being asked" if mine > 1 else "1 core"
    if mine > 1:
        return Finding("cores", "good", told)
    return Finding("cores", "less", told, "bots and referee take turns on it: leave the machine alone while they play")


def disk() -> Finding:
    """Look at the folder for what is temporary: sockets, and copies of bots."""
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryDirectory():
            free = shutil.disk_usage(folder).free
    except OSError as error:
        mend = "let TMPDIR name a folder that can be written"
        return Finding("disk", "broken", f"{folder} cannot be written ({error.strerror})", mend)
    told = f"{free >> 20:,} MB free in {folder}"
    return Finding("disk", "good", told) if free >= ROOM_BYTES else Finding("disk", "less", told, "make room")


def database(db: str) -> Finding:
    """Look at the database."""
    try:
        with open_store(db, write=True) as store:
            return Finding("database", "good", f"{store.where} can be written")
    except NoDatabase:
        pass
    except StoreError as error:
        return Finding("database", "broken", str(error), "mend that, or name another one with --db")
    if "://" in db:
        return Finding("database", "good", f"{db.rsplit('@', 1)[-1]} has none yet: the first tournament makes it")
    folder = os.path.dirname(os.path.abspath(db))
    if os.access(folder, os.W_OK | os.X_OK):
        return Finding("database", "good", f"{db} is not there yet: the first tournament makes it")
    return Finding("database", "broken", f"{folder} cannot be written", "name another place with --db")
