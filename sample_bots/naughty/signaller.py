"""A bot that signals to another one over covert channels, or looks for its signals: `signaller.py send|look FILE`.

The channels are kernel state of a file or under a key: locks, leases, notifications, time stamps, hints, queues. None
needs a clock. Both roles print a line for each channel: GOT CHANNEL if it works (the sender sent the signal, the
looker sees it), otherwise the error. FILE is a file that both can read.

It runs in the sandbox of a bot, but does not play.
"""

import ctypes
import errno
import fcntl
import os
import signal
import struct
import sys
from collections.abc import Callable

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

F_OFD_GETLK, F_OFD_SETLK = 36, 37
F_SETLEASE, F_GETLEASE, F_NOTIFY, DN_ACCESS = 1024, 1025, 1026, 1
F_GET_RW_HINT, F_SET_RW_HINT = 1035, 1036
LOCK = "hhqqi4x"  # struct flock: type, whence, start, length, pid
KEY = 0x4172656E
IPC_CREAT, IPC_STAT = 0o1000, 2
STAMP = "/dev/null"
"""A device that every user may write to."""

OPEN: list[object] = []
"""Descriptors that stay open."""


def call(name: str, *arguments: object) -> int:
    """Call a function of the C library and return its result. Raises OSError if that is -1."""
    result = int(getattr(LIBC, name)(*arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def opened(path: str) -> int:
    """Open a file for reading and keep it open."""
    file = os.open(path, os.O_RDONLY)
    OPEN.append(file)
    return file


def lock(path: str) -> bool:
    """Lock a byte."""
    fcntl.fcntl(opened(path), fcntl.F_SETLK, struct.pack(LOCK, fcntl.F_RDLCK, 0, 7, 1, 0))
    return True


def see_lock(path: str) -> bool:
    """See whether a byte is locked."""
    return _locked(path, fcntl.F_GETLK)


def lock_open_file(path: str) -> bool:
    """Lock a byte for the open file, not for the process."""
    fcntl.fcntl(opened(path), F_OFD_SETLK, struct.pack(LOCK, fcntl.F_RDLCK, 0, 11, 1, 0))
    return True


def see_lock_of_open_file(path: str) -> bool:
    """See whether a byte is locked by an open file."""
    return _locked(path, F_OFD_GETLK)


def _locked(path: str, command: int) -> bool:
    result = fcntl.fcntl(opened(path), command, struct.pack(LOCK, fcntl.F_WRLCK, 0, 0, 0, 0))
    return bool(struct.unpack(LOCK, result)[0] != fcntl.F_UNLCK)


def lock_whole(path: str) -> bool:
    """Lock the file by flock."""
    fcntl.flock(opened(path), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def see_lock_of_whole(path: str) -> bool:
    """See whether the file is locked by flock."""
    try:
        fcntl.flock(opened(path), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def lease(path: str) -> bool:
    """Take a lease on the file."""
    fcntl.fcntl(opened(path), F_SETLEASE, fcntl.F_RDLCK)
    return True


def see_lease(path: str) -> bool:
    """See whether the file has a lease."""
    return fcntl.fcntl(opened(path), F_GETLEASE) != fcntl.F_UNLCK


def hint(path: str) -> bool:
    """Set the write lifetime hint of the file."""
    fcntl.fcntl(opened(path), F_SET_RW_HINT, struct.pack("Q", 3))
    return True


def see_hint(path: str) -> bool:
    """See whether the hint is set."""
    return bool(struct.unpack("Q", fcntl.fcntl(opened(path), F_GET_RW_HINT, bytes(8)))[0] == 3)


def await_access(path: str) -> bool:
    """Ask for a notification when a file in the folder is read."""
    signal.signal(signal.SIGIO, lambda *_: None)
    fcntl.fcntl(opened(os.path.dirname(path)), F_NOTIFY, DN_ACCESS)
    return True


def watch(path: str) -> bool:
    """Ask for a notification when the file is opened."""
    OPEN.append(call("inotify_add_watch", call("inotify_init1", 0), path.encode(), 0x20))
    return True


def stamp(path: str) -> bool:
    """Set the times of a device to now."""
    before = os.stat(STAMP).st_mtime_ns
    try:
        os.utime(STAMP)
    except OSError:
        os.utime(opened(STAMP))
    return os.stat(STAMP).st_mtime_ns != before


def see_stamp(path: str) -> bool:
    """Print the time stamp of the device, which shows the sender's."""
    print(os.stat(STAMP).st_mtime_ns)
    return False


def make(what: str) -> Callable[[str], bool]:
    """Return a function that creates a queue, a semaphore or shared memory."""

    def create(path: str) -> bool:
        size = {"msgget": (), "semget": (1,), "shmget": (4096,)}[what]
        call(what, KEY, *size, IPC_CREAT | 0o666)
        return True

    return create


def find(what: str) -> Callable[[str], bool]:
    """Return a function that sees whether it exists."""

    def exists(path: str) -> bool:
        size = {"msgget": (), "semget": (1,), "shmget": (4096,)}[what]
        try:
            call(what, KEY, *size, 0)
        except FileNotFoundError:
            return False
        return True

    return exists


def make_posix_queue(path: str) -> bool:
    """Create a named queue."""
    call("mq_open", b"/arena-signal", os.O_CREAT | os.O_RDWR, 0o666, None)
    return True


def find_posix_queue(path: str) -> bool:
    """See whether the queue exists."""
    try:
        call("mq_open", b"/arena-signal", os.O_RDWR)
    except FileNotFoundError:
        return False
    return True


CHANNELS: dict[str, tuple[Callable[[str], bool], Callable[[str], bool]]] = {
    "lock": (lock, see_lock),
    "lock of an open file": (lock_open_file, see_lock_of_open_file),
    "lock of a whole file": (lock_whole, see_lock_of_whole),
    "lease": (lease, see_lease),
    "hint": (hint, see_hint),
    "notice": (lambda path: False, await_access),
    "watch": (lambda path: False, watch),
    "time stamp": (stamp, see_stamp),
    **{what: (make(what), find(what)) for what in ("msgget", "semget", "shmget")},
    "posix queue": (make_posix_queue, find_posix_queue),
}
"""Channel to the functions of sender and looker."""


def main(role: str, path: str) -> None:
    """Try every channel, and print which ones work."""
    for name, functions in CHANNELS.items():
        try:
            print(f"GOT {name}" if functions[role == "look"](path) else f"nothing by {name}")
        except OSError as failure:
            print(f"{name}: {errno.errorcode.get(failure.errno or 0)}")
    print("done", flush=True)
    if role == "send":
        signal.pause()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("send", "look"):
        sys.exit("usage: signaller.py send|look FILE")
    main(*sys.argv[1:])
