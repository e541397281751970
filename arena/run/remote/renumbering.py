"""Translation between the numbers of a remote bot and those of its referees.

A bot has one stream for a whole tournament, but a referee numbers matches and questions of each phase from 1.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from referee.v1.play_pb2 import Answers, PlayRequest, Turns

Referee = TypeVar("Referee", bound=Hashable)
"""Identifies one stream to a referee."""


@dataclass(slots=True)
class _OpenNumbers:
    """The open matches and questions of one stream to a referee."""

    matches: dict[int, int] = field(default_factory=dict)
    """The bot's number of each match, by the referee's."""
    questions: dict[int, set[int]] = field(default_factory=dict)
    """The bot's numbers of the open questions, by the referee's number of the match."""


class Renumbering(Generic[Referee]):
    """Numbers the matches and questions of one remote bot.

    unanswered: questions that were closed before the bot answered them, and whose answers may still come.
    """

    def __init__(self) -> None:
        self.unanswered = 0
        self._matches = 0
        self._questions = 0
        self._referees: dict[Referee, _OpenNumbers] = {}
        self._open: dict[int, tuple[Referee, int]] = {}

    @property
    def open(self) -> int:
        """The number of open questions."""
        return len(self._open)

    def renumber_turns(self, referee: Referee, turns: Turns) -> None:
        """Replace the numbers in the turns of a referee by the bot's, in place."""
        known = self._referees.setdefault(referee, _OpenNumbers())
        for start in turns.starts:
            self._matches += 1
            known.matches[start.match] = self._matches
            known.questions[start.match] = set()
            if start.ready_question:
                self._questions += 1
                self._open[self._questions] = referee, start.ready_question
                known.questions[start.match].add(self._questions)
                start.ready_question = self._questions
            start.match = self._matches
        for question in turns.questions:
            self._questions += 1
            self._open[self._questions] = referee, question.id
            known.questions[question.match].add(self._questions)
            question.id = self._questions
            question.match = known.matches[question.match]
        for end in turns.ends:
            self._close(known.questions.pop(end.match))
            end.match = known.matches.pop(end.match)

    def route_answers(self, answers: Answers) -> dict[Referee, PlayRequest]:
        """Split the answers of the bot by referee and replace their numbers by the referee's.

        An answer to a question that is not open goes to any referee with the number 0, which is never open: the
        referee counts it as a fault.
        """
        messages: dict[Referee, PlayRequest] = {}
        for answer in answers.answers:
            referee, number = self._open.pop(answer.question, (None, 0))
            if referee is None:
                self.unanswered = max(0, self.unanswered - 1)
                referee = next(iter(self._referees), None)
            if referee is not None:
                passed = messages.setdefault(referee, PlayRequest()).answers.answers.add()
                passed.CopyFrom(answer)
                passed.question = number
        return messages

    def close_stream(self, referee: Referee) -> Turns:
        """Forget a stream to a referee; return the ends of its open matches."""
        turns = Turns()
        known = self._referees.pop(referee, _OpenNumbers())
        for match, number in known.matches.items():
            turns.ends.add(match=number)
            self._close(known.questions[match])
        return turns

    def _close(self, questions: Iterable[int]) -> None:
        """Close the questions of a match that has ended."""
        self.unanswered += sum(self._open.pop(question, None) is not None for question in questions)
