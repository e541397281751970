"""Print how a bot answers recorded questions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.bots.repeated_question import RepeatedAnswer, RepeatedQuestions

MOST_DIFFERING = 10
"""Earlier answers that differ, shown at the most."""


@dataclass(frozen=True, slots=True)
class AskedQuestionReport:
    """How a bot answers one recorded question."""

    title: str
    """Where the question is from."""
    bot: str
    """The name of the bot."""
    answers: "RepeatedQuestions"
    """The answers of the bot."""
    expected: tuple[str, ...] = ()
    """The moves that are right; empty if any legal move is."""

    @property
    def is_as_expected(self) -> bool:
        """Whether the bot gave a legal answer in time, and one of the expected ones if there are any."""
        answer = self.answers.answer
        return answer is not None and bool(answer.move) and (not self.expected or answer.move in self.expected)

    @property
    def sentence(self) -> str:
        """The answer in a line."""
        from arena.record.text import duration

        answer = self.answers.answer
        if answer is None:
            return f"{self.title}: {self.bot} failed: {self.answers.failure}"
        time = duration(answer.seconds * 1e6)
        if answer.error:
            return f"{self.title}: {self.bot} failed after {time}: {answer.error}"
        if not self.expected:
            how = _compared(answer)
        elif self.is_as_expected:
            how = "as expected"
        else:
            how = f"expected: {' or '.join(self.expected)}"
        return f"{self.title}: {self.bot} answers {answer.move} after {time}, {how}"

    def lines(self, number: Callable[[int], int] = int, *, detailed: bool = True) -> Iterator[str]:
        """Yield the report.

        number: converts the number of a question, from 1, to the one that is shown.
        detailed: with the legal moves, the earlier answers, and the note; otherwise only if the answer is not as
            expected.
        """
        if detailed:
            yield from self._earlier(number)
        yield self.sentence
        from arena.record.printed import folded

        answer = self.answers.answer
        if detailed or not self.is_as_expected:
            if answer is not None:
                yield f"    [recorded: {_recorded(answer)}; legal: {', '.join(answer.legal)}]"
                notes = ("note", answer.note), ("says", answer.said)
                yield from (f'    {title}: "{text}"' for title, text in notes if text)
            if self.answers.output:
                yield f"    {self.bot} printed:"
                yield from (f"        {line}" for line in folded(self.answers.output.splitlines()))

    def _earlier(self, number: Callable[[int], int]) -> Iterator[str]:
        """Yield how the bot answers the earlier questions of the seat."""
        count, otherwise = len(self.answers.before), self.answers.otherwise
        if count:
            differing = f"{len(otherwise):,} of them otherwise:" if otherwise else "all of them as in the record"
            questions = "1 question" if count == 1 else f"{count:,} questions"
            yield f"{self.bot} was asked {questions} before, and answers {differing}"
        for asked in otherwise[:MOST_DIFFERING]:
            move = asked.move or "illegally"
            yield (
                f"    {number(asked.number)}. {move}    [recorded: {_recorded(asked)}; legal: {', '.join(asked.legal)}]"
            )
        if len(otherwise) > MOST_DIFFERING:
            yield f"    and {len(otherwise) - MOST_DIFFERING:,} more"

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        answers = self.answers
        return {
            "question": self.title,
            "bot": self.bot,
            "answer": None if answers.answer is None else asdict(answers.answer),
            "expected": list(self.expected),
            "as_expected": self.is_as_expected,
            "before": [asdict(asked) for asked in answers.before],
            "failure": answers.failure or None,
            "output": answers.output,
        }


def summary(reports: Sequence[AskedQuestionReport]) -> str:
    """Return the number of answers that are as expected, in words."""
    right = sum(report.is_as_expected for report in reports)
    how = "as expected" if any(report.expected for report in reports) else "answered legally and in time"
    return f"{len(reports):,} questions: {right:,} {how}, {len(reports) - right:,} not"


def _compared(answer: "RepeatedAnswer") -> str:
    if answer.fault:
        return f"where the record has a fault ({answer.fault})"
    return "as in the record" if answer.is_as_recorded else "otherwise than in the record"


def _recorded(answer: "RepeatedAnswer") -> str:
    return f"{answer.recorded}, the default move after a fault" if answer.fault else answer.recorded
