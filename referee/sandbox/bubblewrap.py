"""The command line of bubblewrap (https://github.com/containers/bubblewrap) that confines a program."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from referee.sandbox import filesystem_view
from referee.sandbox.grants import NOTHING, Grants
from referee.sandbox.limits import FILE_BYTES
from referee.sandbox.user import becoming

FEW_MOUNTS = 16
"""So many files in a folder are hidden one by one."""

_NAMESPACES = (
    "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    "--hostname", "arena", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip


def namespaces(user: int | None, network: bool = False) -> list[str]:
    """Return the options that unshare what can be unshared.

    network: the program keeps the network of the machine.

    user: the number of the user that the program becomes inside, for good. Root creates the namespaces then, and no
        user namespace is made: it would map the bot to root again, which may write to /proc/sys. None: we are not root,
        and a user namespace is needed.
    """
    common = [option for option in _NAMESPACES if not network or option != "--unshare-net"]
    if user is None:
        return [*common, "--unshare-user", "--uid", "1000", "--gid", "1000"]
    return [*common, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


_LATER = ("--disable-userns", "--size")
"""Options that bubblewrap has since version 0.8; they are used where they exist."""


@cache
def options(program: str) -> frozenset[str]:
    """Return which of the later options this bubblewrap knows."""
    usage = subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
    return frozenset(option for option in _LATER if f" {option} " in usage.stdout)


def program() -> str | None:
    """Return the path of bubblewrap; None where it is not installed."""
    return shutil.which("bwrap")


@dataclass(frozen=True, slots=True)
class Showing:
    """Options of bubblewrap that show paths."""

    above: list[str] = field(default_factory=list)
    """The options that make the folders above the paths; they come before `binds`."""
    binds: list[str] = field(default_factory=list)
    """The options that show the paths."""


def showing(own: Sequence[tuple[str, str]], folder: str) -> Showing:
    """Return the options that show a program's own paths, and make its working directory `folder`.

    own: the paths, folders before what lies in them, each with the path of what is shown there.
    """
    paths = [*(path for path, _ in own), os.path.join(folder, "anything")]
    return Showing(_parent_folders(paths), [word for path, source in own for word in _bind(path, source)])


@cache
def _showing_runtime(paths: tuple[str, ...]) -> Showing:
    return Showing(_parent_folders(paths), [word for path in paths for word in _bind(path, path)])


def wrapping(
    own: Showing,
    folder: str,
    *,
    sockets: str,
    hiding: Iterable[str],
    filter_fd: int | None,
    user: int | None,
    grants: Grants = NOTHING,
    counted: bool = True,
) -> list[str]:
    """Return the beginning of the command line that runs a command in `folder`, up to the command itself.

    own: shows the paths of the program itself.
    sockets: the folder of the socket that it dials.
    hiding: the options of `hiding` for its folder.
    filter_fd: the descriptor of the system call filter.
    user: the number of the user it becomes; None: the user that we are.
    grants: what the organiser grants it.
    counted: a control group counts its memory.
    """
    bwrap = program() or "bwrap"
    late = options(bwrap)
    argv = [bwrap, *namespaces(user, grants.network)]
    if user is None and "--disable-userns" in late:
        argv.append("--disable-userns")
    argv += [*_parent_folders(filesystem_view.etc()), *filesystem_view.system(), "--proc", "/proc", "--dev", "/dev"]
    size = ["--size", str(FILE_BYTES)] if "--size" in late else []
    for path in grants.devices:
        argv += [*_parent_folders([path]), "--dev-bind", path, path]
    if not counted:
        argv += ["--ro-bind", "/dev/null", filesystem_view.ZERO]
    argv += [*_empty("/dev/shm", size), "--remount-ro", "/dev", *_empty("/tmp", size)]
    for path, place in filesystem_view.account_files():
        if place not in grants.files:
            argv += ["--ro-bind", path, place]
    for path in grants.files:
        argv += [*_parent_folders([path]), "--ro-bind", os.path.realpath(path), path]
    # Folders come after /tmp, in which some of them may lie: who makes a bind makes them for root alone.
    runtime = _showing_runtime(filesystem_view.runtime())
    argv += [
        *runtime.above,
        *own.above,
        *_parent_folders([sockets]),
        *runtime.binds,
        *own.binds,
        "--ro-bind",
        sockets,
        sockets,
    ]
    argv += hiding
    if filter_fd is not None:
        argv += ["--seccomp", str(filter_fd)]
    argv += ["--remount-ro", "/", "--chdir", folder, "--"]
    return argv if user is None else argv + becoming(user)


def hiding(hidden: Iterable[str], own: Sequence[tuple[str, str]]) -> list[str]:
    """Return the options that hide files and folders in what is shown.

    own: the paths of the program itself, each with the path of what is shown there.

    Bubblewrap reads the list of all mounts for each one that it makes, so many take it a while: of a folder in which
    most is hidden, the rest is shown instead.
    """
    names: dict[tuple[str, str], set[str]] = {}
    for path in hidden:
        if not os.path.islink(path):  # its target is hidden, too, or not shown at all
            folder, name = os.path.split(path)
            for place in _places(os.path.realpath(folder), own):
                names.setdefault(place, set()).add(name)
    argv: list[str] = []
    for (folder, source), secret in sorted(names.items()):  # a folder comes before those in it
        argv += _hiding_in(folder, source, secret)
    return argv


def _places(folder: str, own: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield each path at which a program sees a folder, with the path of what is shown there."""
    for path, source in own:
        real = os.path.realpath(path)
        if folder == real or folder.startswith(real + "/"):
            below = folder[len(real) :]
            yield from dict.fromkeys([(path + below, source + below), (real + below, source + below)])
    if any(folder == path or folder.startswith(path + "/") for path in filesystem_view.runtime()):
        yield folder, folder


