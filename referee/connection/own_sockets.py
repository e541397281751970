"""The sockets of this process, those of gRPC among them, looked at from outside.

All of it works too where the process has no file descriptor left, after a first call of `reserve`.
"""

import fcntl
import os
import resource
import socket
import stat
import struct
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

Key = tuple[int, int]
"""A socket: its descriptor, and the inode by which it is told from a later one of that number."""


def open_files() -> int:
    """Return how many files this process has open."""
    return os.stat("/proc/self/fd").st_size or len(_descriptors())  # the size is 0 before Linux 6.2


def sockets() -> Iterator[Key]:
    """Yield the open sockets of this process."""
    for number in _descriptors():
        with suppress(OSError):
            found = os.fstat(number)
            if stat.S_ISSOCK(found.st_mode):
                yield number, found.st_ino


def unread(key: Key) -> int | None:
    """Return how many bytes wait to be read from a socket; None where it is gone."""
    with suppress(OSError):
        if os.fstat(key[0]).st_ino == key[1]:
            return int.from_bytes(fcntl.ioctl(key[0], termios.FIONREAD, bytes(4)), "little")
    return None


def address(key: Key) -> str:
    """Return the path at which a connection was accepted; nothing where it is none of a Unix socket."""
    with suppress(OSError), _copy(key) as copy:
        if copy.family == socket.AF_UNIX and not copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return str(copy.getsockname())
    return ""


def peer(key: Key) -> int:
    """Return the id of the process that dialled; 0 where that is not known."""
    with suppress(OSError), _copy(key) as copy:
        pid, _, _ = struct.unpack("3i", copy.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        return int(pid)
    return 0


def shut_down(key: Key) -> None:
    """End a connection below gRPC, which may be busy with it."""
    with suppress(OSError), _copy(key) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def _descriptors() -> Sequence[int]:
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:  # as there is no descriptor left to list them with
        return range(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


@contextmanager
def _copy(key: Key) -> Iterator[socket.socket]:
    """Lend a socket under a descriptor that is kept for this. Raises OSError where the socket is gone."""
    empty, kept = reserve()
    os.dup2(key[0], kept, inheritable=False)
    try:
        if os.fstat(kept).st_ino != key[1]:
            raise OSError("the descriptor is another file's by now")
        copy = socket.socket(fileno=kept)
        try:
            yield copy
        finally:
            copy.detach()
    finally:
        os.dup2(empty, kept, inheritable=False)


@cache
def reserve() -> tuple[int, int]:
    """Return two descriptors: of nothing, and the one that copies have for a while; opened by the first call."""
    empty = os.open(os.devnull, os.O_RDONLY)
    return empty, os.dup(empty)
