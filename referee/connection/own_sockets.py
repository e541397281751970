"""The sockets of this process, including those of gRPC, as the kernel shows them.

After a first call of `reserve_descriptors` all of it works even where the process has no file descriptor left.
"""

import fcntl
import os
import resource
import socket
import stat
import struct
import termios
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

_reserved_lock = threading.Lock()

SocketKey = tuple[int, int]
"""A socket: its descriptor, and its inode, as the kernel gives descriptors out again."""


def count_open_files() -> int:
    """Return how many files this process has open."""
    return os.stat("/proc/self/fd").st_size or len(_descriptors())  # the size is 0 before Linux 6.2


def list_sockets() -> Iterator[SocketKey]:
    """Yield the open sockets of this process."""
    for descriptor in _descriptors():
        with suppress(OSError):
            status = os.fstat(descriptor)
            if stat.S_ISSOCK(status.st_mode):
                yield descriptor, status.st_ino


def unread_bytes(key: SocketKey) -> int | None:
    """Return how many bytes wait to be read from a socket; None where it is closed."""
    with suppress(OSError):
        if os.fstat(key[0]).st_ino == key[1]:
            return int.from_bytes(fcntl.ioctl(key[0], termios.FIONREAD, bytes(4)), "little")
    return None


def identify(key: SocketKey) -> tuple[str, bool] | None:
    """Return the path of a Unix socket, and whether it listens there; an empty path for all other sockets.

    Returns None where that can change, as it neither listens nor is connected yet, and where the socket is closed.
    """
    with suppress(OSError), _duplicate(key) as copy:
        if copy.family != socket.AF_UNIX:
            return "", False
        listens = bool(copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
        if not listens:
            copy.getpeername()  # raises OSError where it is not connected
        return str(copy.getsockname()), listens
    return None


def is_connected(path: str) -> bool:
    """Return whether a connection that came in at a Unix socket is open."""
    return any(identify(key) == (path, False) for key in list_sockets())


def peer_pid(key: SocketKey) -> int:
    """Return the id of the process that dialled; 0 where it is unknown."""
    with suppress(OSError), _duplicate(key) as copy:
        pid, _, _ = struct.unpack("3i", copy.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        return int(pid)
    return 0


def shut_down(key: SocketKey) -> None:
    """End a connection, or the listening, below gRPC, which may be busy with it."""
    with suppress(OSError), _duplicate(key) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def _descriptors() -> Sequence[int]:
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:  # no descriptor is left to list them with
        return range(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


@contextmanager
def _duplicate(key: SocketKey) -> Iterator[socket.socket]:
    """Lend a socket under the reserved descriptor. Raises OSError where the socket is closed."""
    null, reserved = reserve_descriptors()
    with _reserved_lock:
        os.dup2(key[0], reserved, inheritable=False)
        try:
            if os.fstat(reserved).st_ino != key[1]:
                raise OSError("the descriptor belongs to another file by now")
            copy = socket.socket(fileno=reserved)
            try:
                yield copy
            finally:
                copy.detach()
        finally:
            os.dup2(null, reserved, inheritable=False)


@cache
def reserve_descriptors() -> tuple[int, int]:
    """Return two descriptors that the first call opens: of /dev/null, and the one that duplicates use for a while."""
    null = os.open(os.devnull, os.O_RDONLY)
    return null, os.dup(null)
