"""The files that a bot sees: the operating system, the runtime of arena, and its own folder.

Nothing else is visible: no other folders, no database, not the organiser's home.
"""

import errno
import os
import pwd
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_STORES = ("/usr", "/nix/store", "/gnu/store")

_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "ssl/openssl.cnf")
_ETC_PATTERNS = ("java-*", "python3*", "dotnet")

PROC = (
    "/proc/self", "/proc/cgroups", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat",
    "/proc/sys", "/proc/uptime", "/proc/version",
)  # fmt: skip
"""What programs may read in /proc: themselves and the machine, but no other process or its command line."""

ZERO = "/dev/zero"
"""What is mapped from it is shared memory without a file (see `syscalls.SHARED_ANONYMOUS`)."""

DEVICES = ("/dev/null", "/dev/tty")
"""Devices that every program may write to."""

_ETC_FILES = Path(__file__).parent / "etc"
"""The users, groups and hosts that a bot sees instead of those of this machine."""

HOME = os.path.abspath(Path(__file__).parents[2])
"""The folder of our packages."""

_PACKAGES = ("arena", "referee", os.path.join("docs", "rules"))
"""Our packages that a Python bot may import (the SDK, and the messages that it uses), and the rules in a checkout."""

_INSTALLED = ("site-packages", "dist-packages")
"""The names of folders that hold only installed packages."""

SEARCHED_FILES = 100_000
SEARCH_SECONDS = 10.0
"""How many entries of a bot's folder, and of those below, are searched for databases of arena, and for how long."""

_NOT_SEARCHED = ("node_modules", ".git", ".venv", "venv", "site-packages", "__pycache__")
"""Folders of tools with many files, below which nobody keeps a database of arena."""

HIDDEN_WHOLE = 32
"""A folder below the bot's with more files of databases than this is hidden whole."""

HIDDEN_FILES = 1000
"""How many files are hidden from a bot in its folder; beside as many others bubblewrap takes 1.4 s for them."""

SHOWN_BYTES = 32 << 20
"""How long the paths of the files beside hidden ones may be together, as Landlock is told each of them."""

_SEARCHED_BYTES = 256 * 1024
_SCHEMA = b"alembic_version"
"""Found in the first pages of every database of arena, as it is the first table."""


@cache
def system() -> tuple[str, ...]:
    """Return the bubblewrap options that show the operating system."""
    options: list[str] = []
    for store in _STORES:
        if os.path.isdir(store):
            options += ["--ro-bind", store, store]
    for name in _TOP:
        path = f"/{name}"
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            options += ["--ro-bind", path, path]
    for path in etc():
        options += ["--ro-bind", os.path.realpath(path), path]
    return tuple(options)


@cache
def etc() -> tuple[str, ...]:
    """Return the files and folders of /etc that programs need and that reveal nothing about this machine."""
    wanted = [Path("/etc", name) for name in _ETC]
    wanted += [path for pattern in _ETC_PATTERNS for path in sorted(Path("/etc").glob(pattern))]
    return tuple(str(path) for path in wanted if path.exists())


@cache
def homes() -> tuple[str, ...]:
    """Return the folders with our packages: `HOME`, and in a checkout those of distributions that add to `arena`.

    Python finds a package only where it may list the folder.
    """
    return (HOME, *sorted(str(path.parent) for path in Path(HOME).glob("packages/*/arena")))


@cache
def sample_folders() -> tuple[str, ...]:
    """Return the folders of the sample bots in Python, which play in the playouts of a model server.

    Only their programs are shown, as somebody may work in them and leave a database there.
    """
    return tuple(os.path.join(HOME, *parts) for parts in (("sample_bots",), ("sample_bots", "python")))


