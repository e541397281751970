"""The server that remote bots connect to, with TLS and tokens. It runs an asyncio loop in its own thread, for grpc."""

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self

# grpc reads these when it is imported: no GOAWAY lines, no fork handlers.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
from google.protobuf.message import DecodeError

from arena.run.remote.bot_relay import GONE, GateSession
from arena.run.remote.certificate import Certificate
from arena.run.remote.errors import RemoteError
from arena.run.remote.grpc_quirks import silence_peers, stop
from arena.run.remote.lookup import Hashes, TokenLookup
from arena.run.remote.proxy import Connection, Proxy
from arena.run.remote.token_warnings import TokenWarnings
from arena.values.errors import ArenaError
from referee.engine.clean_text import clean
from referee.session.inbox import StrayBudget
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Refusal, Welcome
from referee.wire import PROTOCOLS, SENTENCE_CHARACTERS

HELLO_SECONDS = 10.0
"""Seconds within which a stream must send its hello and receive the reply."""

STREAMS = 20
"""Streams that one connection may open. A bot needs one."""

SESSIONS = 60
SESSIONS_WINDOW = 60.0
"""Sessions that a bot may begin within so many seconds; one whose network fails every second needs 30 of them."""

SWITCH_SECONDS = 0.0005
"""After how long another thread lets the gate's run while a gate is open.

The clocks of remote bots run while the gate waits for the interpreter lock: 5 ms at each of several steps with Python's
default, wherever results are stored or ratings computed meanwhile.
"""

