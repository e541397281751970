"""Where bots come in: each at an endpoint of its own; hello, welcome or refusal."""

import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Protocol

import trio
from google.protobuf.message import DecodeError

from referee.connection.flood_detection import FloodWatch
from referee.connection.grpc_server import Link, Method, Server
from referee.connection.stream import Stream
from referee.session.player import Player
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Refusal
from referee.wire import PROTOCOLS, SENTENCE_CHARACTERS, clean

STARTS_AT_ONCE = 8

CLOSE_SECONDS = 2.0
"""How long the last messages to somebody trusted may take to leave."""

PLAY = "referee.v1.BotService/Play"

_FOLDER_BYTES = 72
"""The longest folder for temporary files that leaves room for the path of a socket in it, which has 108 bytes."""


class Guest(Protocol):
    """Whoever awaits the hello of a process that was started.

    game: the id of the game it is to play.
    """

    game: str

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a process that said a valid hello."""

    def refuse(self, sentence: str) -> None:
        """Learn that the process was refused, or cut off."""

    def message_bytes(self) -> int:
        """Return how large the next message may be that it is expected to send."""


class Endpoint:
    """The address of one bot, where nobody else comes: a socket in a folder of its own.

    address: "unix:/path". folder: holds the socket and nothing else. token: is good for one hello. guest: whose
    bot it is. server: listens there. untrusted: whoever dials may mean harm, and is limited. root: the process that
    all who dial descend from, where nothing else keeps others away; None elsewhere. was_cut: see `cut`.
    """

    def __init__(self, door: "Door", *, untrusted: bool) -> None:
        """Make one that does not listen yet."""
        self.folder = tempfile.mkdtemp(dir=door.folder, prefix="")
        os.chmod(self.folder, 0o711)
        self.address = f"unix:{self.folder}/bot"
        self.token = secrets.token_hex(16)
        self.untrusted = untrusted
        self.guest: Guest | None = None
        self.server: Server | None = None
        self.root: int | None = None
        self.was_cut = False
        self._door = door
        self._expected = False

    def expect(self, guest: Guest) -> None:
        """Await a hello for `guest`."""
        self.guest = guest
        self._expected = True

    def admit(self, token: str) -> Guest | None:
        """Return whose hello it is that holds `token`, once; None where it is nobody's."""
        if not self._expected or not secrets.compare_digest(token.encode(), self.token.encode()):
            return None
        self._expected = False
        return self.guest

    def opened(self, stream: Stream) -> None:
        """Take a new stream."""
        stream.peer = self._door.newcomer(self, stream)

    def give_to(self, user: int | None) -> None:
        """Let nobody but a user dial; None: but whoever we are."""
        if user is not None:
            os.chown(self._socket, user, -1)

    def shut(self) -> None:
        """Let nobody dial any more; what is connected stays."""
        os.chmod(self._socket, 0)

    def message_bytes(self) -> int:
        """Return how large the next message may be that the bot is expected to send."""
        return self.guest.message_bytes() if self.guest is not None else 0

    def cut(self, sentence: str) -> None:
        """Close every connection at once, because of what the sentence says of the bot."""
        self.was_cut = True
        self._stop(0.0)
        if self.guest is not None:
            self.guest.refuse(sentence)

    def close(self) -> None:
        """Close the address; connections have a moment to end by themselves where the peer is trusted."""
        self._door.endpoints.discard(self)
        self._stop(0.0 if self.untrusted else CLOSE_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _stop(self, seconds: float) -> None:
        if self.server is not None:
            self.server.stop(seconds)

    @property
    def _socket(self) -> str:
        return self.address.removeprefix("unix:")


class Door:
    """The endpoints of bots.

    folder: holds theirs. endpoints: those that are open. watch: to be run beside the link. dirty: players with
    something to send. starting: how many processes may be on their way here at the same time, as each start takes a
    core for a while.
    """

    def __init__(self, link: Link, prefix: str = "arena-bots-") -> None:
        """Make one without endpoints, its folder called `prefix` and something."""
        short = len(os.fsencode(tempfile.gettempdir())) <= _FOLDER_BYTES
        self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=None if short else "/tmp"))
        self.folder.chmod(0o711)
        self._link = link
        self.endpoints: set[Endpoint] = set()
        self.watch = FloodWatch(link, self.endpoints)
        self.dirty: list[Player] = []
        self.starting = trio.CapacityLimiter(STARTS_AT_ONCE)

    async def open(self, *, untrusted: bool = True) -> Endpoint:
        """Return an endpoint that listens, to be closed by whoever asked for it. Raises OSError where none can be."""
        endpoint = Endpoint(self, untrusted=untrusted)
        self.endpoints.add(endpoint)
        try:
            method = Method(PLAY, endpoint.opened, endpoint.cut if untrusted else None)
            endpoint.server = await self._link.listen(endpoint.address, method)
            os.chmod(endpoint._socket, 0o600)
        except BaseException:
            endpoint.close()
            raise
        return endpoint

    def newcomer(self, endpoint: Endpoint, stream: Stream) -> "Newcomer":
        """Return who listens on a new stream of an endpoint."""
        return Newcomer(endpoint, stream)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def flush(self) -> None:
        """Let everything leave that players have queued."""
        if self.dirty:
            players = self.dirty[:]
            self.dirty.clear()
            for player in players:
                player.flush()
        self._link.flush()


class Newcomer:
    """A stream on which nobody has said a valid hello yet."""

    def __init__(self, endpoint: Endpoint, stream: Stream) -> None:
        self._endpoint = endpoint
        self._stream = stream

    def received(self, payload: bytes, stamp: float) -> None:
        """Welcome or refuse whoever says hello."""
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            self._refuse(Refusal.REASON_HELLO, "the first message is no message of the protocol; it must be a hello")
            return
        if not request.HasField("hello"):
            self._refuse(Refusal.REASON_HELLO, "the first message must be a hello")
            return
        hello = request.hello
        guest = self._endpoint.admit(hello.token)
        if guest is None:
            self._refuse(
                Refusal.REASON_TOKEN, "the token is unknown or was used before; send the text of ARENA_TOKEN, once"
            )
            return
        protocol = max(set(hello.protocols) & set(PROTOCOLS), default=0)
        if not protocol:
            spoken = ", ".join(map(str, hello.protocols[:8])) or "none"
            ours = ", ".join(map(str, PROTOCOLS))
            sentence = f"no protocol version in common: the bot speaks {spoken}, the referee {ours}"
            self._refuse(Refusal.REASON_PROTOCOL, sentence)
            guest.refuse(sentence)
        elif hello.games and guest.game not in hello.games:
            plays = clean(", ".join(hello.games), SENTENCE_CHARACTERS)
            sentence = f"the match is {guest.game}, but the bot plays only {plays}"
            self._refuse(Refusal.REASON_GAME, sentence)
            guest.refuse(sentence)
        else:
            guest.welcome(self._stream, hello, protocol)

    def ended(self, reason: str) -> None:
        """Nothing is lost with a stream that said nothing."""

    def _refuse(self, reason: Refusal.Reason.ValueType, sentence: str) -> None:
        refusal = Refusal(reason=reason, sentence=sentence, protocols=PROTOCOLS)
        self._stream.send(PlayResponse(refusal=refusal).SerializeToString())
        self._stream.close()