@cache
def runtime() -> tuple[str, ...]:
    """Return the paths that a Python bot needs of this installation: the interpreter, its packages, and ours."""
    wanted = [sys.prefix, sys.base_prefix]
    wanted += [os.path.join(home, package) for home in homes() for package in _PACKAGES]
    wanted += [str(path) for folder in sample_folders() for path in sorted(Path(folder).glob("*.py"))]
    # Packages may be installed elsewhere, and found by a .pth file or an environment variable.
    wanted += [path for path in sys.path if os.path.basename(path) in _INSTALLED]
    outside = [path for path in dict.fromkeys(map(straight, wanted)) if not is_system(path) and os.path.exists(path)]
    return tuple(path for path in outside if not any(path != other and _within(path, other) for other in outside))


def listed() -> tuple[str, ...]:
    """Return the folders in which a Python bot finds packages of ours, and may read nothing else."""
    return (*homes(), *sample_folders())


@cache
def account_files() -> tuple[tuple[str, str], ...]:
    """Return the files about users and hosts, each with the path at which a bot sees it."""
    return tuple((str(path), f"/etc/{path.name}") for path in sorted(_ETC_FILES.iterdir()))


def readable(command: Sequence[str], folder: str) -> list[str]:
    """Return all paths that a bot may read where Landlock restricts it and it has no mount namespace."""
    paths = [*_STORES, *(f"/{name}" for name in _TOP), *etc(), "/dev/random", "/dev/urandom", ZERO]
    wanted = [*filter(os.path.exists, paths), *runtime(), *own(command, folder)]
    return list(dict.fromkeys(shown for path in wanted for shown in (path, os.path.realpath(path))))


