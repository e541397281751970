"""Referees on the nodes of a Ray cluster: a unit is a task.

A task sends what its referee says as it comes, and arena alone knows what is missing: Ray repeats nothing
by itself. A node that dies takes with it what had not yet come, which is handed out again; nothing is
lost, and nothing is stored twice.
"""

import os
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from time import sleep
from typing import TYPE_CHECKING, Any

import trio

from arena import __version__
from arena.run.executor import Work
from arena.run.referees import DIED, REFUSED, RefereeGone
from arena.run.work_units import WorkUnit
from arena.values.errors import ArenaError
from arena.values.installing import how_to_install
from arena.values.tournament_errors import ExecutorError
from arena_cluster.bundles import Parcel, ship
from arena_cluster.ray_node import News, play_phase
from referee.v1.work_pb2 import WorkResponse

if TYPE_CHECKING:
    from arena.store import Store
    from arena.values.definition import Entrant

REACH_SECONDS = 10
"""How long to wait for the cluster's first word."""

ATTEMPTS = 2
AGAIN_SECONDS = 2.0
"""How often to join or start a cluster, and how long to wait in between."""

HELD = 64
"""How many news of a task may wait to be taken before the task has to."""

LOOK_SECONDS = 0.2
"""How long a thread waits for news before it asks whether anybody still wants them."""


def _join(ray: Any, address: str | None) -> None:
    """Join a cluster, or start one."""
    if address is not None:  # Ray itself would try for minutes
        host, _, port = address.rpartition(":")
        socket.create_connection((host, int(port)), REACH_SECONDS).close()
    ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=None if address else False)


@contextmanager
def ray_cluster(address: str | None, store: "Store", say: Callable[[str], None] = lambda line: None) -> Iterator["Ray"]:
    """Join the Ray cluster at `address` (HOST:PORT), or the one of this machine, which is started where there is none.

    Ray sometimes fails to start on a busy machine and starts the next time, so there is a second attempt.

    store: has the packs of submitted bots.
    say: is told of the second attempt.

    Raises ExecutorError where there is no such cluster, or Ray is not installed.
    """
    if find_spec("ray") is None:
        raise ExecutorError(f"--executor ray needs Ray, which is not installed: {how_to_install('botarena[cluster]')}")
    if address is not None and address.startswith("ray://"):
        raise ExecutorError(f"{address} is for Ray's clients: give the address of the cluster itself (HOST:6379)")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # tells nobody that it is used
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # those of tasks that nobody waits for any more
    import ray

    where = f"at {address}" if address else "on this machine"
    for attempt in range(ATTEMPTS):
        try:
            _join(ray, address)
            break
        except Exception as error:  # Ray raises whatever it comes upon, often bare Exceptions
            first = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            ray.shutdown()  # what has started of it
            if attempt + 1 == ATTEMPTS:
                raise ExecutorError(
                    f"there is no Ray cluster {where} that could be joined: {first}; start one with "
                    "`ray start --head`, or play on this machine with --executor local"
                ) from None
            say(f"Ray {where} did not start or answer ({first}); trying once more")
            sleep(AGAIN_SECONDS)
    with redirect_stdout(sys.stderr):  # Ray prints what it has to say of nodes that die, and stdout is for results
        try:
            yield Ray(store)
        finally:
            ray.shutdown()


class Ray:
    """The nodes of the cluster that was joined; made by `ray_cluster`."""

    def __init__(self, store: "Store") -> None:
        import ray

        self._ray = ray
        self._store = store
        self._sent: dict[str, Any] = {}
        self._parcels: dict[Entrant, Parcel] = {}
        # What it needs of the node is a core. What is lost is known here, so that Ray itself repeats nothing.
        options = {"num_cpus": 1, "max_retries": 0, "num_returns": "streaming"}
        self._task = ray.remote(**options, _generator_backpressure_num_objects=HELD)(_task)

    def room(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def capacity(self) -> None:
        """Return None: nodes are not asked, and each plays one unit on each of its cores."""

    async def play(self, work: Work, jobs: int) -> None:
        try:
            mode = work.hosting.check_mode()
        except ArenaError as error:
            return work.fail(error)
        async with trio.open_nursery() as nursery:
            for _ in range(jobs):
                nursery.start_soon(self._slot, mode, work)

    def _send(self, bots: "Collection[Entrant]") -> dict[str, Parcel]:
        """Put the packs where all nodes find them, and return the bots by name."""
        for bot in bots:
            if bot not in self._parcels:
                parcel, archive = ship(bot, self._store.submissions.archive)
                if parcel.sha256 not in self._sent:
                    self._sent[parcel.sha256] = self._ray.put(archive)
                self._parcels[bot] = parcel
        return {bot.name: self._parcels[bot] for bot in bots}

    async def _slot(self, mode: str, work: Work) -> None:
        """Keep one task under way."""
        while unit := await work.backlog.wait():
            try:
                await self._employ(unit, mode, work)
            except ArenaError as error:
                return work.fail(error)

    async def _employ(self, unit: WorkUnit, mode: str, work: Work) -> None:
        """Have one unit played.

        mode: how nodes confine bots: as this machine does, and says that it does.
        """
        in_hand = {unit.number: unit}
        phase = work.message(unit, {})
        phase.sandbox = mode
        field = work.definition_of(unit).field
        bots = [field[entrant] for entrant in {player.entrant: None for player in unit.players}]
        sent = await trio.to_thread.run_sync(self._send, bots)
        packs = {parcel.sha256: self._sent[parcel.sha256] for parcel in sent.values()}
        stream = self._task.remote(__version__, phase.SerializeToString(), sent, packs)
        gone = RefereeGone(DIED, "")
        try:
            while True:
                news = await trio.to_thread.run_sync(self._next, stream, limiter=_own())
                if news is None:
                    break
                if isinstance(news, str):
                    if news:
                        work.say(news)
                    continue
                response = WorkResponse.FromString(news)
                await work.take(response, in_hand)
                if response.error:
                    gone = RefereeGone(REFUSED, f": {response.error}")
        except _Lost as lost:
            gone = RefereeGone(DIED, f": {lost}")
        except BaseException:
            self._ray.cancel(stream, force=True)  # its process; the referee ends when it does
            raise
        if in_hand:
            work.lost(in_hand, gone)

    def _next(self, stream: Any) -> News | None:
        """Return the next news of a task; None where it has ended. Raises _Lost where it died.

        Returns an empty sentence where none came for `LOOK_SECONDS`: a thread that still waited inside Ray when that
        shuts down would take the whole process with it.
        """
        try:
            if not self._ray.wait([stream], timeout=LOOK_SECONDS)[0]:
                return ""
            news: News = self._ray.get(next(stream))
        except StopIteration:
            return None
        except self._ray.exceptions.RayTaskError as error:
            raise _Lost(str(error.cause)) from None
        except self._ray.exceptions.RayError as error:
            raise _Lost(next(iter(str(error).splitlines()), type(error).__name__)) from None
        return news


class _Lost(Exception):
    """A task died before its unit was played."""


def _own() -> trio.CapacityLimiter:
    """Return what lets a call have a thread at once: it may wait for as long as a unit takes."""
    return trio.CapacityLimiter(1)


def _task(version: str, phase: bytes, parcels: dict[str, Parcel], packs: dict[str, Any]) -> Iterator[News]:
    """Play a phase on the node where Ray runs this."""
    import ray

    yield from play_phase(version, phase, parcels, lambda sha256: ray.get(packs[sha256]))
