"""The bot that plays what a person answers from elsewhere: from a page, whenever it likes."""

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from arena.errors import ArenaError
from arena.sdk import Bot, Match, Question
from arena.sdk.blocking import play
from arena.sdk.errors import CallLost
from arena.sdk.message_codec import MessageCodec
from referee.v1.work_pb2 import Invitation


class AnswerRefused(ArenaError):
    """An answer to no question that is open."""


class _PersonLeft(Exception):
    """The person answers no more."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What a person has been told and asked.

    number: of the question, from 1. view: what the seat sees, as the game's message. legal: the moves; none once it is
    answered. new_events: the lines of the log since the question before.
    """

    number: int
    view: Any
    legal: tuple[str, ...]
    new_events: tuple[str, ...]


class RemotePlayer(Bot[Any]):
    """A person somewhere else. `choose` waits for `answer`, which another thread calls.

    asked: the newest question; None before the first. waits: whether it is open. log: all lines that the seat was told.
    """

    name = "person"
    matches_at_once = 1
    wants_events = True

    def __init__(self, changed: Callable[[], None]) -> None:
        """Make a player. changed: is called, from any thread, whenever there is something new."""
        self._changed = changed
        self._answers: SimpleQueue[tuple[int, str, str] | None] = SimpleQueue()
        self._number = 0
        self.asked: OpenQuestion | None = None
        self.waits = False
        self.log: tuple[str, ...] = ()

    def join(self, invitation: Invitation) -> None:
        """Play until the match is over, the referee is gone, or the person has left."""
        self.log = ()  # who comes anew is told all from the beginning
        try:
            play(MessageCodec(self, invitation.token), invitation.address)
        except (CallLost, _PersonLeft):
            self.waits = False

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self.log += match.events
        self._changed()

    def choose(self, question: Question[Any]) -> str:
        self._number += 1
        self.log += question.events
        self.asked = OpenQuestion(self._number, question.view, question.legal, question.events)
        self.waits = True
        self._changed()
        while (answer := self._answers.get()) is not None:
            number, move, words = answer
            if number == self._number:
                if words:
                    question.say(words)
                return move
        raise _PersonLeft

    def answer(self, number: int, move: str, words: str = "") -> None:
        """Answer the open question. words: table talk. Raises AnswerRefused where it does not fit."""
        asked = self.asked
        if not self.waits or asked is None or asked.number != number:
            raise AnswerRefused("this question is not open any more: look at the table as it is now")
        if move not in asked.legal:
            raise AnswerRefused(f"{move[:80]} is no legal move here: {', '.join(asked.legal[:20])}")
        self.waits = False
        self._answers.put((number, move, words))

    def leave(self) -> None:
        """Answer no more."""
        self._answers.put(None)