def without(paths: Iterable[str], hidden: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return paths that cover `paths` except what is hidden in them, and the folders that were split up for that.

    Raises OSError where what is shown beside hidden files takes more than `SHOWN_BYTES`.
    """
    secret = {os.path.realpath(path) for path in hidden}
    above = {folder for path in secret for folder in _above(path)}
    shown: list[str] = []
    split: list[str] = []
    room = SHOWN_BYTES
    waiting = [(path, os.path.realpath(path), False) for path in reversed(list(paths))]
    while waiting:
        path, real, is_beside = waiting.pop()
        if real in above and real not in secret and os.path.isdir(real):
            split.append(path)
            room -= len(os.fsencode(path))
            with suppress(OSError), os.scandir(path) as entries:
                # A link would show its target.
                names = sorted((entry.name for entry in entries if not entry.is_symlink()), reverse=True)
                waiting += [(os.path.join(path, name), os.path.join(real, name), True) for name in names]
        elif real not in secret and real not in above:
            shown.append(path)
            room -= len(os.fsencode(path)) if is_beside else 0
        if room < 0:
            raise _too_much("databases or other bots lie among more files than can be shown one by one")
    return shown, split


def _above(path: str) -> list[str]:
    """Return the folders above a path."""
    folders = []
    while (folder := os.path.dirname(path)) != path:
        folders.append(folder)
        path = folder
    return folders


def _too_much(what: str) -> OSError:
    return OSError(errno.E2BIG, f"in its folder {what}; move what is not the bot's elsewhere")


def own(command: Sequence[str], folder: str) -> list[str]:
    """Return the paths of the bot itself: its folder, and the files that its command line names.

    A folder that holds more than a bot (a home, a folder of the system) is left out: then only the files are shown.
    """
    wanted = [] if is_common(folder) else [straight(folder)]
    for place, word in enumerate(command):
        path = straight(os.path.join(folder, word))
        if os.path.isfile(path) and not any(_within(path, above) for above in wanted) and not is_system(path):
            home = os.path.dirname(os.path.dirname(os.path.realpath(path)))
            is_program = place == 0 and os.path.basename(os.path.dirname(os.path.realpath(path))) == "bin"
            if is_program and not any(_within(path, above) for above in runtime()) and not is_common(home):
                wanted.append(home)  # an interpreter installed elsewhere: its libraries lie beside it
            wanted.append(path)
    return [path for path in wanted if not any(_within(path, above) for above in runtime())]


def straight(path: str) -> str:
    """Return a path to the same file without `..`; its last link is kept, as a venv's Python is one."""
    short = os.path.abspath(path)
    if not os.path.exists(path) or (os.path.exists(short) and os.path.samefile(path, short)):
        return short
    folder, name = os.path.split(path)  # the folder before a `..` is a link
    return os.path.realpath(path) if name in ("", ".", "..") else os.path.join(os.path.realpath(folder), name)


def straight_words(command: Sequence[str]) -> list[str]:
    """Return a command line whose absolute paths of files contain no `..`.

    The folders before a `..` may not exist inside the sandbox.
    """
    return [
        straight(word) if os.path.isabs(word) and ".." in word.split("/") and os.path.exists(word) else word
        for word in command
    ]


def is_common(folder: str) -> bool:
    """Tell whether a folder is a home, a folder above one, or lies in /, /home or /var: it holds more than a bot."""
    folder = os.path.realpath(folder)
    parent = os.path.dirname(folder)
    return parent in ("/", "/home", "/var") or any(_within(home, folder) for home in _homes())


@cache
def _homes() -> tuple[str, ...]:
    homes = [os.environ.get("HOME", "")]
    with suppress(KeyError):
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    return tuple(os.path.realpath(home) for home in homes if home.startswith("/"))


def is_system(path: str) -> bool:
    """Tell whether a path belongs to the operating system, which every bot sees."""
    return any(_within(path, store) for store in _STORES) or any(_within(path, f"/{name}") for name in _TOP)


def databases(folder: str) -> list[str]:
    """Return the files of arena's databases in a folder and those below, which bots must not read.

    They hold the secret from which all deals follow. Of the folders below, the nearest are searched first, as far as
    `SEARCHED_FILES` and `SEARCH_SECONDS` allow; one with many is returned itself.

    Raises OSError where the folder itself holds too much to be searched, or more databases than can be hidden.
    """
    found: list[str] = []
    searched = 0
    deadline = time.monotonic() + SEARCH_SECONDS
    waiting = deque([folder])
    while waiting:
        place = waiting.popleft()
        here: list[str] = []
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError), os.scandir(place) as entries:
            for entry in entries:
                searched += 1
                is_late = time.monotonic() > deadline
                if place is not folder and (is_late or searched > SEARCHED_FILES):
                    return found + here
                if searched > SEARCHED_FILES:
                    raise _too_much(f"lie more than {SEARCHED_FILES:,} files")
                if is_late:
                    raise _too_much(f"lie more files than can be searched within {SEARCH_SECONDS:g} s")
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [] if entry.name in _NOT_SEARCHED else [entry.path]
                    elif entry.is_file() and _is_database(entry.path):
                        here.append(entry.path)
                        here += filter(os.path.exists, (entry.path + end for end in ("-wal", "-shm", "-journal")))
                if place is not folder and len(here) > HIDDEN_WHOLE:
                    here = [place]
                    break
                if len(found) + len(here) > HIDDEN_FILES:
                    raise _too_much(f"lie more than {HIDDEN_FILES:,} files of arena's databases")
        found += here
    return found


def _is_database(path: str) -> bool:
    with open(path, "rb") as file:
        if file.read(15) != b"SQLite format 3":
            return False
        if _SCHEMA in file.read(_SEARCHED_BYTES):
            return True
    with suppress(OSError), open(path + "-wal", "rb") as file:
        return _SCHEMA in file.read(_SEARCHED_BYTES)
    return False


def others(folder: str, command: Sequence[str], paths: Iterable[str]) -> list[str]:
    """Return those paths of other bots that lie in this bot's folder and that it does not need itself.

    Raises OSError where they are more than can be hidden.
    """
    folder = os.path.realpath(folder)
    mine = {folder, *(os.path.realpath(os.path.join(folder, word)) for word in command)}
    mine |= {above for path in mine for above in _above(path)}
    resolved = {os.path.realpath(path) for path in dict.fromkeys(paths) if os.path.isabs(path)}
    inside = {path for path in resolved - mine if _within(path, folder) and os.path.exists(path)}
    # Hiding a folder hides what lies in it.
    hidden = sorted(path for path in inside if inside.isdisjoint(_above(path)))
    if len(hidden) > HIDDEN_FILES:
        raise _too_much(f"lie more than {HIDDEN_FILES:,} files of other bots")
    return hidden


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