def _hiding_in(folder: str, source: str, secret: set[str]) -> list[str]:
    """Return the options that hide what has these names in a folder, of which `source` is shown."""
    if len(secret) > FEW_MOUNTS:
        with os.scandir(source) as entries:
            rest = list(islice((one for one in entries if one.name not in secret), len(secret)))
        if len(rest) < len(secret):
            argv = _empty(folder, mode="0755")
            for entry in sorted(rest, key=lambda entry: entry.name):
                path = os.path.join(folder, entry.name)
                argv += (
                    ["--symlink", os.readlink(entry), path] if entry.is_symlink() else ["--ro-bind", entry.path, path]
                )
            return [*argv, "--remount-ro", folder]
    argv = []
    for name in sorted(secret):
        path = os.path.join(folder, name)
        # A device on a file system mounted without devices: it exists and cannot be opened.
        argv += (
            [*_empty(path, mode="0000"), "--remount-ro", path]
            if os.path.isdir(os.path.join(source, name))
            else ["--ro-bind", "/dev/null", path]
        )
    return argv


def _empty(path: str, size: Sequence[str] = (), mode: str = "1777") -> list[str]:
    return ["--perms", mode, *size, "--tmpfs", path]


def _parent_folders(paths: Iterable[str]) -> list[str]:
    """Return the options that make the folders above some paths; those that bubblewrap makes only root may enter."""
    above = {folder for path in paths for real in {path, os.path.realpath(path)} for folder in _above(real)}
    wanted = sorted(folder for folder in above - {"/", "/tmp"} if not filesystem_view.is_system(folder))
    return [word for folder in wanted for word in ("--perms", "0755", "--dir", folder)]


def _above(path: str) -> Iterator[str]:
    while (folder := os.path.dirname(path)) != path:
        yield folder
        path = folder


def _bind(path: str, source: str) -> list[str]:
    """Return the options that show a path, and the target of its links."""
    real = os.path.realpath(path)
    return ["--ro-bind", source, path, *([] if real == path else ["--ro-bind", source, real])]
