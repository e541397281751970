"""One life of a player: a bot on the stream, from before its hello until it fails or nothing is left to play."""

import time
from abc import ABC, abstractmethod

import trio

from referee.connection.endpoints import Door
from referee.connection.stream import Stream
from referee.match.faults import Kind
from referee.session.player import Player
from referee.v1.play_pb2 import Hello, PlayResponse, Welcome
from referee.v1.work_pb2 import ProcessFailure
from referee.wire import ANSWER_BYTES, NAME_CHARACTERS, clean

ROOM_BYTES = 192 << 10
"""What the message of a talkative bot may hold beside what is kept of it."""


class Life(ABC):
    """A bot that is to play for `player`; `run` it, and `end` it when nothing is left to play.

    game: the id of the game. settled: set once it was welcomed or is over. welcomed: it said a valid
    hello. fault: what ended it too early. failure: what is reported of that. over: set once it failed or is no longer
    needed.
    """

    def __init__(self, player: Player, game: str, door: Door) -> None:
        self.player = player
        self.game = game
        self.settled = trio.Event()
        self.welcomed = False
        self.fault: tuple[Kind, str] | None = None
        self.failure = ProcessFailure()
        self.over = trio.Event()
        self.door = door

    @abstractmethod
    async def run(self) -> None:
        """Await the bot at the door and see to it until the life is over; say what becomes of its open questions."""

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a bot that said a valid hello."""
        if self.over.is_set():
            stream.close()
            return
        player = self.player
        stream.peer = self
        player.bot_name = clean(hello.name, NAME_CHARACTERS)
        player.bot_version = clean(hello.version, NAME_CHARACTERS)
        player.wants_events = hello.wants_events
        player.wants_schema = hello.wants_schema
        player.whole_batches = hello.whole_batches
        if hello.matches_at_once:
            player.matches_at_once = min(player.matches_at_once, hello.matches_at_once)
        welcome = Welcome(protocol=protocol, matches_at_once=player.matches_at_once)
        stream.send(PlayResponse(welcome=welcome).SerializeToString())
        player.connected(stream, self.fail)
        self.welcomed = True
        self.settled.set()

    def received(self, payload: bytes, stamp: float) -> None:
        """Pass a message of the bot on."""
        self.player.received(payload, stamp)

    def ended(self, reason: str) -> None:
        """The bot's side of the stream is gone."""
        self.fail(Kind.CRASH, reason)

    def message_bytes(self) -> int:
        """Return how large the next message may be that the bot is expected to send: answers, once it was welcomed."""
        return ROOM_BYTES + self.player.open_questions * ANSWER_BYTES if self.welcomed else 0

    def refuse(self, sentence: str) -> None:
        """Learn that the bot was refused, or cut off."""
        self.fail(Kind.PROTOCOL if self.welcomed else Kind.START, sentence)

    def fail(self, kind: Kind, sentence: str) -> None:
        """End this life for a fault; the first one counts."""
        if not self.over.is_set():
            self.fault = (kind, sentence)
            self.failure.time_us = time.time_ns() // 1000
            self._finish()

    def end(self) -> None:
        """End this life because nothing is left to play."""
        if not self.over.is_set():
            self._finish()

    def _finish(self) -> None:
        self.player.disconnect()
        self.over.set()
        self.settled.set()
