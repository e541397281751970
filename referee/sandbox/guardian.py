"""Guards a bot where bubblewrap does not work: `python -I -S guardian.py [OPTION=VALUE...] -- COMMAND...`.

It runs the command in a session of its own, with a parent-death signal, and waits. Standard input is the referee's
pipe: when it closes, or the command ends, or a signal asks for the end, everything the command started is killed: its
process group, and, as the guardian is a child subreaper, its orphans too. The guardian exits as the command did.

    filter=FD     the command runs under the system call filter that is read from this descriptor
    read=PATH     it may read and run everything below, and read or write nothing that is not named (Landlock)
    list=PATH     it may list the names of everything below
    write=PATH    it may read and write this file
    more=FD       further options, each with a NUL after it, that are read from this descriptor: there may be many

`python -I -S guardian.py scope COMMAND...` becomes the command, which reaches no abstract socket and no process outside
and binds no TCP port: it shares the network of the machine, and with it the names of abstract sockets.

It imports little, and only from the standard library, as it starts with every bot.
"""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

# linux/landlock.h; the numbers of its calls are the same on all machines.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1}
"""All rights of the first versions; from the third on one more, to truncate."""
RIGHTS_OF_LATER = (1 << 15) - 1
PROC_SELF = "/proc/self"
SCOPES_FROM = 6
SCOPED = 3
"""Abstract sockets and signals do not reach processes outside."""
BINDS_FROM = 4
BIND_TCP = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def landlock_version() -> int:
    """Return the version of Landlock that the kernel offers, 0 where it offers none."""
    return max(0, int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION)))


def restrict_files(libc: ctypes.CDLL, readable: list[str], listed: list[str], writable: list[str]) -> None:
    """Restrict this process and all it starts to these files. Raises OSError where the kernel refuses."""
    wanted = [(path, EXECUTE | READ_FILE | READ_DIR) for path in readable]
    wanted += [(path, READ_DIR) for path in listed]
    wanted += [(path, READ_FILE | WRITE_FILE) for path in writable]
    version = landlock_version()
    rights = RIGHTS.get(version, RIGHTS_OF_LATER)
    rules = _Ruleset(rights, 0, SCOPED if version >= SCOPES_FROM else 0)
    # Older kernels take a shorter structure.
    size = ctypes.sizeof(rules) if version >= SCOPES_FROM else 8
    ruleset = libc.syscall(CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "no Landlock")
    for path, allowed in wanted:
        with suppress(FileNotFoundError):
            parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
            if not os.path.isdir(path):
                allowed &= ~READ_DIR
            rule = _Beneath(allowed & rights, parent)
            if libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0):
                raise OSError(ctypes.get_errno(), f"Landlock refuses {path}")
            os.close(parent)
    if libc.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "Landlock refuses")
    os.close(ruleset)


def scope(libc: ctypes.CDLL) -> None:
    """Keep this process and all it starts from abstract sockets and processes outside, and from binding TCP ports.

    Does what the kernel's Landlock can do of it: ports from version 4, the rest from version 6 on. Raises OSError where
    the kernel refuses.
    """
    version = landlock_version()
    if version < BINDS_FROM:
        return
    rules = _Ruleset(0, BIND_TCP, SCOPED if version >= SCOPES_FROM else 0)
    ruleset = libc.syscall(CREATE_RULESET, ctypes.byref(rules), 24 if version >= SCOPES_FROM else 16, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if ruleset < 0 or libc.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "Landlock refuses")
    os.close(ruleset)


def filter_calls(libc: ctypes.CDLL, code: bytes) -> None:
    """Filter the system calls of this process and all it starts. Raises OSError where the kernel refuses."""
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(_Program(len(code) // 8, code)), 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls is refused")


def confine(libc: ctypes.CDLL, options: list[str]) -> None:
    """Confine this process by the options. Raises OSError where the kernel refuses."""
    named: dict[str, list[str]] = {"filter": [], "read": [], "list": [], "write": []}
    for option in options:
        name, _, value = option.partition("=")
        named[name].append(value)
    if options:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if named["read"]:
        restrict_files(libc, named["read"], named["list"], named["write"])
    for fd in map(int, named["filter"]):
        filter_calls(libc, os.read(fd, 65536))
        os.close(fd)


def expand(options: list[str]) -> list[str]:
    """Return the options with those that a descriptor holds."""
    expanded: list[str] = []
    for option in options:
        name, _, value = option.partition("=")
        if name != "more":
            expanded.append(option)
            continue
        with open(int(value), "rb") as file:
            expanded += map(os.fsdecode, file.read().split(b"\0")[:-1])
    return expanded


def children(pid: int) -> list[int]:
    """Return the direct children of a process."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def end_all(first: int) -> None:
    """Kill the command's process group, then everything else that became our child, until nothing is left."""
    with suppress(OSError):
        os.killpg(first, signal.SIGKILL)
    while True:
        for child in children(os.getpid()):
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return


def hold(paths: Iterable[str]) -> None:
    """Keep entries of /proc open, as the kernel would make them anew and Landlock's rules would not hold for those."""
    for path in paths:
        with suppress(OSError):
            os.open(path, os.O_PATH | os.O_CLOEXEC)


def start(command: list[str], options: list[str], libc: ctypes.CDLL) -> int:
    """Start the command and return its process id."""
    guardian = os.getpid()
    held = [path for path in (option.partition("=")[2] for option in options) if path.startswith("/proc/")]
    hold(path for path in held if path != PROC_SELF)
    pid = os.fork()
    if pid:
        if PROC_SELF in held:
            hold([f"/proc/{pid}"])
        return pid
    try:
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guardian:
            os._exit(127)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        confine(libc, options)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def main(arguments: list[str]) -> int:
    """Run the command until it ends or we are asked to; return its exit status."""
    libc = ctypes.CDLL(None, use_errno=True)
    if arguments[0] == "scope":
        scope(libc)
        os.execvp(arguments[1], arguments[1:])
    dashes = arguments.index("--")
    options, command = expand(arguments[:dashes]), arguments[dashes + 1 :]
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    pid = start(command, options, libc)
    status = None
    while status is None:
        ready, _, _ = select.select([0, wake_read], [], [])
        asked_to_end = False
        if 0 in ready:
            asked_to_end = os.read(0, 4096) == b""
        if wake_read in ready:
            asked_to_end = asked_to_end or any(number != signal.SIGCHLD for number in os.read(wake_read, 512))
        while True:
            try:
                ended, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if ended == 0:
                break
            if ended == pid:
                status = os.waitstatus_to_exitcode(code)
        if asked_to_end:
            break
    end_all(pid)
    if status is None:
        return 128 + signal.SIGKILL
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
