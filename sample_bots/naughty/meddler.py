"""A bot that tampers with others: `meddler.py processes PID... MARK` or `meddler.py files at:PATH... MARK`.

It tries to change other processes, or files that it did not create, without writing to them. It prints what worked,
as `intruder.py` does, and otherwise plays well.
"""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from functools import partial

from sample_bots.naughty.intruder import tell
from sample_bots.naughty.naughty import Conversation

LIBC = ctypes.CDLL(None, use_errno=True)

SYSCALLS = {
    "x86_64": {"ioprio_set": 251, "kcmp": 312, "pidfd_send_signal": 424, "fchmodat2": 452, "get_robust_list": 274},
    "aarch64": {"ioprio_set": 30, "kcmp": 272, "pidfd_send_signal": 424, "fchmodat2": 452, "get_robust_list": 100},
}[os.uname().machine]
"""Numbers of system calls without a function in the C library."""

FIOSETOWN, FS_IOC_SETFLAGS = 0x8901, 0x40086602
F_SETOWN, F_SETSIG = 8, 10
AT_EMPTY_PATH = 0x1000
IDLE = 3 << 13
"""The idle I/O priority (linux/ioprio.h)."""


def call(name: str, *arguments: object) -> None:
    """Make a system call. Raises OSError if it fails."""
    if LIBC.syscall(SYSCALLS[name], *arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def own_signals(pid: int) -> None:
    """Make the kernel send another process a signal when a socket of this process becomes readable."""
    ours, theirs = socket.socketpair()
    fcntl.fcntl(ours, F_SETOWN, pid)
    fcntl.fcntl(ours, F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    theirs.send(b"!")


def own_signals_by_request(pid: int) -> None:
    """The same by ioctl, with the default signal SIGIO, which ends processes."""
    ours, theirs = socket.socketpair()
    fcntl.ioctl(ours, FIOSETOWN, struct.pack("i", pid))
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    theirs.send(b"!")


TO_PROCESSES: dict[str, Callable[[int], object]] = {
    "signals of a socket": own_signals,
    "signals of a socket, by ioctl": own_signals_by_request,
    "setpriority": lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
    "setpriority of a user": lambda pid: os.setpriority(os.PRIO_USER, os.getuid(), 19),
    "ioprio_set": lambda pid: call("ioprio_set", 1, pid, IDLE),
    "sched_setaffinity": lambda pid: os.sched_setaffinity(pid, {0}),
    "sched_setscheduler": lambda pid: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)),
    "kcmp": lambda pid: call("kcmp", pid, os.getpid(), 1, 0, 0),
    "get_robust_list": lambda pid: call("get_robust_list", pid, bytes(8), bytes(8)),
    "pidfd_open": lambda pid: os.pidfd_open(pid),
    "pidfd_send_signal": lambda pid: call("pidfd_send_signal", os.open(f"/proc/{pid}", os.O_RDONLY), 0, None, 0),
    "its open files": lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0)),
    "its time": lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (0, 0)),
}
"""What is tried on a process, by name; the last one ends it."""


def by_descriptor(change: Callable[[int], object], path: str) -> None:
    """Change a file that is open for reading."""
    file = os.open(path, os.O_RDONLY)
    try:
        change(file)
    finally:
        os.close(file)


def by_handle(change: Callable[[str], object], path: str) -> None:
    """Change a file by the link of an O_PATH descriptor."""
    handle = os.open(path, os.O_PATH)
    try:
        change(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)


def of_handle(path: str) -> None:
    """Change the mode of a file by its O_PATH descriptor."""
    handle = os.open(path, os.O_PATH)
    try:
        call("fchmodat2", handle, b"", 0, AT_EMPTY_PATH)
    finally:
        os.close(handle)


def stamp(path: str, change: Callable[[], object]) -> None:
    """Change the times of a file. Raises PermissionError if that succeeds without effect."""
    before = os.stat(path).st_mtime_ns
    change()
    if os.stat(path).st_mtime_ns == before:
        raise PermissionError(errno.EPERM, "nothing has changed")


TO_FILES: dict[str, Callable[[str], object]] = {
    "chown": lambda path: os.chown(path, -1, os.getgid()),
    "lchown": lambda path: os.lchown(path, -1, os.getgid()),
    "fchown": partial(by_descriptor, lambda file: os.fchown(file, -1, os.getgid())),
    "utime": lambda path: stamp(path, lambda: os.utime(path, (0, 0))),
    "utime, now": lambda path: stamp(path, lambda: os.utime(path)),
    "futimens": lambda path: stamp(path, lambda: by_descriptor(os.utime, path)),
    "setxattr": lambda path: os.setxattr(path, "user.mark", b"mine"),
    "fsetxattr": partial(by_descriptor, lambda file: os.setxattr(file, "user.mark", b"mine")),
    "removexattr": lambda path: os.removexattr(path, "user.arena"),
    "flags": partial(by_descriptor, lambda file: fcntl.ioctl(file, FS_IOC_SETFLAGS, struct.pack("l", 0x80))),
    "truncate": lambda path: os.truncate(path, 0),
    "fchmod": partial(by_descriptor, lambda file: os.fchmod(file, 0)),
    "fchmodat2": of_handle,
    "chmod by a handle": partial(by_handle, lambda path: os.chmod(path, 0)),
    "chmod": lambda path: os.chmod(path, 0),
}
"""What is tried on a file, by name."""


def processes() -> None:
    """Try to stop, slow down, limit or inspect other processes."""
    for pid in map(int, sys.argv[2:-1]):
        for name, meddle in TO_PROCESSES.items():
            attempt(f"{name} of {pid}", partial(meddle, pid))
    Conversation().play()


def files() -> None:
    """Try to change the mode, owner, times, attributes and length of files."""
    paths = [word.removeprefix("at:") for word in sys.argv[2:-1]]
    for path in (*paths, os.path.dirname(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))):
        for name, meddle in TO_FILES.items():
            attempt(f"{name} of {path}", partial(meddle, path))
    Conversation().play()


def attempt(what: str, act: Callable[[], object]) -> None:
    """Do something, and print whether it worked."""
    try:
        act()
        tell(what)
    except OSError as failure:
        tell(what, failure)


if __name__ == "__main__":
    {"processes": processes, "files": files}[sys.argv[1]]()
