"""Referees and bots in this process: matches, tournaments and leagues are played without a process or a socket.

The rules, the referee's phases, players and records and the SDK are the real ones, so a seed gives the same moves as
with processes (`tests/tournament/test_in_process.py`). What is missing is what surrounds a process: its start, its
sandbox, its memory, its CPU control, and the threads of gRPC. A bot must be a Python file that runs a `Bot`; what it
raises, `SystemExit` too, is the end of its process. `/bin/false` is a program that does not start.
"""

import os
import sys
import traceback
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, NoReturn

import pytest
import trio

from arena.league.plan.definition import START_SECONDS
from arena.run.core_load import CoreLoad
from arena.run.referee_process import EarlyReferees
from arena.run.referees import running
from arena.sdk import Bot
from arena.sdk.blocking import _answers
from arena.sdk.message_codec import MessageCodec
from referee.connection.grpc_server import Flushable
from referee.match.faults import FaultKind
from referee.service import Service
from referee.session.local_session import LocalSession, Program
from referee.session.session import BotSession
from referee.v1.play_pb2 import PlayRequest
from referee.v1.work_pb2 import Phase, WorkRequest, WorkResponse

USERS = ("arena.run.executor", "arena.run.single_match", "arena.bots.trial_matches")
"""The modules that start referees."""

_start_early = EarlyReferees.__init__


@contextmanager
def in_process() -> Iterator[None]:
    """Run referees and their bots in this process until the end of the block."""
    with _replaced(_running, InProcessSession, early=False):
        yield


@contextmanager
def with_processes() -> Iterator[None]:
    """Run them as processes until the end of the block, within a block of `in_process`."""
    with _replaced(running, LocalSession, early=True):
        yield


@contextmanager
def _replaced(run: Callable[..., Any], session: type[BotSession], *, early: bool) -> Iterator[None]:
    """Have referees run by a function, and local bots by a class of sessions.

    early: some referees start early, and a start takes its time.
    """

    def start_early(self: EarlyReferees, cores: Sequence[int | None], most: int = 1) -> None:
        _start_early(self, cores, most if early else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EarlyReferees, "__init__", start_early)
        patch.setattr("referee.phase.LocalSession", session)
        for module in USERS:
            patch.setattr(f"{module}.running", run)
        patch.setattr("arena.league.plan.definition.START_SECONDS", START_SECONDS if early else 0.001)
        yield


@asynccontextmanager
async def _running(
    nursery: trio.Nursery, core: int | None, say: Callable[[str], None], early: None = None
) -> AsyncIterator["InProcessReferee"]:
    """Run a referee until the end of the block."""
    referee = InProcessReferee()
    async with trio.open_nursery() as own:
        own.start_soon(referee.run)
        yield referee
        own.cancel_scope.cancel()


class _Flusher:
    """What sends what players have composed, as `GrpcServers` does."""

    def __init__(self) -> None:
        self.unflushed_senders: list[Flushable] = []

    def flush(self) -> None:
        senders = self.unflushed_senders[:]
        self.unflushed_senders.clear()
        for sender in senders:
            sender.flush()

    def flush_streams(self) -> None:
        """Do nothing: what is sent has arrived."""


class InProcessReferee:
    """What `arena.run.referees.Referee` is to its users, without a process."""

    def __init__(self) -> None:
        self._heard, self.messages = trio.open_memory_channel[WorkResponse](sys.maxsize)
        flusher = _Flusher()
        endpoints = SimpleNamespace(grpc=flusher, flood_detector=None)
        self._service = Service(endpoints, flusher)  # type: ignore[arg-type]
        self._service.accept(self)  # type: ignore[arg-type]

    async def run(self) -> None:
        """Play what is ordered until cancelled."""
        await self._service.run()

    def load(self) -> CoreLoad:
        return CoreLoad(os.getpid())

    def play(self, phase: Phase) -> None:
        self._service.received(WorkRequest(phase=phase).SerializeToString(), 0.0)

    def watch(self, seconds: float) -> None:
        """Have matches under way reported for so long."""
        self._service.received(WorkRequest(watch_ms=round(seconds * 1000)).SerializeToString(), 0.0)

    def finish(self) -> None:
        self._service.received(WorkRequest(finish=True).SerializeToString(), 0.0)

    async def why(self) -> str:
        return ""

    def send(self, payload: bytes) -> None:
        """Take what the service sends to arena."""
        self._heard.send_nowait(WorkResponse.FromString(payload))


