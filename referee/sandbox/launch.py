"""Composes and starts the command line that runs a program confined."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from weakref import finalize

from referee.sandbox import bubblewrap, filesystem_view, seccomp
from referee.sandbox.cgroups import Group, Groups
from referee.sandbox.choice import Confinement
from referee.sandbox.grants import NOTHING, Grants
from referee.sandbox.guardian import SCOPES_FROM, landlock_version
from referee.sandbox.limits import PROCESSES, counts_by_namespace, limiting
from referee.sandbox.user import becoming, new_user, powerless, unreadable

_JOIN = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 126; shift; done; shift; exec "$@"'
"""A shell script: joins the control groups by the files before the dashes, then becomes the program after them.

The program must join before its first fork, and Python may run no code between fork and exec where gRPC has threads.
"""


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line that runs a program confined."""

    argv: list[str]
    """The command line."""
    env: dict[str, str]
    """The environment variables of the program."""
    fds: tuple[int, ...] = ()
    """The descriptors that the program inherits; `close` them once it is started."""
    guarded: bool = False
    """Whether the program ends when its standard input, a pipe, is closed."""
    user: int | None = None
    """The number of the user the program runs as; None: the user that we are."""
    _groups: Groups | None = None
    _group: Group | None = None

    def start(self, folder: str, *, stdout: int | None = None, stderr: int | None = None) -> "subprocess.Popen[bytes]":
        """Start it in `folder`, in a session of its own; `stdin` is a pipe where it is guarded, and empty elsewhere.

        stdout, stderr: as for `subprocess.Popen`.

        Raises OSError where it cannot be started.
        """
        return subprocess.Popen(
            self.argv,
            cwd=folder,
            env=self.env,
            stdin=subprocess.PIPE if self.guarded else subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            pass_fds=self.fds,
        )

    def close(self) -> None:
        """Close our copies of the descriptors."""
        for fd in self.fds:
            os.close(fd)

    def out_of_memory(self) -> bool:
        """Tell whether the kernel ended one of its processes because together they exceeded their memory."""
        return self._group is not None and self._group.out_of_memory()

    def out_of_processes(self) -> bool:
        """Tell whether the kernel refused a process because together they were too many."""
        return self._group is not None and self._group.out_of_processes()

    @property
    def limits_memory(self) -> bool:
        """Whether a control group limits the memory of its processes together."""
        return self._group is not None and self._group.memory is not None

    def end(self) -> None:
        """End what is left in its control groups, where it has any, and remove them."""
        if self._groups is not None and self._group is not None:
            self._groups.end(self._group)


@dataclass(frozen=True, slots=True)
class View:
    """What a program is shown of the files of this machine; `view` finds it out."""

    command: Sequence[str]
    """The program and its arguments, without `..`."""
    folder: str
    """The working directory of the program, without `..`."""
    hiding: list[str] = field(default_factory=list)
    """The options of bubblewrap that hide files in the folder."""
    own: bubblewrap.Showing = field(default_factory=bubblewrap.Showing)
    """The options of bubblewrap for the paths of the program itself."""
    options: "_Content | None" = None
    """The options of the program's guardian; None where it has none."""
    needs_rights: bool = False
    """Whether only our own user may read all that the program needs."""


class _Content:
    """What any number of programs read by a descriptor; it is written once, as it may be long."""

    def __init__(self, content: bytes) -> None:
        self._fd = readable_fd(content)
        finalize(self, os.close, self._fd)

    def open(self) -> int:
        """Return a descriptor that reads it from its beginning."""
        return os.open(f"/proc/self/fd/{self._fd}", os.O_RDONLY | os.O_CLOEXEC)


def view(
    command: Sequence[str],
    folder: str,
    confinement: Confinement,
    others: Iterable[str] = (),
    grants: Grants = NOTHING,
) -> View:
    """Return what `command` is shown; for all others see `confined`.

    This reads and copies as much as whoever wrote the program likes, so it belongs into a thread where others wait.

    Raises OSError where a file it needs cannot be shown to it, or its folder holds too much.
    """
    if confinement.mode == "off":
        return View(command, folder)
    command, folder = filesystem_view.straight_words(command), filesystem_view.straight(folder)
    hidden = [*filesystem_view.others(folder, command, others), *filesystem_view.databases(folder)]
    if confinement.mode == "rlimits":
        readable = filesystem_view.readable(command, folder)
        if not confinement.counts_memory:
            readable.remove(filesystem_view.ZERO)
        options = None
        if landlock_version():
            guarding = _guarding(readable, hidden, grants)
            options = _Content(b"".join(os.fsencode(option) + b"\0" for option in guarding))
        return View(command, folder, options=options, needs_rights=bool(unreadable(readable)))
    copied = new_user() is not None
    paths = sorted(filesystem_view.own(command, folder))  # a folder comes before its files
    own = [(path, confinement.copies.readable(path) if copied else path) for path in paths]
    return View(command, folder, bubblewrap.hiding(hidden, own), bubblewrap.showing(own, folder))


