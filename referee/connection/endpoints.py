"""The addresses that bots dial, one for each bot, and the handshake: hello, then welcome or refusal.

Bots dial the referee, and not the other way round, so that their standard output stays free: protocols over standard
output usually break there first. A bot finds its address and a token in its environment.

An address is a Unix socket in a folder that no other bot sees, with a gRPC server of its own on the queue of all (0.3
ms of CPU). The kernel lets only the bot's user dial, and nobody once the bot has said hello. So whatever arrives there
is the bot's doing, and stopping the server ends it without the bot's cooperation.
"""

import os
import secrets
import shutil
import tempfile
from contextlib import suppress
from typing import NamedTuple, Protocol

import trio
from google.protobuf.message import DecodeError

from referee.connection import own_sockets
from referee.connection.flood_detection import FloodDetector
from referee.connection.grpc_server import GrpcServer, GrpcServers, Method
from referee.connection.stream import Stream
from referee.engine.clean_text import clean
from referee.paths import temporary_folder
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Refusal
from referee.wire import PROTOCOLS, SENTENCE_CHARACTERS

CONCURRENT_STARTS = 8

CLOSE_SECONDS = 2.0
"""How long the last messages to a trusted peer may take to leave."""

PLAY = "referee.v1.BotService/Play"

PATH_CHARACTERS = 60
"""What is told of the path of a method that a bot called by mistake."""


class Approach(NamedTuple):
    """How far a bot came that said no valid hello."""

    sentence: str
    is_known: bool = True
    """Whether it shows what is wrong; of a bot that made no call nobody knows whether it connected, as gRPC closes what
    is no HTTP/2.
    """


class HelloHandler(Protocol):
    """What an endpoint needs of the session that expects a bot (see `referee.session.session.BotSession`)."""

    game: str
    """The id of the game the bot is to play."""

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a bot whose hello is valid."""

    def refuse(self, sentence: str) -> None:
        """Note that the bot was refused or disconnected; the sentence says why."""

    def max_message_bytes(self) -> int:
        """Return the largest size that the bot's next message may have."""


class Endpoint:
    """The address of one bot: a socket in a folder that only this bot sees.

    address: "unix:/path".
    folder: holds the socket and nothing else.
    token: admits one hello.
    session: expects the bot; None: nothing does yet.
    server: listens at the address; None: it is not open yet.
    untrusted: the peer may be malicious, so limits apply.
    root_pid: the process from which every peer must descend, where no sandbox keeps others out; None elsewhere.
    is_disconnected: every connection was closed for what the bot did wrong (see `disconnect`).
    refusal: why the last hello was refused; empty: none was.
    """

    def __init__(self, endpoints: "Endpoints", *, untrusted: bool) -> None:
        """Make the folder and the token; `Endpoints.open` makes it listen."""
        self.folder = tempfile.mkdtemp(dir=endpoints.folder, prefix="")
        os.chmod(self.folder, 0o711)
        self.address = f"unix:{self.folder}/bot"
        self.token = secrets.token_hex(16)
        self.untrusted = untrusted
        self.session: HelloHandler | None = None
        self.server: GrpcServer | None = None
        self.root_pid: int | None = None
        self.is_disconnected = False
        self.refusal = ""
        self._endpoints = endpoints
        self._expects_hello = False

    def expect(self, session: HelloHandler) -> None:
        """Wait for the hello of the bot of `session`."""
        self.session = session
        self._expects_hello = True

    def redeem(self, token: str) -> HelloHandler | None:
        """Return the session that `token` admits to, once; None where the token is wrong or used."""
        if not self._expects_hello or not secrets.compare_digest(token.encode(), self.token.encode()):
            return None
        self._expects_hello = False
        return self.session

    def accept(self, stream: Stream) -> None:
        """Begin the handshake on a new stream."""
        stream.listener = self._endpoints.start_handshake(self, stream)

    def restrict_to(self, user: int | None) -> None:
        """Let only the user with this number dial; None: only the user that runs the referee."""
        if user is not None:
            os.chown(self._socket, user, -1)

    def refuse_connections(self) -> None:
        """Let nobody dial any more; open connections stay."""
        with suppress(FileNotFoundError):  # its server has ended already, for what the bot did after its hello
            os.chmod(self._socket, 0)

    def max_message_bytes(self) -> int:
        """Return the largest size that the bot's next message may have."""
        return self.session.max_message_bytes() if self.session is not None else 0

    def disconnect(self, sentence: str) -> None:
        """Close every connection at once; the sentence says what the bot did wrong."""
        self.is_disconnected = True
        self._stop(0.0)
        if self.session is not None:
            self.session.refuse(sentence)

    def approach(self) -> Approach:
        """Return how far the bot came that said no valid hello; in a thread, as it may have many connections."""
        if self.refusal:
            return Approach(f"its hello was refused, as {self.refusal}")
        if self.server is not None and self.server.other_method:
            path = clean(self.server.other_method.decode("utf-8", "backslashreplace"), PATH_CHARACTERS)
            return Approach(f'it called "{path}", where it must call /{PLAY}')
        if self.server is not None and self.server.calls:
            return Approach("it opened a stream and sent no hello")
        if own_sockets.is_connected(self._socket):
            return Approach(f"it connected and called nothing, where it must call /{PLAY}")
        return Approach("it made no gRPC call", is_known=False)

    def close(self) -> None:
        """Close the address; a trusted peer has `CLOSE_SECONDS` to end its connections itself."""
        self._endpoints.active.discard(self)
        self._stop(0.0 if self.untrusted else CLOSE_SECONDS)
        # What a bot without a sandbox has put there, which may be much, is removed with the folder of all.
        with suppress(OSError):
            os.unlink(self._socket)
        with suppress(OSError):
            os.rmdir(self.folder)

    def _stop(self, seconds: float) -> None:
        if self.server is not None:
            self.server.stop(seconds)

    @property
    def _socket(self) -> str:
        return self.address.removeprefix("unix:")


