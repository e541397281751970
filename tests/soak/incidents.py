"""What can go wrong while arena runs: kills, stops, locks, a full disk."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Protocol

from arena.bench.figures import BenchError
from arena.bench.processes import children, descendants

END_SECONDS = 20.0
"""How long processes may take to end after arena has."""

LOOK_SECONDS = 0.05


class Disturbed(Protocol):
    """A run of arena to which something happens."""

    folder: Path
    """The folder of its database."""
    random: Random
    harmed: bool
    """Whether results may differ now, because a bot may have had a fault."""

    @property
    def db(self) -> Path | None:
        """The file of its database; None on a server."""

    @property
    def arena(self) -> int:
        """The id of its process."""

    def below(self, what: str = "") -> list[int]:
        """Return the processes that it has started, those with `what` on their command line."""


Incident = Callable[[Disturbed], None]


def kill_everything(run: Disturbed) -> None:
    """Kill arena, its referees and their bots, none of them warned."""
    for pid in [run.arena, *descendants(run.arena)]:
        send_signal(pid, signal.SIGKILL)


def kill_arena(run: Disturbed) -> None:
    """Kill arena alone: the rest must see it and end."""
    send_signal(run.arena, signal.SIGKILL)


def kill_referee(run: Disturbed) -> None:
    """Kill a referee: its bots must end."""
    if referees := [pid for pid in run.below("-m\0referee") if pid in children(run.arena)]:
        send_signal(run.random.choice(referees), signal.SIGKILL)


def kill_bot(run: Disturbed) -> None:
    """Kill a bot: it has a fault, if it was asked something, and a new process goes on."""
    if bots := run.below("sample_bots"):
        run.harmed = True
        send_signal(run.random.choice(bots), signal.SIGKILL)


def ask_to_stop(run: Disturbed) -> None:
    """Press Ctrl-C, or ask for the end."""
    send_signal(run.arena, run.random.choice((signal.SIGINT, signal.SIGTERM)))


def freeze(run: Disturbed) -> None:
    """Let arena stand still for a while; referees and bots go on as far as they can."""
    send_signal(run.arena, signal.SIGSTOP)
    time.sleep(run.random.uniform(0.1, 3.0))
    send_signal(run.arena, signal.SIGCONT)


def lock_database(run: Disturbed) -> None:
    """Hold the database's write lock, as a backup or an editor might."""
    if run.db is None or not run.db.exists():
        return
    with suppress(sqlite3.OperationalError):
        connection = sqlite3.connect(run.db, timeout=1, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(run.random.uniform(0.5, 12.0))
            connection.execute("ROLLBACK")
        finally:
            connection.close()


def fill_disk(run: Disturbed) -> None:
    """Leave no room on the disk of the database for a while."""
    filler = run.folder / "filler"
    try:
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        time.sleep(run.random.uniform(0.5, 6.0))
    finally:
        filler.unlink(missing_ok=True)


FULL = -1000
"""Stands for a full disk among the exit codes that are expected."""

EXIT_CODES: dict[str, set[int]] = {
    "fill_disk": {FULL},
    "kill_everything": {-signal.SIGKILL},
    "kill_arena": {-signal.SIGKILL},
    "kill_referee": {1, 2},
    "ask_to_stop": {0, 130, 143, 6, -signal.SIGINT, -signal.SIGTERM},
}
"""With what arena may end after it; whatever else happens is to be survived."""

HARMLESS = (kill_everything, kill_arena, kill_referee, ask_to_stop, freeze, lock_database)
"""What changes no result."""


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it is there."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def command_line(pid: int) -> str:
    """Return the words of a process, with a NUL after each; nothing if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return ""


def _is_alive(pid: int, end: int) -> bool:
    try:
        signal.pidfd_send_signal(end, 0)
    except ProcessLookupError:
        return False
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


class ProcessWatch:
    """Sees to it that nothing stays of what a process has started."""

    def __init__(self) -> None:
        self._ends: dict[int, int] = {}

    def note(self, pid: int) -> None:
        """Note what is below a process now."""
        for each in descendants(pid):
            if each not in self._ends:
                with suppress(ProcessLookupError):
                    self._ends[each] = os.pidfd_open(each)

    def await_ends(self) -> None:
        """Wait for the end of all that was noted. Raises BenchError where something stays."""
        until = time.monotonic() + END_SECONDS
        while left := [pid for pid in self._ends if _is_alive(pid, self._ends[pid])]:
            if time.monotonic() > until:
                raise BenchError(f"processes are left: {'; '.join(map(command_line, left[:5]))}")
            time.sleep(LOOK_SECONDS)
        for end in self._ends.values():
            os.close(end)
        self._ends.clear()


@contextmanager
def disk(folder: Path, size: str, say: Callable[[str], None]) -> Iterator[tuple[Path, tuple[Incident, ...]]]:
    """Lend a folder for databases, and what may happen to it: a disk of its own where that can be had.

    size: of that disk, as `mount` takes it.
    """
    place = folder / "disk"
    place.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, check=False
        ).returncode
    )
    if not mounted:
        say("SKIPPED: the full disk (root may mount one of its own)")
    try:
        yield place, (fill_disk,) if mounted else ()
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=False)
