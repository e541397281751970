"""Resource limits of every process of a bot, in all modes but "off"."""

import platform
import resource
import shutil

PROCESSES = 256
"""Processes and threads of a bot together; runtimes of some languages start one or two for every core."""

FILE_BYTES = 64 << 20
"""The largest file a bot may write, and the size of each folder that it may write to."""

OPEN_FILES = 1024

LOCKED_BYTES = 64 << 10
PENDING_SIGNALS = 256
"""Locked memory, signals and timers: the kernel counts them for all processes of a user together, also across
namespaces, so that one bot could use up the share of others."""

STACK_BYTES = 8 << 20
"""The stack of a process that asks for no other, where ours is not limited; threads get as much of its data each."""

CPU_SECONDS = 24 * 3600
"""Of each process; a last resort, as clocks end bots that compute without answering."""


def limiting(memory_bytes: int, processes: int | None = PROCESSES) -> list[str]:
    """Return the beginning of a command line that limits the program that follows it.

    memory_bytes: the data of each process, and its stack. The address space is not limited: runtimes reserve far more
        than they use.
    processes: of its user in its user namespace; None: not limited.
    """
    return [
        shutil.which("prlimit") or "prlimit",
        f"--data={memory_bytes}",
        f"--stack={stack(memory_bytes)}",
        f"--fsize={FILE_BYTES}",
        f"--cpu={CPU_SECONDS}",
        f"--nofile={at_most(resource.RLIMIT_NOFILE, OPEN_FILES)}",
        f"--memlock={at_most(resource.RLIMIT_MEMLOCK, LOCKED_BYTES)}",
        f"--sigpending={at_most(resource.RLIMIT_SIGPENDING, PENDING_SIGNALS)}",
        "--msgqueue=0",
        "--core=0",
        *([] if processes is None else [f"--nproc={processes}"]),
        "--",
    ]


def at_most(limit: int, wanted: int) -> int:
    """Return the wanted value of a limit, or our hard limit where that is lower."""
    _, hard = resource.getrlimit(limit)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def stack(memory_bytes: int) -> str:
    """Return the limits of the stack for `prlimit`: ours, and up to how far a program may raise it.

    memory_bytes: what it may hold.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    most = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    usual = STACK_BYTES if soft == resource.RLIM_INFINITY else soft
    return f"{min(usual, most)}:{most}"


def counts_by_namespace() -> bool:
    """Tell whether the kernel counts a user's processes separately in each user namespace, as it does since 5.14."""
    major, minor = platform.release().split(".")[:2]
    return (int(major), int(minor)) >= (5, 14)
