"""What the kernel may keep for the open sockets, pipes and epolls of processes, which none of its counters tells.

A process has the memory in the buffers of its sockets and pipes without having it mapped. How full they are nobody
outside can ask, so each counts with as much as it can hold.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

_PIPE_BYTES = 512 << 10
"""16 pages, each of which may be part of a larger block."""

_WATCH_BYTES = 256
"""What an epoll keeps for each descriptor that it watches."""

_USUAL_BUFFER = 212_992
_BUFFER_SIZE = Path("/proc/sys/net/core/wmem_default")


@cache
def _socket_bytes() -> int:
    """Return how much a socket keeps at most: the last message may be as large as what may lie there before it."""
    size = _USUAL_BUFFER
    with suppress(OSError):
        size = int(_BUFFER_SIZE.read_text())
    return 2 * size


def most_kept(places: Iterable[int]) -> int:
    """Return more than the kernel can keep for processes.

    places: how many descriptors each has room for.
    """
    dearest = max(_socket_bytes(), _PIPE_BYTES)
    return sum(count * max(dearest, count * _WATCH_BYTES) for count in places)


def kept_bytes(places: dict[int, int], deadline: float, proc: Path = Path("/proc")) -> int:
    """Return how much the kernel may keep for processes; what several of them have open counts once.

    places: how many descriptors each process has room for, by its id.
    deadline: by `time.thread_time`; those that were not asked until then, or may not be asked, count with all that they
        have room for.
    proc: where the kernel tells.
    """
    kept: dict[str, int] = {}
    for pid, room in places.items():
        is_late = time.thread_time() >= deadline
        found = None if is_late else _openings(os.path.join(proc, str(pid), "fd"))
        kept |= {f"{pid}": most_kept([room])} if found is None else found
    return sum(kept.values())


def _openings(folder: str) -> dict[str, int] | None:
    """Return how much each of the open descriptors in a folder of the kernel may keep, by what it is.

    None where the folder may not be read.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:  # the process has ended
        return {}
    except OSError:
        return None
    kept: dict[str, int] = {}
    for name in names:
        with suppress(OSError):
            what = os.readlink(path := os.path.join(folder, name))
            if what.startswith("socket:"):
                kept[what] = _socket_bytes()
            elif what.startswith("pipe:"):
                kept[what] = _PIPE_BYTES
            elif what == "anon_inode:[eventpoll]":  # all have this name
                kept[path] = len(names) * _WATCH_BYTES
    return kept
