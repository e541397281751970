"""arena's orders: phases come in, records go out."""

import sys
from collections import deque

import trio

from referee import sandbox
from referee.connection.endpoints import Door
from referee.connection.grpc_server import Link
from referee.connection.stream import Stream
from referee.phase import Phase
from referee.sandbox import Confinement
from referee.v1.work_pb2 import Invitation, ProcessFailure, Record, WorkRequest, WorkResponse

RECORDS_AT_ONCE = 64
RECORDS_EVERY = 0.25
"""Records leave in messages of that many, or after that many seconds."""


class Work:
    """The conversation with arena.

    Phases run in the order they came; the next one starts its processes and matches as soon as the
    one before has no match left to begin, so that no core idles while the last matches end.
    """

    def __init__(self, door: Door, link: Link) -> None:
        self._door = door
        self._link = link
        self._stream: Stream | None = None
        self._orders: deque[WorkRequest] = deque()
        self._ordered = trio.Event()
        self._response = WorkResponse()
        self._confinements: dict[str, Confinement] = {}

    def opened(self, stream: Stream) -> None:
        """Take arena's stream."""
        stream.peer = self
        self._stream = stream

    def received(self, payload: bytes, stamp: float) -> None:
        """Queue an order."""
        self._orders.append(WorkRequest.FromString(payload))
        self._ordered.set()

    def ended(self, reason: str) -> None:
        """Arena is gone; its pipe will close too, which ends this process."""

    async def run(self) -> None:
        """Play phases until cancelled."""
        try:
            await self._take_orders()
        finally:
            for confinement in self._confinements.values():
                confinement.copies.close()

    async def _take_orders(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._report_regularly)
            while True:
                while not self._orders:
                    self._ordered = trio.Event()
                    await self._ordered.wait()
                order = self._orders.popleft().phase
                try:
                    confinement = self._confinement(order.sandbox)
                    phase = Phase(order, self._door, confinement, self._record, self._invite, self._fail)
                except Exception as error:
                    self._response.error = f"the phase cannot be played: {error}"
                    self._report()
                    continue
                nursery.start_soon(self._play, phase)
                await phase.all_begun.wait()

    async def _play(self, phase: Phase) -> None:
        end = await phase.run()
        self._response.ends.append(end)
        self._report()

    def _confinement(self, mode: str) -> Confinement:
        if mode not in self._confinements:
            self._confinements[mode] = chosen = sandbox.choose(mode or "auto")
            if chosen.warning:
                print(chosen.warning, file=sys.stderr, flush=True)
        return self._confinements[mode]

    def _record(self, record: Record) -> None:
        self._response.records.append(record)
        if len(self._response.records) >= RECORDS_AT_ONCE:
            self._report()

    def _invite(self, invitation: Invitation) -> None:
        self._response.invitations.append(invitation)
        self._report()

    def _fail(self, failure: ProcessFailure) -> None:
        self._response.process_failures.append(failure)
        self._report()

    def _report(self) -> None:
        if self._stream is not None and self._response.ByteSize():
            self._stream.send(self._response.SerializeToString())
            self._response = WorkResponse()
            self._link.flush()

    async def _report_regularly(self) -> None:
        while True:
            await trio.sleep(RECORDS_EVERY)
            self._report()
