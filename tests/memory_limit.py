"""A limit on the memory of the process of tests: without it the kernel ends some process when the machine is full, and
nobody learns which test it was, or where.
"""

import faulthandler
import os
import resource
import sys
import threading
from pathlib import Path

import pytest

MOST_BYTES = 6 << 30
"""Bytes of memory that the process of tests may have; the whole of the tests needs less than 1 GiB."""

SECONDS = 0.5
"""Seconds between two looks."""


def pytest_configure(config: pytest.Config) -> None:
    """Watch this process until it ends."""
    # Output is captured later, so this is the stderr of the run, or of its worker.
    start(os.dup(sys.__stderr__.fileno()) if sys.__stderr__ else 2)


def start(stderr: int, most_bytes: int = MOST_BYTES) -> None:
    """Begin to watch this process: it ends itself when it has too much memory, and prints where each thread is.

    Args:
        stderr: The file descriptor to which it prints.
        most_bytes: Bytes of memory that it may have.
    """
    threading.Thread(target=_watch, args=(stderr, most_bytes), name="memory limit", daemon=True).start()


def _watch(stderr: int, most_bytes: int) -> None:
    while memory() <= most_bytes:
        threading.Event().wait(SECONDS)
    os.write(stderr, f"\ntests: this process has more than {most_bytes >> 20} MiB of memory, so it ends:\n".encode())
    faulthandler.dump_traceback(stderr)
    os._exit(1)


def memory() -> int:
    """Return how many bytes of memory this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
