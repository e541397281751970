"""The conversation with arena: phases come in, records go out."""

import math
import sys
from collections import deque

import trio

from referee import sandbox
from referee.connection.endpoints import Endpoints
from referee.connection.grpc_server import GrpcServers
from referee.connection.stream import Stream
from referee.phase import Phase
from referee.sandbox import Confinement
from referee.sandbox.shortage import MachineError
from referee.slow_start import SlowStart
from referee.v1 import work_pb2
from referee.v1.work_pb2 import Invitation, ProcessFailure, Record, WorkRequest, WorkResponse

WATCH_SECONDS = 1.0
"""Between two reports of matches under way, while somebody watches."""

REPORT_RECORDS = 64
REPORT_SECONDS = 0.25
"""Records are reported as soon as there are so many, and at the latest after so many seconds."""


class Service:
    """The WorkService that arena calls.

    Phases run in the order of arrival; the next one starts its processes and matches as soon as the one before has no
    match left to begin, so that no core idles while the last matches end. Those that share the core begin at once, and
    no other one waits for them.
    """

    def __init__(self, endpoints: Endpoints, grpc: GrpcServers) -> None:
        self._endpoints = endpoints
        self._grpc = grpc
        self._stream: Stream | None = None
        self._orders: deque[work_pb2.Phase] = deque()
        self._has_orders = trio.Event()
        self._response = WorkResponse()
        self._slow_start = SlowStart()
        self._phases: list[Phase] = []
        self._is_finishing = False
        self._watched_until = -math.inf
        self._looked = -math.inf
        self._confinements: dict[str, Confinement] = {}
        self._nursery: trio.Nursery | None = None

    def accept(self, stream: Stream) -> None:
        """Take arena's stream."""
        stream.listener = self
        self._stream = stream

    def received(self, payload: bytes, stamp: float) -> None:
        """Queue an order, or note that somebody watches or that no more matches are to begin."""
        request = WorkRequest.FromString(payload)
        order = request.phase
        if request.finish:
            self._finish()
        elif not request.HasField("phase"):
            self._watch(request.watch_ms / 1000)
        elif order.shares_core and self._nursery is not None:
            self._begin(order, self._nursery)
        else:
            self._orders.append(order)
            self._has_orders.set()

    def _watch(self, seconds: float) -> None:
        now = trio.current_time()
        if now >= self._watched_until:  # whoever watches now knows nothing yet
            for phase in self._phases:
                phase.forget_reports()
        self._watched_until = now + seconds

    def _finish(self) -> None:
        """Begin no more matches, and end all phases that have none under way."""
        self._is_finishing = True
        for phase in self._phases:
            phase.begin_no_more()
        while self._orders:
            self._end_unplayed(self._orders.popleft())

    def _end_unplayed(self, order: work_pb2.Phase) -> None:
        """Report the end of a phase of which nothing is played."""
        end = self._response.ends.add(phase=order.id)
        for _ in order.players:
            end.players.add()
        self._report()

    def ended(self, reason: str) -> None:
        """Do nothing: arena is gone, its pipe closes too, and that ends this process."""

    async def run(self) -> None:
        """Play phases until cancelled."""
        try:
            await self._take_orders()
        finally:
            for confinement in self._confinements.values():
                confinement.copies.close()

    async def _take_orders(self) -> None:
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._report_regularly)
            while True:
                while not self._orders:
                    self._has_orders = trio.Event()
                    await self._has_orders.wait()
                order = self._orders.popleft()
                phase = self._begin(order, nursery)
                if phase is not None and not order.shares_core:
                    await phase.all_begun.wait()

    def _begin(self, order: work_pb2.Phase, nursery: trio.Nursery) -> Phase | None:
        """Begin to play a phase; return None, and report why, where it cannot be played."""
        if self._is_finishing:
            self._end_unplayed(order)
            return None
        try:
            confinement = self._confinement(order.sandbox)
            phase = Phase(order, self._endpoints, confinement, self._record, self._invite, self._fail, self._slow_start)
        except Exception as error:
            self._response.error = f"the phase cannot be played: {error}"
            self._report()
            return None
        nursery.start_soon(self._play, phase)
        return phase

    async def _play(self, phase: Phase) -> None:
        self._phases.append(phase)
        if self._is_finishing:
            phase.begin_no_more()
        try:
            end = await phase.run()
        except* MachineError as shortage:
            self._response.error = str(first_error(shortage))
        else:
            self._response.ends.append(end)
        finally:
            self._phases.remove(phase)
        self._report()

    def _confinement(self, mode: str) -> Confinement:
        if mode not in self._confinements:
            self._confinements[mode] = chosen = sandbox.choose(mode or "auto")
            if chosen.warning:
                print(chosen.warning, file=sys.stderr, flush=True)
        return self._confinements[mode]

    def _record(self, record: Record) -> None:
        self._response.records.append(record)
        if len(self._response.records) >= REPORT_RECORDS:
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
            self._grpc.flush_streams()

    async def _report_regularly(self) -> None:
        while True:
            await trio.sleep(REPORT_SECONDS)
            now = trio.current_time()
            if now < self._watched_until and now >= self._looked + WATCH_SECONDS:
                self._looked = now
                for phase in self._phases:
                    self._response.under_way.extend(phase.under_way(now))
            self._report()


def first_error(group: BaseExceptionGroup) -> BaseException:
    """Return the first error of a group that is none itself."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
