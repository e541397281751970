"""The session of one bot process: from before its hello until it fails or is no longer needed."""

import time
from abc import ABC, abstractmethod

import trio

from referee.connection.endpoints import Endpoints
from referee.connection.stream import Stream
from referee.engine.clean_text import clean
from referee.match.faults import FaultKind
from referee.session.player import BotPlayer
from referee.v1.play_pb2 import Hello, PlayResponse, Welcome
from referee.v1.work_pb2 import ProcessFailure
from referee.wire import ANSWER_BYTES, NAME_CHARACTERS

EXTRA_MESSAGE_BYTES = 192 << 10
"""What a bot's message may hold beside the answers at their largest size."""


class BotSession(ABC):
    """One process of a bot that plays for `player`: `run` it, and `end` it when nothing is left to play.

    game: the id of the game.
    settled: set once the bot is welcomed or the session is over.
    is_welcomed: it said a valid hello.
    fault: why the session ended too early; None: it has not.
    failure: the report of that fault.
    over: set once the session has failed or is no longer needed.
    endpoints: those of all bots.
    """

    def __init__(self, player: BotPlayer, game: str, endpoints: Endpoints) -> None:
        self.player = player
        self.game = game
        self.settled = trio.Event()
        self.is_welcomed = False
        self.fault: tuple[FaultKind, str] | None = None
        self.failure = ProcessFailure()
        self.over = trio.Event()
        self.endpoints = endpoints

    @abstractmethod
    async def run(self) -> None:
        """Wait for the bot, run the session to its end, and decide what becomes of its open questions."""

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a bot whose hello is valid."""
        if self.over.is_set():
            stream.close()
            return
        player = self.player
        stream.listener = self
        player.bot_name = clean(hello.name, NAME_CHARACTERS)
        player.bot_version = clean(hello.version, NAME_CHARACTERS)
        player.wants_events = hello.wants_events
        player.wants_values = hello.wants_values
        player.wants_schema = hello.wants_schema
        player.whole_batches = hello.whole_batches
        player.wants_ready = hello.wants_ready
        if hello.matches_at_once:
            player.matches_at_once = min(player.matches_at_once, hello.matches_at_once)
        welcome = Welcome(protocol=protocol, matches_at_once=player.matches_at_once)
        stream.send(PlayResponse(welcome=welcome).SerializeToString())
        player.connect(stream, self.fail)
        self.is_welcomed = True
        self.settled.set()

    def received(self, payload: bytes, stamp: float) -> None:
        """Pass a message of the bot on."""
        self.player.received(payload, stamp)

    def ended(self, reason: str) -> None:
        """End the session, as the bot has ended its stream."""
        self.fail(FaultKind.CRASH, reason)

    def max_message_bytes(self) -> int:
        """Return the largest size that the bot's next message may have: answers, once it is welcomed."""
        if not self.is_welcomed:
            return 0
        return EXTRA_MESSAGE_BYTES + self.player.open_questions * (ANSWER_BYTES + self.player.text_bytes)

    def refuse(self, sentence: str) -> None:
        """End the session, as the bot was refused or disconnected."""
        self.fail(FaultKind.PROTOCOL if self.is_welcomed else FaultKind.START, sentence)

    def fail(self, kind: FaultKind, sentence: str) -> None:
        """End the session for a fault; only the first one counts."""
        if not self.over.is_set():
            self.fault = (kind, sentence)
            self.failure.time_us = time.time_ns() // 1000
            self._finish()

    def end(self) -> None:
        """End the session because nothing is left to play."""
        if not self.over.is_set():
            self._finish()

    def _finish(self) -> None:
        self.player.disconnect()
        self.over.set()
        self.settled.set()
