"""A bot that signals to another one, or looks for its signals: `signaller.py send|look [FILE]`.

It uses what the kernel keeps of a file, or under a number, for whoever can name it: locks, leases, notices, time
stamps, hints, queues. None of it needs a clock. Both print a line for each means: GOT MEANS where it works (the sender:
the signal is given; the looker: it is seen), else the error. FILE is one that both can read.

It is a bot only in that it runs where bots run: it does not play.
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
"""A device that everybody may write to."""

OPEN: list[object] = []
"""What must not be closed."""


def call(name: str, *arguments: object) -> int:
    """Call the C library, and return what it returns. Raises OSError where that is -1."""
    result = int(getattr(LIBC, name)(*arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def opened(path: str) -> int:
    """Open a file for reading, for good."""
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
    """Lock a byte, for the open file and not for the process."""
    fcntl.fcntl(opened(path), F_OFD_SETLK, struct.pack(LOCK, fcntl.F_RDLCK, 0, 11, 1, 0))
    return True


def see_lock_of_open_file(path: str) -> bool:
    """See whether a byte is locked by an open file."""
    return _locked(path, F_OFD_GETLK)


def _locked(path: str, command: int) -> bool:
    told = fcntl.fcntl(opened(path), command, struct.pack(LOCK, fcntl.F_WRLCK, 0, 0, 0, 0))
    return bool(struct.unpack(LOCK, told)[0] != fcntl.F_UNLCK)


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
    """Ask to be told before somebody writes to the file."""
    fcntl.fcntl(opened(path), F_SETLEASE, fcntl.F_RDLCK)
    return True


def see_lease(path: str) -> bool:
    """See whether somebody asked that."""
    return fcntl.fcntl(opened(path), F_GETLEASE) != fcntl.F_UNLCK


def hint(path: str) -> bool:
    """Say how long what is written to the file will live."""
    fcntl.fcntl(opened(path), F_SET_RW_HINT, struct.pack("Q", 3))
    return True


def see_hint(path: str) -> bool:
    """See what was said of it."""
    return bool(struct.unpack("Q", fcntl.fcntl(opened(path), F_GET_RW_HINT, bytes(8)))[0] == 3)


def await_access(path: str) -> bool:
    """Ask to be told when somebody reads in the folder of the file."""
    signal.signal(signal.SIGIO, lambda *_: None)
    fcntl.fcntl(opened(os.path.dirname(path)), F_NOTIFY, DN_ACCESS)
    return True


def watch(path: str) -> bool:
    """Ask to be told when somebody opens the file."""
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
    """Print the time of the device, from which the sender's can be told."""
    print(os.stat(STAMP).st_mtime_ns)
    return False


def make(what: str) -> Callable[[str], bool]:
    """Return what makes a queue, a semaphore or shared memory."""

    def made(path: str) -> bool:
        size = {"msgget": (), "semget": (1,), "shmget": (4096,)}[what]
        call(what, KEY, *size, IPC_CREAT | 0o666)
        return True

    return made


def find(what: str) -> Callable[[str], bool]:
    """Return what sees whether it was made."""

    def found(path: str) -> bool:
        size = {"msgget": (), "semget": (1,), "shmget": (4096,)}[what]
        try:
            call(what, KEY, *size, 0)
        except FileNotFoundError:
            return False
        return True

    return found


def make_posix_queue(path: str) -> bool:
    """Make a queue by name."""
    call("mq_open", b"/arena-signal", os.O_CREAT | os.O_RDWR, 0o666, None)
    return True


def find_posix_queue(path: str) -> bool:
    """See whether there is a queue of that name."""
    try:
        call("mq_open", b"/arena-signal", os.O_RDWR)
    except FileNotFoundError:
        return False
    return True


MEANS: dict[str, tuple[Callable[[str], bool], Callable[[str], bool]]] = {
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
"""What is sent by, and how it is seen."""


def main(role: str, path: str) -> None:
    """Try every means, and say what worked."""
    for name, means in MEANS.items():
        try:
            print(f"GOT {name}" if means[role == "look"](path) else f"nothing by {name}")
        except OSError as failure:
            print(f"{name}: {errno.errorcode.get(failure.errno or 0)}")
    print("done", flush=True)
    if role == "send":
        signal.pause()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("send", "look"):
        sys.exit("usage: signaller.py send|look FILE")
    main(*sys.argv[1:])
