"""What the kernel counts for every process of a bot, with or without a sandbox around it."""

import platform
import resource
import shutil

PROCESSES = 256
"""Processes and threads of a bot together: runtimes of some languages start one or two for every core."""

FILE_BYTES = 64 << 20
"""The largest file a bot may write, and the size of each folder that it may write to."""

OPEN_FILES = 1024

LOCKED_BYTES = 64 << 10
PENDING_SIGNALS = 256
"""Memory that is never swapped out, signals and timers: what the kernel counts for all processes of a user together,
here or in another namespace. One bot must not use up what others find missing then."""

CPU_SECONDS = 24 * 3600
"""Of each process: a fence only, as clocks end whoever computes without answering."""


def limiting(memory_bytes: int, processes: int | None = PROCESSES) -> list[str]:
    """Return the beginning of a command line that limits what follows it.

    memory_bytes: the data of each process. The address space is not limited: runtimes reserve far more than they use.
    processes: of the user who runs it in its user namespace; None: not limited.
    """
    return [
        shutil.which("prlimit") or "prlimit",
        f"--data={memory_bytes}",
        f"--fsize={FILE_BYTES}",
        f"--cpu={CPU_SECONDS}",
        f"--nofile={_at_most(resource.RLIMIT_NOFILE, OPEN_FILES)}",
        f"--memlock={_at_most(resource.RLIMIT_MEMLOCK, LOCKED_BYTES)}",
        f"--sigpending={_at_most(resource.RLIMIT_SIGPENDING, PENDING_SIGNALS)}",
        "--msgqueue=0",
        "--core=0",
        *([] if processes is None else [f"--nproc={processes}"]),
        "--",
    ]


def _at_most(limit: int, wanted: int) -> int:
    """Return what is wanted of a limit, or what may be had of it."""
    _, most = resource.getrlimit(limit)
    return wanted if most == resource.RLIM_INFINITY else min(wanted, most)


def counts_by_namespace() -> bool:
    """Tell whether the kernel counts processes apart in each user namespace (since 5.14), not all of a user's."""
    major, minor = platform.release().split(".")[:2]
    return (int(major), int(minor)) >= (5, 14)
