"""Where bots come in: hello, welcome or refusal."""

from typing import Protocol

import trio
from google.protobuf.message import DecodeError

from referee.faults import Kind
from referee.link import Link, Stream
from referee.player import Player
from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse, Refusal
from referee.wire import PROTOCOLS, SENTENCE_CHARACTERS, clean

STARTS_AT_ONCE = 8


class Guest(Protocol):
    """Whoever awaits the hello of a process that was started.

    game: the id of the game it is to play.
    """

    game: str

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a process that said a valid hello."""

    def fail(self, kind: Kind, sentence: str) -> None:
        """Learn that the process was refused."""


class Door:
    """The address that bots dial, and who is expected there.

    address: "unix:/path". sockets: the folder that holds the socket. tokens: whose hello is awaited;
    a token is good for one hello. dirty: players with something to send. starting: how many
    processes may be on their way here at the same time, as each start takes a core for a while.
    """

    def __init__(self, address: str, sockets: str, link: Link) -> None:
        self.address = address
        self.sockets = sockets
        self._link = link
        self.tokens: dict[str, Guest] = {}
        self.dirty: list[Player] = []
        self.starting = trio.CapacityLimiter(STARTS_AT_ONCE)

    def opened(self, stream: Stream) -> None:
        """Take a new stream."""
        stream.peer = Newcomer(self, stream)

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

    def __init__(self, door: Door, stream: Stream) -> None:
        self._door = door
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
        guest = self._door.tokens.pop(hello.token, None)
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
            guest.fail(Kind.START, sentence)
        elif hello.games and guest.game not in hello.games:
            plays = clean(", ".join(hello.games), SENTENCE_CHARACTERS)
            sentence = f"the match is {guest.game}, but the bot plays only {plays}"
            self._refuse(Refusal.REASON_GAME, sentence)
            guest.fail(Kind.START, sentence)
        else:
            guest.welcome(self._stream, hello, protocol)

    def ended(self, reason: str) -> None:
        """Nothing is lost with a stream that said nothing."""

    def _refuse(self, reason: Refusal.Reason.ValueType, sentence: str) -> None:
        refusal = Refusal(reason=reason, sentence=sentence, protocols=PROTOCOLS)
        self._stream.send(PlayResponse(refusal=refusal).SerializeToString())
        self._stream.close()
