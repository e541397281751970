"""Names of processes that take work from the database, by which others see that one of them is dead.

A name is HOST:NAMESPACE:PID:START: the host's name, the number of its namespace of processes (containers have one of
their own), the process's number there, and when it was started. Numbers of processes are used again, with another
start. Where there is no /proc, nobody is known to be dead, and work is free again once its lease has run out.
"""

import os
import socket
from pathlib import Path


def worker_name() -> str:
    """Return the name of this process."""
    return f"{_namespace()}:{os.getpid()}:{_start(os.getpid()) or ''}"


def is_here(worker: str) -> bool:
    """Tell whether a worker runs on this host, and in its namespace of processes."""
    return worker.startswith(f"{_namespace()}:")


def is_dead(worker: str) -> bool:
    """Tell whether a worker is known to be dead: a process of this host that is no more."""
    process, _, start = worker.rpartition(":")
    namespace, _, pid = process.rpartition(":")
    if namespace != _namespace() or not pid.isdecimal() or not start:
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):  # another user's, whose /proc may be hidden
        return False
    return _start(int(pid)) != start


def is_alive(worker: str) -> bool | None:
    """Tell whether a worker lives; None where that cannot be known, as of another host."""
    if is_dead(worker):
        return False
    return True if is_here(worker) and not worker.endswith(":") else None


def host_and_process(worker: str) -> tuple[str, str]:
    """Return where a worker runs and the number of its process, for people; its name and no number if it has another.

    A host may have colons in its name, as addresses of version 6 do.
    """
    host, *rest = worker.rsplit(":", 3)
    return host, rest[1] if len(rest) == 3 else ""


def _namespace() -> str:
    try:
        number = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        number = 0
    return f"{socket.gethostname()}:{number}"


def _start(pid: int) -> str | None:
    """Return when a process was started, in ticks since the host was; None where it is no more, or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
