"""Numbers of matches and questions, as a remote bot and as its referees count them.

A bot has one stream for a whole tournament, but a referee numbers the matches and questions of each phase from 1.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from referee.v1.play_pb2 import Answers, PlayRequest, Turns

Seat = TypeVar("Seat", bound=Hashable)
"""Whoever stands for one stream to a referee."""


@dataclass(slots=True)
class _Known:
    """What is under way in one stream to a referee: of each match the bot's number and the open questions."""

    matches: dict[int, int] = field(default_factory=dict)
    questions: dict[int, set[int]] = field(default_factory=dict)


class Numbers(Generic[Seat]):
    """The numbers of one remote bot."""

    def __init__(self) -> None:
        self._matches = 0
        self._questions = 0
        self._seats: dict[Seat, _Known] = {}
        self._open: dict[int, tuple[Seat, int]] = {}

    @property
    def open(self) -> int:
        """How many questions are open."""
        return len(self._open)

    def told(self, seat: Seat, turns: Turns) -> None:
        """Change the turns of a referee into those of the bot."""
        known = self._seats.setdefault(seat, _Known())
        for start in turns.starts:
            self._matches += 1
            known.matches[start.match] = self._matches
            known.questions[start.match] = set()
            start.match = self._matches
        for question in turns.questions:
            self._questions += 1
            self._open[self._questions] = seat, question.id
            known.questions[question.match].add(self._questions)
            question.id = self._questions
            question.match = known.matches[question.match]
        for end in turns.ends:
            for number in known.questions.pop(end.match):
                self._open.pop(number, None)
            end.match = known.matches.pop(end.match)

    def said(self, answers: Answers) -> dict[Seat, PlayRequest]:
        """Return the answers of the bot as its referees get them.

        Answers to questions that are not open go to any of them with the number 0, which it will not know: they are
        its to count.
        """
        messages: dict[Seat, PlayRequest] = {}
        for answer in answers.answers:
            seat, number = self._open.pop(answer.question, (None, 0))
            if seat is None:
                seat = next(iter(self._seats), None)
            if seat is not None:
                passed = messages.setdefault(seat, PlayRequest()).answers.answers.add()
                passed.CopyFrom(answer)
                passed.question = number
        return messages

    def gone(self, seat: Seat) -> Turns:
        """Forget a stream to a referee, and return the ends of what was under way there."""
        turns = Turns()
        known = self._seats.pop(seat, _Known())
        for match, number in known.matches.items():
            turns.ends.add(match=number)
            for question in known.questions[match]:
                self._open.pop(question, None)
        return turns
