"""The processes of referees, and those that are started before arena is ready for them.

A referee takes a quarter of a second of CPU time to import what it needs, and so does arena: both at the same time, on
two cores, take half as long.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.run.environment import referee_environment
from referee.paths import temporary_folder

GRPC_ENVIRONMENT = {
    "GRPC_ENABLE_FORK_SUPPORT": "0",
    "GRPC_VERBOSITY": "ERROR",
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener",
}
"""No fork handlers, no chatter, and the poller that costs less per message; unknown experiments do no harm."""


class RefereeProcess:
    """A referee's process.

    All that it makes lies in `folder`, so whichever of arena and the referee is killed, the other one leaves nothing
    behind.

    address: where it will listen.
    core: the core that it is pinned to; None for none.
    """

    def __init__(self, core: int | None) -> None:
        """Start it. From the main thread: its parent-death signal follows the thread that spawned it."""
        self.core = core
        self.folder = temporary_folder("arena-", len("/arena-bots-12345678/12345678/bot"))
        try:
            self.folder.chmod(0o711)  # bots reach their socket below it
            self.address = f"unix:{self.folder}/work"
            self.popen = _spawn(self.address, self.folder, core)
        except BaseException:
            self.remove_folder()
            raise

    def close_pipes(self) -> None:
        """Close its standard streams; without its input it ends its bots and itself."""
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            assert pipe is not None
            pipe.close()

    def kill(self) -> None:
        """End it at once, without its bots."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def remove_folder(self) -> None:
        """Remove what it leaves behind."""
        shutil.rmtree(self.folder, ignore_errors=True)


class EarlyReferees:
    """Referee processes that start while arena still opens its database and makes its plan.

    Those that are not taken until the end of a `with` block are ended there.

    cores: of all referees that there will be, as `cores` returns them.
    """

    def __init__(self, cores: Sequence[int | None], most: int = 1) -> None:
        """Start a referee on each of `cores`, but not more than `most`."""
        self.cores = cores
        self._waiting: list[RefereeProcess] = []
        try:
            for core in self.cores[: max(most, 0)]:
                self._waiting.append(RefereeProcess(core))
        except BaseException:
            self.close()
            raise

    def take(self, core: int | None) -> RefereeProcess | None:
        """Return a process on that core; None if there is none (any more)."""
        for place, process in enumerate(self._waiting):
            if process.core == core:
                return self._waiting.pop(place)
        return None

    def close(self) -> None:
        """End the processes that nobody took; no bot was started by any."""
        for process in self._waiting:
            process.kill()
        for process in self._waiting:
            process.popen.wait()
            process.close_pipes()
            process.remove_folder()
        self._waiting.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def cores(jobs: int) -> Sequence[int | None]:
    """Return a core for each of `jobs` referees, or none where there are more referees than cores.

    Drawn by lot, so that two tournaments at the same time do not both crowd the first cores.
    """
    free = list(os.sched_getaffinity(0))
    return [*random.sample(free, jobs)] if jobs <= len(free) else [None] * jobs


def _spawn(address: str, folder: Path, core: int | None) -> "subprocess.Popen[bytes]":
    env = referee_environment() | GRPC_ENVIRONMENT | {"TMPDIR": str(folder)}
    # -P: whatever lies in the current folder must not be imported in place of a module of ours.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "referee", "--address", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        start_new_session=True,
    )
    if core is not None:
        with suppress(ProcessLookupError):  # it ended at once: whoever waits for it will say so
            os.sched_setaffinity(process.pid, {core})
        # Its bots inherit both. Without preemption at every wake-up, each process ends its batch before the next one
        # runs: larger batches, 12 % less CPU per decision.
        with suppress(OSError):
            os.sched_setscheduler(process.pid, os.SCHED_BATCH, os.sched_param(0))
    return process
