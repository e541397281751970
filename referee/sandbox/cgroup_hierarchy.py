"""Where control groups may be made: /proc/self/cgroup and /proc/self/mountinfo read (man 7 cgroups)."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CONTROLLERS = ("memory", "pids", "cpu")


@dataclass(frozen=True, slots=True)
class Place:
    """A group below which ours are made. controllers: those of CONTROLLERS that limit there. version: 1 or 2."""

    folder: Path
    controllers: tuple[str, ...]
    version: int


def places(proc: Path = Path("/proc/self")) -> tuple[list[Place], str]:
    """Return where groups may be made, one place for each hierarchy, and what keeps the rest from it, in words."""
    mounted = list(_mounted(proc))
    if not mounted:
        return [], "no cgroups are mounted"
    found: list[Place] = []
    for folder, controllers, version in mounted:
        if version == 2:
            found += _in_second(folder, proc)
        elif usable := tuple(name for name in CONTROLLERS if name in controllers):
            place = _existing(folder, _own(proc, usable[0]))
            if _writable(place):
                found.append(Place(place, usable, 1))
    missing = [name for name in CONTROLLERS if not any(name in place.controllers for place in found)]
    if not missing:
        return found, ""
    return found, f"no group of the controllers {', '.join(missing)} may be written by user {os.geteuid()}"


def _mounted(proc: Path) -> Iterator[tuple[Path, set[str], int]]:
    """Yield the hierarchies that are mounted: folder, controllers, version."""
    with suppress(OSError):
        for line in (proc / "mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ", 2)
            if kind == "cgroup":
                yield Path(before.split()[4]), set(options.split(",")), 1
            elif kind == "cgroup2":
                yield Path(before.split()[4]), set(), 2


def _own(proc: Path, controller: str) -> str:
    """Return the path of our own group in the hierarchy of a controller; "" for version 2."""
    for line in (proc / "cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path
    return "/"


def _existing(mount: Path, path: str) -> Path:
    """Return our own group; in a container its path may be that of the machine outside, and the mount is all we see."""
    own = mount / path.lstrip("/")
    return own if own.is_dir() else mount


def _in_second(mount: Path, proc: Path) -> list[Place]:
    """Return the nearest group above us that may be written and hands down memory and processes.

    A group with processes of its own hands nothing down, so it is seldom our own.
    """
    own = _existing(mount, _own(proc, ""))
    for folder in [own, *own.parents]:
        if folder == mount.parent:
            break
        handed = _words(folder / "cgroup.subtree_control")
        usable = tuple(name for name in CONTROLLERS if name in handed)
        if {"memory", "pids"} <= set(usable) and _writable(folder) and os.access(folder / "cgroup.procs", os.W_OK):
            return [Place(folder, usable, 2)]
    return _made_room(own)


def _made_room(own: Path) -> list[Place]:
    """Move all processes of our own group one down where it was given to us to manage, so that it can hand down."""
    usable = tuple(name for name in CONTROLLERS if name in _words(own / "cgroup.controllers"))
    if not {"memory", "pids"} <= set(usable) or not _writable(own) or not _is_ours(own):
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
    return [Place(own, usable, 2)]


def _is_ours(own: Path) -> bool:
    """Tell whether systemd delegated the group."""
    for name in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):
            return os.getxattr(own, name) == b"1"
    return False


def _writable(folder: Path) -> bool:
    """Tell whether groups can be made there: a mount may be read-only although its modes say otherwise."""
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
