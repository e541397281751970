"""The users that bots run as where root runs arena: they own nothing, and each bot has another one.

Even root without capabilities could write to /proc/sys (core_pattern and the like), and limits of processes do not
apply to root.
"""

import os
import secrets
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

_RANGES = ((1 << 30, 1 << 24), (1 << 24, 1 << 20), (60_600, 400))
"""First number and how many: far from people, services and users of containers; the later ones fit small containers."""


def new_user() -> int | None:
    """Return a number of a user and group for one bot; None where we are not root or cannot change users."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    for first, count in _RANGES:
        if _mapped("/proc/self/uid_map", first, count) and _mapped("/proc/self/gid_map", first, count):
            return first + secrets.randbelow(count)
    return None


def is_real_root() -> bool:
    """Tell whether we are root of the whole machine, and not only of a user namespace."""
    return os.geteuid() == 0 and _mapped("/proc/self/uid_map", 0, 0xFFFFFFFF)


def becoming(user: int) -> list[str]:
    """Return the beginning of a command line that runs the program after it as a user, for good."""
    return [
        _setpriv(), f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs", "--inh-caps=-all", "--"
    ]  # fmt: skip


def powerless() -> list[str]:
    """Return the beginning of a command line that runs the program after it without capabilities."""
    return [_setpriv(), "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"]


def _setpriv() -> str:
    return shutil.which("setpriv") or "setpriv"


def unreadable(paths: Iterable[str]) -> str:
    """Return the first of the paths that not everybody may read; empty where there is none."""
    return next((path for path in paths if not is_open(path)), "")


def is_open(path: str) -> bool:
    """Tell whether everybody may read a file, or enter and list a folder."""
    wanted = stat.S_IROTH | (stat.S_IXOTH if os.path.isdir(path) else 0)
    return os.stat(path).st_mode & wanted == wanted and is_reachable(path)


def is_reachable(path: str) -> bool:
    """Tell whether everybody may enter all folders above a path."""
    return all(os.stat(parent).st_mode & stat.S_IXOTH for parent in Path(path).parents)


def _mapped(path: str, first: int, count: int) -> bool:
    """Tell whether a range of numbers exists in our user namespace."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return True
    rows = [tuple(map(int, line.split())) for line in lines]
    return any(inside <= first and first + count <= inside + length for inside, _, length in rows)