class _Wire:
    """The stream from a referee to a bot (`referee.session.outbox.MessageStream`), and the bot's end of it."""

    has_deferred = False

    def __init__(self) -> None:
        self.sent_at: float | None = None
        self.writes_begun = self.writes_done = 0
        self.listener: object = None
        self._queue: deque[bytes] = deque()
        self._has_more = trio.Event()

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        if mark:
            self.sent_at = trio.current_time()
        self.writes_begun += 1
        self.writes_done += 1
        self._queue.append(payload)
        self._has_more.set()
        return self.writes_done

    def defer(self, payload: bytes, stamp: float) -> None:
        raise NotImplementedError

    def rest(self, seconds: float) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._queue.clear()

    async def receive(self) -> bytes:
        """Return the next message, as soon as there is one."""
        while not self._queue:
            self._has_more = trio.Event()
            await self._has_more.wait()
        await trio.lowlevel.checkpoint()
        return self._queue.popleft() if self._queue else await self.receive()


class InProcessSession(BotSession):
    """Stands in for `LocalSession`: the bot of a Python file, made anew for each session."""

    def __init__(self, player: Any, game: str, endpoints: Any, program: Program, control_cpu: object = None) -> None:
        super().__init__(player, game, endpoints)
        self._program = program
        self._printed = StringIO()

    async def run(self) -> None:
        """Play until nothing is left to play, or the bot fails."""
        self.player.output.start_process()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._play)
            nursery.start_soon(self._watch_clock)
            await self.over.wait()
            nursery.cancel_scope.cancel()
        if self.fault is not None:
            self.failure.output, self.failure.truncated = self.player.output.process_tail()
            self.player.process_failed(*self.fault, self.failure)
            self.endpoints.grpc.flush()

    async def _watch_clock(self) -> None:
        await self.settled.wait()
        await self.player.watch_clock(self.endpoints.grpc.flush)

    async def _play(self) -> None:
        wire: Any = _Wire()
        try:
            with self._printing():
                codec = MessageCodec(_start(self._program), "")
            hello = PlayRequest.FromString(codec.hello()).hello
        except _NoPython:
            raise
        except (Exception, SystemExit) as error:
            return self._die(error, FaultKind.START, "it ended before it said hello")
        if hello.games and self.game not in hello.games:
            return self.refuse(f"it plays only {', '.join(hello.games)}, not {self.game}")
        self.welcome(wire, hello, 1)
        while True:
            message = await wire.receive()
            try:
                with self._printing():
                    turns = codec.read(message, self._answer)
                    for answers in _answers(codec, turns):
                        self._answer(answers)
            except (Exception, SystemExit) as error:
                if codec.pending:
                    self._answer(codec.take_message())
                return self._die(error, FaultKind.CRASH, "it ended in the middle of its matches")
            self.endpoints.grpc.flush()

    def _answer(self, payload: bytes) -> None:
        self._keep_output()
        self.received(payload, trio.current_time())

    @contextmanager
    def _printing(self) -> Iterator[None]:
        """Keep what the bot prints, as it would come from its process."""
        with redirect_stdout(self._printed), redirect_stderr(self._printed):
            try:
                yield
            finally:
                self._keep_output()

    def _keep_output(self) -> None:
        self.player.output.add(self._printed.getvalue().encode())
        self._printed.seek(0)
        self._printed.truncate()

    def _die(self, error: BaseException, kind: FaultKind, sentence: str) -> None:
        """Fail as where the process ends for an error that nobody catches."""
        if not isinstance(error, SystemExit):
            self.player.output.add("".join(traceback.format_exception(error)).encode())
        elif isinstance(error.code, str):
            self.player.output.add(f"{error.code}\n".encode())
        code = error.code if isinstance(error, SystemExit) and isinstance(error.code, int) else 1
        self.failure.exit_code = code
        self.fail(kind, f"{sentence}; the process exited with code {code}")


class _NoPython(Exception):
    """The mistake of a test whose bot cannot be run here."""


class _Running(BaseException):
    """Carries a bot out of the file that runs it."""

    def __init__(self, bot: Bot[Any]) -> None:
        self.bot = bot


def _start(program: Program) -> Bot[Any]:
    """Return the bot that a program runs."""
    words = list(program.command)
    if words == ["/bin/false"]:
        raise SystemExit(1)
    file = next((word for word in words if word.endswith(".py")), None)
    if file is None:
        raise _NoPython(f"{words} runs no Python file: such a bot needs a process (`with_processes`)")
    path = Path(program.folder, file)

    def run(bot: Bot[Any]) -> NoReturn:
        raise _Running(bot)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bot, "run", run)
        patch.setattr(sys, "argv", [str(path), *words[words.index(file) + 1 :]])
        try:
            exec(_compile(path, path.stat().st_mtime_ns), {"__name__": "__main__", "__file__": str(path)})
        except _Running as running:
            return running.bot
    raise SystemExit(0)


@cache
def _compile(path: Path, changed: int) -> CodeType:
    return compile(path.read_bytes(), path, "exec", dont_inherit=True)
