"""Start one process of a bot, sandboxed as in a match, or wait for one, and connect to it without a referee."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path

import trio
from google.protobuf.message import DecodeError

from arena.bots.scripted_player import ScriptedPlayer
from arena.run.hosting import Hosting
from arena.values.tournament_errors import RefereeError
from referee.connection.endpoints import Endpoint, Endpoints, Handshake
from referee.connection.grpc_server import GrpcServers
from referee.connection.stream import Stream
from referee.engine.registry import is_listed
from referee.process.bot_process import BotProcess
from referee.process.cpu_accounting import CpuAccounting, CpuUse, descendants
from referee.process.cpu_fairness import BotCpu, RefereeCpu
from referee.process.exit_status import ExitStatus
from referee.sandbox import Confinement
from referee.sandbox.shortage import MachineError
from referee.session.attached_session import AttachedSession
from referee.session.local_session import LocalSession, Program
from referee.session.session import BotSession
from referee.v1.play_pb2 import Hello, PlayRequest
from referee.v1.work_pb2 import Invitation

MATCHES_AT_ONCE = 16
"""More matches than the script ever has under way."""


class ProbeEndpoints(Endpoints):
    """Endpoints that keep what their handshakes show.

    dialled: whether the bot opened a stream.
    wrong_token: whether its hello holds another token than ours.
    """

    dialled = False
    wrong_token = False
    hello: Hello | None = None
    """The hello of the bot; None before it came."""

    def start_handshake(self, endpoint: Endpoint, stream: Stream) -> Handshake:
        self.dialled = True
        return ProbeHandshake(self, endpoint, stream)


class ProbeHandshake(Handshake):
    """A handshake that keeps any hello, valid or not."""

    def __init__(self, endpoints: ProbeEndpoints, endpoint: Endpoint, stream: Stream) -> None:
        super().__init__(endpoint, stream)
        self._endpoints = endpoints

    def received(self, payload: bytes, stamp: float) -> None:
        with suppress(DecodeError):
            request = PlayRequest.FromString(payload)
            if request.HasField("hello"):
                hello = self._endpoints.hello = request.hello
                self._endpoints.wrong_token = hello.token != self._endpoint.token
                session = self._endpoint.session
                # Nobody said what it is to play: the first of its own games that is installed here.
                if not self._endpoints.wrong_token and session is not None and not session.game:
                    session.game = next(iter(installed_games(hello)), "")
        super().received(payload, stamp)


class ProbeSession(LocalSession):
    """A session that keeps how its process ended.

    exit: how the process ended by itself; empty where it had to be ended.
    """

    exit = ""
    process: BotProcess | None = None
    """The process of the bot; None until it is started."""

    @property
    def is_late(self) -> bool:
        """Whether it failed as it said no hello in time."""
        return self.fault is not None and "no valid hello within" in self.fault[1]

    async def _await_exit(self, process: BotProcess) -> None:
        self.process = process
        await super()._await_exit(process)

    def _report_failure(self, status: ExitStatus | None) -> None:
        self.exit = str(status) if status is not None else ""
        super()._report_failure(status)


class Probe:
    """A bot under test.

    script: speaks with the bot.
    session: the session with its process.
    endpoints: where it dials.
    began: when the test began, on trio's clock.
    """

    def __init__(self, script: ScriptedPlayer, session: BotSession, endpoints: ProbeEndpoints) -> None:
        self.script = script
        self.session = session
        self.endpoints = endpoints
        self.began = trio.current_time()
        self.gone = trio.Event()

    async def run(self) -> None:
        """Run the session until it has ended, with the process if there is one of ours. Raises RefereeError."""
        try:
            await self.session.run()
        except MachineError as error:
            raise RefereeError(str(error)) from None
        finally:
            self.gone.set()

    async def end(self) -> None:
        """End the stream in good order and wait until the process is gone."""
        self.session.end()
        self.endpoints.grpc.flush()
        await self.gone.wait()


class ProcessProbe(Probe):
    """A bot under test whose process is ours."""

    session: ProbeSession

    def memory(self) -> int | None:
        """Return the most memory that the processes of the bot have held, in bytes; None where none is left."""
        if self.session.process is None:
            return None
        peaks = [_peak_memory(pid) for pid in [self.session.process.pid, *descendants(self.session.process.pid)]]
        return max(filter(None, peaks), default=None)

    def ask_for_stack(self) -> None:
        """Have the bot print where it is, if it can, and end."""
        if self.session.process is not None and not self.session.exit:
            self.session.process.ask_for_stacks()

    def cpu_use(self) -> CpuUse:
        """Return the CPU use of the processes of the bot since each was started; zero where none is left."""
        if self.session.process is None:
            return CpuUse(0.0, 0.0)
        accounting = CpuAccounting()
        try:
            accounting.add(descendants(self.session.process.pid))
            return accounting.measure()
        finally:
            accounting.close()


@asynccontextmanager
async def probing(program: Program, game: str, matches_at_once: int = 0) -> AsyncIterator[ProcessProbe]:
    """Start a bot and open an endpoint for it; everything ends with the block.

    game: the id of the game to play; empty: the first game that its hello names, or any.
    matches_at_once: the limit in its bot.toml; 0 for none.
    """
    async with _listening() as endpoints:
        script = ScriptedPlayer(endpoints.grpc.flush, matches_at_once or MATCHES_AT_ONCE)
        control_cpu = partial(BotCpu, referee=RefereeCpu(), ponder=True)
        probe = ProcessProbe(script, ProbeSession(script, game, endpoints, program, control_cpu), endpoints)
        async with _running(probe):
            yield probe


class AttachedProbes:
    """Waits at one address for a bot that somebody else starts, again after each time that it has left."""

    def __init__(
        self,
        endpoints: ProbeEndpoints,
        endpoint: Endpoint,
        game: str,
        invitation: Invitation,
        invite: Callable[[Invitation], None],
    ) -> None:
        """Prepare to wait at `endpoint`.

        game: its id.
        invitation: what `invite` is called with each time.
        """
        self._arguments = (game, endpoints, endpoint, invitation, invite)
        self._endpoints = endpoints

    @asynccontextmanager
    async def wait(self) -> AsyncIterator[Probe]:
        """Wait for the bot."""
        script = ScriptedPlayer(self._endpoints.grpc.flush, MATCHES_AT_ONCE)
        probe = Probe(script, AttachedSession(script, *self._arguments), self._endpoints)
        async with _running(probe):
            yield probe


@asynccontextmanager
async def attached(game: str, seat: int, invite: Callable[[Invitation], None]) -> AsyncIterator[AttachedProbes]:
    """Open an endpoint for a bot that somebody else starts.

    invite: called with where it dials.
    """
    async with _listening() as endpoints:
        endpoint = await endpoints.open(untrusted=False)
        try:
            invitation = Invitation(player=seat, address=endpoint.address, token=endpoint.token)
            yield AttachedProbes(endpoints, endpoint, game, invitation, invite)
        finally:
            endpoint.close()


@asynccontextmanager
async def _listening() -> AsyncIterator[ProbeEndpoints]:
    """Run the servers of endpoints."""
    grpc = GrpcServers()
    endpoints = ProbeEndpoints(grpc, "arena-check-")
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(grpc.run)
            nursery.start_soon(endpoints.flood_detector.run)
            yield endpoints
            nursery.cancel_scope.cancel()
    finally:
        endpoints.close()


@asynccontextmanager
async def _running(probe: Probe) -> AsyncIterator[None]:
    """Run the session of a probe; the block begins once the bot is welcomed or has failed."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(probe.run)
        await probe.session.settled.wait()
        probe.endpoints.grpc.flush()
        try:
            yield
        finally:
            with trio.CancelScope(shield=True):
                await probe.end()


@cache
def confinement(mode: str) -> Confinement:
    """Return the sandbox of this machine, chosen once per process. Raises HostingError."""
    return Hosting(mode).confinement()


def installed_games(hello: Hello) -> list[str]:
    """Return the ids of the installed games that a hello names."""
    return [game for game in hello.games if is_listed(game)]


def _peak_memory(pid: int) -> int | None:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
