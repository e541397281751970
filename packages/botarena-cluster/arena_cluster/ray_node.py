"""What runs on a node of a cluster: one unit, with a referee process of its own.

The node needs arena itself, in the same version; bots come as parcels. Whatever kills this process ends the
referee and its bots: their pipe closes.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from queue import Queue

import trio

from arena import __version__
from arena.run.referees import running
from arena.values.errors import ArenaError
from arena.values.tournament_errors import RefereeError
from arena_cluster.bundles import Parcel
from referee.process.awake_clock import run_awake
from referee.v1.work_pb2 import Phase, WorkResponse

News = bytes | str
"""A WorkResponse of the referee, or a line for people."""

HELD = 64
"""How many news wait for their way to arena before the referee has to."""


def play_phase(
    version: str, phase: bytes, parcels: Mapping[str, Parcel], archive: Callable[[str], bytes]
) -> Iterator[News]:
    """Play a phase and yield what comes of it as it comes; what keeps it from being played comes as an error.

    version: of the arena that asks.
    parcels: the bots by name.
    archive: returns the pack of a bot, by hash.
    """
    try:
        order = _order(version, phase, parcels, archive)
    except ArenaError as error:
        yield WorkResponse(error=str(error)).SerializeToString()
        return
    news: Queue[News | None] = Queue(HELD)

    def work() -> None:
        try:
            run_awake(_play, order, news.put)
        except (ArenaError, BaseExceptionGroup) as error:
            news.put(WorkResponse(error=str(error)).SerializeToString())
        finally:
            news.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (item := news.get()) is not None:
        yield item


def _order(version: str, phase: bytes, parcels: Mapping[str, Parcel], archive: Callable[[str], bytes]) -> Phase:
    """Return the phase with the bots as they are started here."""
    if version != __version__:
        raise RefereeError(f"a node has arena {__version__}, and this is {version}: install the same everywhere")
    order = Phase.FromString(phase)
    for player in order.players:
        parcel = parcels[player.bot]
        folder, command = parcel.unpack(lambda sha256=parcel.sha256: archive(sha256))  # type: ignore[misc]
        player.folder = folder
        player.command[:] = command
    return order


async def _play(order: Phase, tell: Callable[[News], None]) -> None:
    async with trio.open_nursery() as nursery, running(nursery, None, tell) as referee:
        referee.play(order)
        async for response in referee.messages:
            # The thread waits where nobody takes the news, and so does the referee then.
            await trio.to_thread.run_sync(tell, response.SerializeToString())
            if response.ends or response.error:
                return
        tell(WorkResponse(error=f"the referee ended before its work did{await referee.why()}").SerializeToString())