_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # Refuse compressed messages: small ones may decompress to large ones, and no bot sends them.
    ("grpc.per_message_decompression", 0),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_send_message_length", -1),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
)
"""With these, a connection that is lost silently is noticed within 20 s."""


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Settings for all remote bots."""

    game: str
    """The id of the game."""
    matches_at_once: int
    """The most matches that a bot plays at the same time."""


class Gate:
    """A context manager that accepts remote bots.

    port: the port that it listens on.
    """

    def __init__(
        self, listen: str, certificate: Certificate, hashes: Hashes, terms: GateSettings, say: Callable[[str], None]
    ) -> None:
        """Prepare a gate that listens on `listen`, "host:port"; port 0 is any free port.

        hashes: returns the name of each bot and the hash of its token; called in any thread.
        say: called with a line about each bot that connects or disconnects; called in the gate's thread.
        """
        self.port = 0
        self._listen = listen
        self._credentials = grpc.ssl_server_credentials([(certificate.key, certificate.chain)])
        self._lookup = TokenLookup(hashes)
        self._terms = terms
        self._say = say
        self._token_warnings = TokenWarnings()
        self._proxy = Proxy(self._server)
        self._servers: set[Any] = set()
        self._sessions: dict[str, GateSession] = {}
        self._waiting: dict[str, dict[str, str]] = {}
        self._change = Condition()
        self._failure: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._strays: dict[str, StrayBudget] = {}
        self._begun: dict[str, deque[float]] = {}
        self._switch_seconds = sys.getswitchinterval()
        self._thread = Thread(target=self._run, name="gate", daemon=True)

    def __enter__(self) -> Self:
        """Start listening. Raises RemoteError if the address cannot be used."""
        self._thread.start()
        with self._change:
            self._change.wait_for(lambda: self.port or self._failure)
        if self._failure is not None:
            why = getattr(self._failure, "strerror", None) or self._failure
            raise RemoteError(f"cannot listen for remote bots on {self._listen}: {why}")
        sys.setswitchinterval(SWITCH_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None
        assert self._stopping is not None
        sys.setswitchinterval(self._switch_seconds)
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def wait(self, names: Collection[str]) -> None:
        """Wait until all of these bots are connected."""
        with self._change:
            while missing := [name for name in names if name not in self._sessions]:
                self._say(f"waiting for {', '.join(missing)}")
                self._change.wait()

    def invite(self, name: str, address: str, token: str) -> None:
        """Connect a bot to a referee, now or as soon as the bot is connected. Thread-safe."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._invite, name, address, token)

    # In the gate's thread

    def _invite(self, name: str, address: str, token: str) -> None:
        if name in self._sessions:
            self._sessions[name].invite(address, token)
        else:
            self._waiting.setdefault(name, {})[token] = address

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            with self._change:
                self._failure = error
                self._change.notify_all()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        silence_peers(self._loop)
        self._stopping = asyncio.Event()
        host, _, port = self._listen.rpartition(":")
        try:
            await self._proxy.start(host.strip("[]"), int(port))
            with self._change:
                self.port = self._proxy.port
                self._change.notify_all()
            await self._stopping.wait()
            for session in self._sessions.values():
                session.over.set()
            await asyncio.gather(*(stop(server, 1.0) for server in self._servers))
        finally:
            await self._proxy.close()

    @asynccontextmanager
    async def _server(self, path: str) -> AsyncIterator[None]:
        """Serve one connection on a Unix socket.

        Each connection has its own server, because a method name that is not UTF-8 kills a grpc server.
        """
        server = grpc.aio.server(options=_OPTIONS)
        handler: Any = grpc.stream_stream_rpc_method_handler(self._accept_stream)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("referee.v1.BotService", {"Play": handler}),)
        )
        server.add_secure_port(f"unix:{path}", self._credentials)
        self._servers.add(server)
        try:
            await server.start()
            yield
        finally:
            self._servers.discard(server)
            await stop(server, None)

    async def _accept_stream(self, _: Any, stream: Any) -> None:
        """Read the hello of a stream and, if its token is valid, run its session."""
        connection = self._proxy.find(stream.peer())
        if connection is None:
            return
        connection.streams += 1
        if connection.streams > STREAMS:
            connection.cut()
            return
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello_or_refusal = await self._authenticate(await stream.read(), connection.address)
                if isinstance(hello_or_refusal, Refusal):
                    await stream.write(PlayResponse(refusal=hello_or_refusal).SerializeToString())
                    return
                name, hello = hello_or_refusal
                at_once = min(self._terms.matches_at_once, hello.matches_at_once or self._terms.matches_at_once)
                welcome = Welcome(protocol=max(set(hello.protocols) & set(PROTOCOLS)), matches_at_once=at_once)
                await stream.write(PlayResponse(welcome=welcome).SerializeToString())
        except (TimeoutError, *GONE):
            connection.cut()
            return
        strays = self._strays.setdefault(name, StrayBudget())
        await self._run_session(GateSession(name, hello, stream, connection.cut, strays), connection)

    async def _run_session(self, session: GateSession, connection: Connection) -> None:
        name = session.name
        if name in self._sessions:  # its earlier connection is lost, and that may not have been noticed yet
            self._sessions[name].over.set()
        self._sessions[name] = session
        self._proxy.trust(connection)
        with self._change:
            self._change.notify_all()
        self._say(f"{name} connected from {connection.address}")
        for token, referee in self._waiting.pop(name, {}).items():
            session.invite(referee, token)
        try:
            await session.run()
        finally:
            self._proxy.distrust(connection)
            if self._sessions.get(name) is session:
                del self._sessions[name]
                if not session.over.is_set():
                    self._say(f"{name} lost its connection")
            # Last: its referees then invite the bot again, and those invitations wait for its next session.
            for referee, token in await session.close():
                self._invite(name, referee, token)

    async def _authenticate(self, payload: Any, address: str) -> "Refusal | tuple[str, Hello]":
        """Return the bot's name and hello, or the refusal."""
        try:
            request = PlayRequest.FromString(payload if isinstance(payload, bytes) else b"")
        except DecodeError:
            request = PlayRequest()
        if not request.HasField("hello"):
            return _refusal(Refusal.REASON_HELLO, "the first message must be a hello")
        hello = request.hello
        try:
            name = await self._lookup.name_of(hello.token)
        except ArenaError as error:
            self._say(f"cannot look up tokens: {error}")
            return _refusal(Refusal.REASON_LATER, "the gate cannot look up tokens at the moment: connect again later")
        if name is None:
            # Wrong tokens never lock out an address: tokens cannot be guessed, and others may share it.
            if warning := self._token_warnings.count_wrong_token(address, time.monotonic()):
                self._say(warning)
            return _refusal(
                Refusal.REASON_TOKEN, "the token is not valid: ask the organiser for one (arena tokens create)"
            )
        if not set(hello.protocols) & set(PROTOCOLS):
            return _refusal(Refusal.REASON_PROTOCOL, "no protocol version in common")
        if hello.games and self._terms.game not in hello.games:
            plays = clean(", ".join(hello.games), SENTENCE_CHARACTERS)
            return _refusal(Refusal.REASON_GAME, f"the game is {self._terms.game}, but the bot plays only {plays}")
        if not self._may_begin(name, time.monotonic()):
            return _refusal(
                Refusal.REASON_LATER,
                f"{name} has connected {SESSIONS} times within {SESSIONS_WINDOW:g} s: "
                "end other programs that use its token, and connect again in a minute",
            )
        return name, hello

    def _may_begin(self, name: str, now: float) -> bool:
        """Count a session of a bot; return whether it may begin.

        now: in seconds, on a clock for all calls.
        """
        times = self._begun.setdefault(name, deque(maxlen=SESSIONS))
        while times and now - times[0] >= SESSIONS_WINDOW:
            times.popleft()
        if len(times) == SESSIONS:
            return False
        times.append(now)
        if len(times) == SESSIONS:
            self._say(f"{name} has connected {SESSIONS} times within {SESSIONS_WINDOW:g} s: further ones are refused")
        return True


def _refusal(reason: Refusal.Reason.ValueType, sentence: str) -> Refusal:
    return Refusal(reason=reason, sentence=sentence, protocols=PROTOCOLS)
