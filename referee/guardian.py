"""A bot's guardian where bubblewrap does not work: `python -I -S guardian.py COMMAND ...`.

It runs the command in a session of its own, with a parent-death signal, and waits. Standard input
is the referee's pipe: when it closes, or the command ends, or a signal asks for the end, everything
the command started is killed: its process group, and as a child subreaper also what it orphaned.
The guardian ends as the command did.
"""

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def children(pid: int) -> list[int]:
    """Return the direct children of a process."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def end_all(first: int) -> None:
    """Kill the command's process group, then whatever else became our child, until nothing is left."""
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


def start(command: list[str], libc: ctypes.CDLL) -> int:
    """Start the command and return its process id."""
    guardian = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guardian:
            os._exit(127)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def main(command: list[str]) -> int:
    """Run the command to its end, or to ours, and return its exit status."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    pid = start(command, libc)
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