class Endpoints:
    """The endpoints of all bots of one process.

    folder: holds the folders of the endpoints.
    grpc: runs the servers of the endpoints.
    active: the endpoints that are open.
    flood_detector: is to run beside `grpc`.
    start_limiter: bounds how many bot processes start at the same time, as each start takes a core for a while.
    background_threads: bounds the threads that read, copy and end for bots what takes a while.
    """

    def __init__(self, grpc: GrpcServers, prefix: str = "arena-bots-") -> None:
        """Make a folder for endpoints, whose name begins with `prefix`."""
        self.folder = temporary_folder(prefix, len("/12345678/bot"))
        self.folder.chmod(0o711)
        self.grpc = grpc
        self.active: set[Endpoint] = set()
        self.flood_detector = FloodDetector(grpc, self.active)
        self.start_limiter = trio.CapacityLimiter(CONCURRENT_STARTS)
        self.background_threads = trio.CapacityLimiter(CONCURRENT_STARTS)

    async def open(self, *, untrusted: bool = True) -> Endpoint:
        """Return an endpoint that listens; the caller closes it.

        Raises OSError where no socket can be opened.
        """
        # whoever waited for a thread has not been told yet that all is over, and that the servers stop
        await trio.lowlevel.checkpoint_if_cancelled()
        endpoint = Endpoint(self, untrusted=untrusted)
        self.active.add(endpoint)
        try:
            method = Method(PLAY, endpoint.accept, endpoint.disconnect if untrusted else None)
            endpoint.server = self.grpc.listen(endpoint.address, method)
            os.chmod(endpoint._socket, 0o600)
        except BaseException:
            endpoint.close()
            raise
        return endpoint

    def start_handshake(self, endpoint: Endpoint, stream: Stream) -> "Handshake":
        """Return the listener of a new stream of an endpoint."""
        return Handshake(endpoint, stream)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Handshake:
    """The listener of a stream until a valid hello arrives."""

    def __init__(self, endpoint: Endpoint, stream: Stream) -> None:
        self._endpoint = endpoint
        self._stream = stream

    def received(self, payload: bytes, stamp: float) -> None:
        """Welcome or refuse the bot by its first message, which must be a hello."""
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            self._refuse(Refusal.REASON_HELLO, "the first message cannot be decoded: send a PlayRequest with a hello")
            return
        if not request.HasField("hello"):
            self._refuse(Refusal.REASON_HELLO, "the first message must be a hello")
            return
        hello = request.hello
        session = self._endpoint.redeem(hello.token)
        if session is None:
            self._refuse(
                Refusal.REASON_TOKEN, "the token is unknown or was used before: send the text of ARENA_TOKEN, once"
            )
            return
        protocol = max(set(hello.protocols) & set(PROTOCOLS), default=0)
        if not protocol:
            spoken = ", ".join(map(str, hello.protocols[:8])) or "none"
            ours = ", ".join(map(str, PROTOCOLS))
            sentence = f"no protocol version in common: the bot speaks {spoken}, the referee {ours}"
            self._refuse(Refusal.REASON_PROTOCOL, sentence)
            session.refuse(sentence)
        elif hello.games and session.game not in hello.games:
            plays = clean(", ".join(hello.games), SENTENCE_CHARACTERS)
            sentence = f"the match is {session.game}, but the bot plays only {plays}"
            self._refuse(Refusal.REASON_GAME, sentence)
            session.refuse(sentence)
        else:
            session.welcome(self._stream, hello, protocol)

    def ended(self, reason: str) -> None:
        """Do nothing: a stream without a hello belongs to no session."""

    def _refuse(self, reason: Refusal.Reason.ValueType, sentence: str) -> None:
        self._endpoint.refusal = sentence
        refusal = Refusal(reason=reason, sentence=sentence, protocols=PROTOCOLS)
        self._stream.send(PlayResponse(refusal=refusal).SerializeToString())
        self._stream.close()
