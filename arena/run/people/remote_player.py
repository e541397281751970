"""The bot that waits for the answers of a person at a page."""

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from arena.run.people.event_values import ValuesCodec, events_of
from arena.sdk import Bot, Match, Question
from arena.sdk.blocking import play
from arena.sdk.errors import CallLost
from arena.values.errors import ArenaError
from referee.engine.events import Event
from referee.v1.work_pb2 import Invitation


class AnswerRefused(ArenaError):
    """An answer is not legal, or its question is no longer open."""


class _PersonLeft(Exception):
    """The person has left the match."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question to a person."""

    number: int
    """The number of the question, from 1."""
    view: Any
    """What the seat sees, as a message of the game."""
    legal: tuple[str, ...]
    """The legal moves."""
    new_events: tuple[Event, ...]
    """The events since the previous question, as far as the seat may know them."""


class RemotePlayer(Bot[Any]):
    """A person at a page. `choose` waits until another thread calls `answer`.

    questions: the newest one, and the one before it; None where there is none yet.
    waits: whether the newest is open.
    log: all events that the seat saw.
    """

    name = "person"
    matches_at_once = 1
    wants_events = True

    def __init__(self, changed: Callable[[], None]) -> None:
        """Create a player.

        changed: called after each change, in any thread.
        """
        self._changed = changed
        self._answers: SimpleQueue[tuple[int, str, str] | None] = SimpleQueue()
        self._number = 0
        self.questions: tuple[OpenQuestion | None, OpenQuestion | None] = None, None
        self.waits = False
        self.log: tuple[Event, ...] = ()

    def join(self, invitation: Invitation) -> None:
        """Play until the match is over, the referee has ended, or the person has left."""
        self.log = ()  # after a reconnection the referee sends the log from the start
        self.questions = None, None
        try:
            play(ValuesCodec(self, invitation.token), invitation.address)
        except (CallLost, _PersonLeft):
            self.waits = False

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self.log += events_of(match.events)
        self._changed()

    def choose(self, question: Question[Any]) -> str:
        self._number += 1
        asked = OpenQuestion(self._number, question.view, question.legal, events_of(question.events))
        self.log += asked.new_events
        self.questions = asked, self.questions[0]
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
        """Answer the open question.

        words: table talk.

        Raises AnswerRefused if it is closed or the move is illegal.
        """
        asked, _ = self.questions
        if not self.waits or asked is None or asked.number != number:
            raise AnswerRefused("this question is no longer open: reload the page")
        if move not in asked.legal:
            raise AnswerRefused(f"{move[:80]} is not a legal move here: {', '.join(asked.legal[:20])}")
        self.waits = False
        self._answers.put((number, move, words))

    def leave(self) -> None:
        """Leave the match: end `choose` without an answer."""
        self._answers.put(None)
