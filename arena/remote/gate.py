"""Where remote bots dial: TLS, tokens, sessions. It lives in a thread of its own, with an asyncio loop for grpc."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self

# Read by grpc when it is imported: no goaway lines, no fork handlers.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
from google.protobuf.message import DecodeError

from arena.errors import ArenaError
from arena.remote.certificate import Certificate
from arena.remote.errors import RemoteError
from arena.remote.lookup import Hashes, Lookup
from arena.remote.proxy import Connection, Proxy
from arena.remote.session import GONE, Session
from arena.remote.token_warnings import Patience
from referee.connection.grpc_quirks import silence_peers, stop
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Refusal, Welcome
from referee.wire import PROTOCOLS, SENTENCE_CHARACTERS, clean

HELLO_SECONDS = 10.0
"""How long a stream may take to its hello, and an answer to that to be sent."""

STREAMS = 20
"""Streams that one connection may open; bots need one."""

_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # What is small when it arrives, and large once it is unpacked, is refused: nobody here packs messages.
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
"""A connection that is gone without a word is noticed within 20 s."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What remote bots are told. game: what is played. matches_at_once: the most matches under way at the same time."""

    game: str
    matches_at_once: int


class Gate:
    """A context manager: within it remote bots are let in.

    port: where it listens. say: is told who comes and goes, from another thread.
    """

    def __init__(
        self, listen: str, certificate: Certificate, hashes: Hashes, terms: Terms, say: Callable[[str], None]
    ) -> None:
        """Make a gate that listens at `listen`, "host:port"; port 0 is any that is free.

        hashes: reads the hash of each bot's token, in any thread.
        """
        self.port = 0
        self._listen = listen
        self._credentials = grpc.ssl_server_credentials([(certificate.key, certificate.chain)])
        self._lookup = Lookup(hashes)
        self._terms = terms
        self._say = say
        self._patience = Patience()
        self._proxy = Proxy(self._server)
        self._servers: set[Any] = set()
        self._sessions: dict[str, Session] = {}
        self._waiting: dict[str, dict[str, str]] = {}
        self._change = Condition()
        self._failure: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread = Thread(target=self._run, name="gate", daemon=True)

    def __enter__(self) -> Self:
        """Open it. Raises RemoteError where it cannot listen."""
        self._thread.start()
        with self._change:
            self._change.wait_for(lambda: self.port or self._failure)
        if self._failure is not None:
            why = getattr(self._failure, "strerror", None) or self._failure
            raise RemoteError(f"remote bots cannot be let in at {self._listen}: {why}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None
        assert self._stopping is not None
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def wait(self, names: Collection[str]) -> None:
        """Wait until all these bots are connected."""
        with self._change:
            while missing := [name for name in names if name not in self._sessions]:
                self._say(f"waiting for {', '.join(missing)}")
                self._change.wait()

    def invite(self, name: str, address: str, token: str) -> None:
        """Let a bot dial a referee, now or as soon as it is connected; may be called from any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._invite, name, address, token)

    # What happens in the gate's thread

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
        """Serve one connection, at a Unix socket: a method whose name is no UTF-8 ends a server of grpc for good."""
        server = grpc.aio.server(options=_OPTIONS)
        handler: Any = grpc.stream_stream_rpc_method_handler(self._let_in)
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

    async def _let_in(self, _: Any, stream: Any) -> None:
        """Hear a hello, and let whoever shows a token play until it goes or nothing is left to play."""
        connection = self._proxy.find(stream.peer())
        if connection is None:
            return
        connection.streams += 1
        if connection.streams > STREAMS:
            connection.cut()
            return
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                found = await self._known(await stream.read(), connection.address)
                if isinstance(found, Refusal):
                    await stream.write(PlayResponse(refusal=found).SerializeToString())
                    return
                name, hello = found
                at_once = min(self._terms.matches_at_once, hello.matches_at_once or self._terms.matches_at_once)
                welcome = Welcome(protocol=max(set(hello.protocols) & set(PROTOCOLS)), matches_at_once=at_once)
                await stream.write(PlayResponse(welcome=welcome).SerializeToString())
        except (TimeoutError, *GONE):
            connection.cut()
            return
        await self._converse(Session(name, hello, stream, connection.cut), connection)

    async def _converse(self, session: Session, connection: Connection) -> None:
        name = session.name
        if name in self._sessions:  # what lost its connection, and may not know it yet
            self._sessions[name].over.set()
        self._sessions[name] = session
        self._proxy.trust(connection)
        with self._change:
            self._change.notify_all()
        self._say(f"{name} is connected from {connection.address}")
        for token, referee in self._waiting.pop(name, {}).items():
            session.invite(referee, token)
        try:
            await session.run()
        finally:
            self._proxy.distrust(connection)
            if self._sessions.get(name) is session:
                del self._sessions[name]
                if not session.over.is_set():
                    self._say(f"{name} has lost its connection")

    async def _known(self, payload: Any, address: str) -> "Refusal | tuple[str, Hello]":
        """Return who says hello, or why nobody is let in."""
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
            self._say(f"tokens cannot be looked up: {error}")
            return _refusal(Refusal.REASON_TOKEN, "tokens cannot be looked up here now: dial again later")
        if name is None:
            # Whoever has a token is let in, whatever others at the same address show: tokens cannot be guessed.
            if told := self._patience.wrong(address, time.monotonic()):
                self._say(told)
            return _refusal(
                Refusal.REASON_TOKEN, "nobody here has this token: ask the organiser for one (arena tokens create)"
            )
        if not set(hello.protocols) & set(PROTOCOLS):
            return _refusal(Refusal.REASON_PROTOCOL, "no protocol version in common")
        if hello.games and self._terms.game not in hello.games:
            plays = clean(", ".join(hello.games), SENTENCE_CHARACTERS)
            return _refusal(Refusal.REASON_GAME, f"the game is {self._terms.game}, but the bot plays only {plays}")
        return name, hello


def _refusal(reason: Refusal.Reason.ValueType, sentence: str) -> Refusal:
    return Refusal(reason=reason, sentence=sentence, protocols=PROTOCOLS)