def confined(
    command: Sequence[str],
    folder: str,
    *,
    sockets: str,
    env: dict[str, str],
    memory_bytes: int,
    confinement: Confinement,
    others: Iterable[str] = (),
    grants: Grants = NOTHING,
    shown: View | None = None,
) -> Launch:
    """Return the launch of `command`, confined.

    command: the program and its arguments.
    folder: its working directory.
    sockets: the folder of the socket that it dials.
    memory_bytes: the most data it may hold.
    others: files and folders of other bots.
    grants: what the organiser grants it beyond other bots.
    shown: what it is shown, as `view` found it; None: that is found now.

    Raises OSError where a file it needs cannot be shown to it, or its control groups cannot be made.
    """
    if confinement.mode == "off":
        return Launch([*_guardian(), "--", *command], env, guarded=True)
    if shown is None:
        shown = view(command, folder, confinement, others, grants)
    user = new_user()
    groups = confinement.groups
    group = groups.new(memory_bytes) if groups else None
    launch = Launch([], env, _filter(confinement, grants), confinement.mode == "rlimits", None, groups, group)
    # Limited inside, where its user namespace has no other process: see `counts_by_namespace`.
    alone = user is not None or (confinement.mode == "bwrap" and counts_by_namespace())
    inner = [*_scoping(grants), *limiting(memory_bytes, PROCESSES if alone else None), *shown.command]
    try:
        if confinement.mode == "rlimits":
            around = [*_guardian(), *(f"filter={fd}" for fd in launch.fds)]
            if shown.options is not None:
                more = shown.options.open()
                launch = replace(launch, fds=(*launch.fds, more))
                around += [f"more={more}", f"read={sockets}"]
            around.append("--")
            # Files in root's own folders only root can read: then the command runs as root, without capabilities.
            if user is not None:
                around += powerless() if shown.needs_rights else becoming(user)
                user = None if shown.needs_rights else user
        else:
            around = bubblewrap.wrapping(
                shown.own,
                shown.folder,
                sockets=sockets,
                hiding=shown.hiding,
                filter_fd=launch.fds[0] if launch.fds else None,
                user=user,
                grants=grants,
                counted=confinement.counts_memory,
            )
    except OSError:
        launch.close()
        launch.end()
        raise
    return replace(launch, argv=[*joining(group), *around, *inner], user=user)


def gap(command: Sequence[str], folder: str, confinement: Confinement, grants: Grants = NOTHING) -> str:
    """Return how a program could reach more than its own files where it is confined so; empty where it could not.

    command, folder, grants: as for `confined`.
    """
    if grants.network and landlock_version() < SCOPES_FROM:
        return "with the network it could dial abstract sockets (Landlock of Linux 6.12 keeps it from them)"
    if confinement.mode != "rlimits" or confinement.gap:
        return confinement.gap
    with suppress(OSError):  # a file is missing: the program will not start
        if path := unreadable(
            filesystem_view.readable(filesystem_view.straight_words(command), filesystem_view.straight(folder))
        ):
            return f"it would run as root, as nobody else may read {path} (chmod a+rX)"
    return ""


def _filter(confinement: Confinement, grants: Grants) -> tuple[int, ...]:
    """Return the descriptor of the system call filter; none where there is no filter."""
    code = seccomp.program(
        own_files=confinement.mode == "bwrap",
        network=grants.network,
        devices=bool(grants.devices),
        counted=confinement.counts_memory,
    )
    if not code:
        return ()
    return (readable_fd(code),)


def readable_fd(content: bytes) -> int:
    """Return a new descriptor from which a program that inherits it reads this."""
    fd = os.memfd_create("arena")
    with open(fd, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def joining(group: Group | None) -> list[str]:
    """Return the beginning of a command line that joins control groups, before the program; empty without any."""
    return ["/bin/sh", "-c", _JOIN, "join", *group.join_files, "--"] if group is not None else []


def _guardian() -> list[str]:
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("guardian.py"))]


def _scoping(grants: Grants) -> list[str]:
    """Return the beginning of a command line that keeps a program with the network from abstract sockets and ports."""
    return [*_guardian(), "scope"] if grants.network else []


def _guarding(readable: Iterable[str], hidden: Iterable[str], grants: Grants) -> list[str]:
    """Return the options of a guardian for what its command may read, list and write, except its socket.

    The guardian keeps our rights, as it has to end the bot.
    """
    shown, listed = filesystem_view.without(readable, hidden)
    granted = [name for path in grants.files for name in (path, os.path.realpath(path))]
    options = [f"read={path}" for path in [*shown, *filesystem_view.PROC, *granted]]
    options += [f"list={path}" for path in [*listed, "/proc", *filesystem_view.listed()]]
    return options + [f"write={path}" for path in (*filesystem_view.DEVICES, *grants.devices)]
