"""The command line of bubblewrap (https://github.com/containers/bubblewrap) that confines a program."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from referee.sandbox import filesystem_view
from referee.sandbox.copies import Copies
from referee.sandbox.limits import FILE_BYTES
from referee.sandbox.user import becoming

_NAMESPACES = (
    "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    "--hostname", "arena", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip


def namespaces(user: int | None) -> list[str]:
    """Return the options that unshare what can be unshared.

    user: whom what is run becomes inside, for good. Root builds the walls then, and nobody of that name works in them:
    a user namespace would only map the bot to root again, who may write to /proc/sys. None: one is needed.
    """
    if user is None:
        return [*_NAMESPACES, "--unshare-user", "--uid", "1000", "--gid", "1000"]
    return [*_NAMESPACES, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


_LATE = ("--disable-userns", "--size")
"""Options that versions have since 0.8, and that are used where they exist."""


@cache
def options(program: str) -> frozenset[str]:
    """Return which of the late options this bubblewrap knows."""
    told = subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
    return frozenset(option for option in _LATE if f" {option} " in told.stdout)


def program() -> str | None:
    """Return the path of bubblewrap, or None."""
    return shutil.which("bwrap")


def wrapping(
    command: Sequence[str],
    folder: str,
    *,
    sockets: str,
    hidden: Iterable[str],
    filter_fd: int | None,
    user: int | None,
    copies: Copies,
) -> list[str]:
    """Return the beginning of the command line that runs `command` in `folder`; the command itself is not in it.

    sockets: the folder of the socket that it dials. hidden: what it must not see of its folder. filter_fd: from
    which the system call filter is read. user: who it becomes; None: it stays who we are. copies: are shown of what
    that user may not read.

    Raises OSError where something that it needs is not there.
    """
    bwrap = program() or "bwrap"
    late = options(bwrap)
    argv = [bwrap, *namespaces(user)]
    if user is None and "--disable-userns" in late:
        argv.append("--disable-userns")
    argv += [*_ways_to(filesystem_view.etc()), *filesystem_view.system(), "--proc", "/proc", "--dev", "/dev"]
    size = ["--size", str(FILE_BYTES)] if "--size" in late else []
    argv += [*_empty("/dev/shm", size), "--remount-ro", "/dev", *_empty("/tmp", size)]
    for path, place in filesystem_view.told():
        argv += ["--ro-bind", path, place]
    own = sorted(filesystem_view.own(command, folder))  # a folder comes before what lies in it
    argv += _ways_to([*filesystem_view.runtime(), *own, sockets, os.path.join(folder, "anything")])
    for path in filesystem_view.runtime():
        argv += _bind(path, path)
    for path in own:
        argv += _bind(path, path if user is None else copies.readable(path))
    argv += ["--ro-bind", sockets, sockets]
    for path in hidden:
        # A device on a file system without devices: it is there, and cannot be opened.
        argv += (
            [*_empty(path, mode="0000"), "--remount-ro", path]
            if os.path.isdir(path)
            else ["--ro-bind", "/dev/null", path]
        )
    if filter_fd is not None:
        argv += ["--seccomp", str(filter_fd)]
    argv += ["--remount-ro", "/", "--chdir", folder, "--"]
    return argv if user is None else argv + becoming(user)


def _empty(path: str, size: Sequence[str] = (), mode: str = "1777") -> list[str]:
    return ["--perms", mode, *size, "--tmpfs", path]


def _ways_to(paths: Iterable[str]) -> list[str]:
    """Return the options that make the folders above some paths; bubblewrap's own are for root alone."""
    above = {folder for path in paths for each in {path, os.path.realpath(path)} for folder in _above(each)}
    wanted = sorted(folder for folder in above - {"/", "/tmp"} if not filesystem_view.is_system(folder))
    return [word for folder in wanted for word in ("--perms", "0755", "--dir", folder)]


def _above(path: str) -> Iterator[str]:
    while (folder := os.path.dirname(path)) != path:
        yield folder
        path = folder


def _bind(path: str, source: str) -> list[str]:
    """Return the options that show a path, also where its links lead to."""
    real = os.path.realpath(path)
    return ["--ro-bind", source, path, *([] if real == path else ["--ro-bind", source, real])]
