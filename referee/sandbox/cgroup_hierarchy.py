"""Finds where control groups can be made, from /proc/self/cgroup and /proc/self/mountinfo (man 7 cgroups)."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CONTROLLERS = ("memory", "pids", "cpu")


@dataclass(frozen=True, slots=True)
class ParentGroup:
    """A control group below which ours are made."""

    folder: Path
    controllers: tuple[str, ...]
    """Those of `CONTROLLERS` that work there."""
    version: int
    """The version of control groups, 1 or 2."""


def find_parents(proc: Path = Path("/proc/self")) -> tuple[list[ParentGroup], str]:
    """Return where groups can be made, one parent for each hierarchy, and in words which controllers are missing."""
    mounted = list(_mounted(proc))
    if not mounted:
        return [], "no cgroups are mounted"
    parents: list[ParentGroup] = []
    for folder, root, controllers, version in mounted:
        if version == 2:
            parents += _find_in_version_2(folder, root, proc)
        elif usable := tuple(name for name in CONTROLLERS if name in controllers):
            parent = _existing(folder, root, _own(proc, usable[0]))
            if _is_writable(parent):
                parents.append(ParentGroup(parent, usable, 1))
    missing = [name for name in CONTROLLERS if not any(name in parent.controllers for parent in parents)]
    if not missing:
        return parents, ""
    return parents, f"no group of the controllers {', '.join(missing)} may be written by user {os.geteuid()}"


def own_groups(proc: Path = Path("/proc/self")) -> Iterator[tuple[Path, tuple[str, ...], int]]:
    """Yield the control groups that this process is in, and those above them: folder, controllers and version."""
    for mount, root, controllers, version in _mounted(proc):
        usable = CONTROLLERS if version == 2 else tuple(name for name in CONTROLLERS if name in controllers)
        if usable:
            own = _existing(mount, root, _own(proc, "" if version == 2 else usable[0]))
            for folder in [own, *own.parents]:
                if folder == mount.parent:
                    break
                yield folder, usable, version


def _mounted(proc: Path) -> Iterator[tuple[Path, str, set[str], int]]:
    """Yield the mounted hierarchies: folder, the group that is mounted there, controllers (of version 1), version."""
    with suppress(OSError):
        for line in (proc / "mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ", 2)
            root, mount = before.split()[3:5]
            if kind == "cgroup":
                yield Path(mount), root, set(options.split(",")), 1
            elif kind == "cgroup2":
                yield Path(mount), root, set(), 2


def _own(proc: Path, controller: str) -> str:
    """Return the path of our own group in the hierarchy of a controller; "" for version 2."""
    for line in (proc / "cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path
    return "/"


def _existing(mount: Path, root: str, path: str) -> Path:
    """Return our own group.

    In a container its path may be one of the host: then it begins with the group that is mounted, or the mount is the
    group.
    """
    below = path.removeprefix(root) if root != "/" and f"{path}/".startswith(f"{root}/") else path
    own = mount / below.lstrip("/")
    return own if own.is_dir() and ".." not in own.parts else mount


def _find_in_version_2(mount: Path, root: str, proc: Path) -> list[ParentGroup]:
    """Return the nearest group from our own upwards that we may write and that delegates memory and pids.

    A group with processes of its own delegates nothing, so it is seldom our own.
    """
    own = _existing(mount, root, _own(proc, ""))
    for folder in [own, *own.parents]:
        if folder == mount.parent:
            break
        delegated = _words(folder / "cgroup.subtree_control")
        usable = tuple(name for name in CONTROLLERS if name in delegated)
        if {"memory", "pids"} <= set(usable) and _is_writable(folder) and os.access(folder / "cgroup.procs", os.W_OK):
            return [ParentGroup(folder, usable, 2)]
    return _delegate_own(own)


def _delegate_own(own: Path) -> list[ParentGroup]:
    """Move the processes of our own group into a child where systemd delegated it to us, so that it can delegate."""
    usable = tuple(name for name in CONTROLLERS if name in _words(own / "cgroup.controllers"))
    if not {"memory", "pids"} <= set(usable) or not _is_writable(own) or not _is_delegated(own):
        return []
    try:
        main = own / "arena-main"
        main.mkdir(exist_ok=True)
        for pid in _words(own / "cgroup.procs"):
            with suppress(ProcessLookupError):
                (main / "cgroup.procs").write_text(pid)
        (own / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in usable))
    except OSError:
        return []
    return [ParentGroup(own, usable, 2)]


def _is_delegated(own: Path) -> bool:
    """Tell whether systemd delegated the group."""
    for name in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):
            return os.getxattr(own, name) == b"1"
    return False


def _is_writable(folder: Path) -> bool:
    """Tell whether groups can be made in a folder; a mount may be read-only whatever its modes say."""
    probe = folder / f"arena-probe-{os.getpid()}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return True


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []
