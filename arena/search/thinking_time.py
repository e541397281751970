"""How long to think about a question, by move time and bank.

Each answer has the move time for itself, and a search that does not know then which move is best may take a share of
the bank, which is one for the match. The share is larger with a Fischer clock, whose bank fills again.

An answer is charged by the wall clock, with its way to the bot and back, so a margin is left; it grows where the
previous answers were charged more than the bot thought.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Allowance:
    """How long a search may take."""

    seconds: float
    """When it ends, if it knows by then which move is best."""
    most: float
    """When it ends in any case: no less than `seconds`."""

    def __post_init__(self) -> None:
        if not 0 <= self.seconds <= self.most:
            raise ValueError(f"an allowance of {self.seconds} seconds, at most {self.most}: give 0 <= seconds <= most")

    def less(self, seconds: float) -> "Allowance":
        """Return what is left of it after so many seconds."""
        return Allowance(max(0.0, self.seconds - seconds), max(0.0, self.most - seconds))


class TimedMatch(Protocol):
    """What is asked of a match: `arena.sdk.Match` has it."""

    @property
    def move_time_ms(self) -> int:
        """The time for each answer in milliseconds; 0 is no limit."""

    @property
    def bank_ms(self) -> int:
        """The time bank at the start, in milliseconds."""

    @property
    def fischer(self) -> bool:
        """Whether what an answer leaves of the move time is added to the bank."""


class TimedQuestion(Protocol):
    """What is asked of a question: `arena.sdk.Question` has it."""

    @property
    def match(self) -> TimedMatch:
        """The match of the question."""

    @property
    def bank_ms(self) -> int:
        """The time left in the bank, in milliseconds."""

    @property
    def charged_us(self) -> int:
        """The time charged for the previous answer of the match, in microseconds."""


MARGIN = 0.010
"""Seconds of each answer that are left for the way to the bot and back, at least."""

MARGIN_SHARE = 0.05
"""The share of the move time that is left at least."""

BANK_SHARE = 0.05
"""The share of the bank that one answer may take: 20 such answers take two thirds of it."""

FISCHER_SHARE = 0.2
"""The same with a Fischer clock."""

BANK_RESERVE = 0.1
"""The share of the bank at the start that is kept for answers that come late through no fault of the bot."""

UNLIMITED = 1.0
"""Seconds for an answer where there is no move time."""


class ThinkingTime:
    """The thinking times of one match: keep it in `question.match.memory`, or make a new one for each question.

    clock: seconds of a clock that never goes back.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._asked_at: float | None = None
        self._took = 0.0
        self._overhead = 0.0

    def allow(self, question: TimedQuestion) -> Allowance:
        """Return how long to think about a question, which was just asked.

        The bot calls `answered` when it has thought.
        """
        if self._took:
            self._overhead = max(0.9 * self._overhead, question.charged_us / 1e6 - self._took)
        self._asked_at, self._took = self._clock(), 0.0
        move_time = question.match.move_time_ms / 1000
        if not move_time:
            return Allowance(UNLIMITED, UNLIMITED)
        margin = max(MARGIN, MARGIN_SHARE * move_time, 2 * self._overhead)
        free = max(0.0, question.bank_ms - BANK_RESERVE * question.match.bank_ms) / 1000
        share = FISCHER_SHARE if question.match.fischer else BANK_SHARE
        least = min(move_time / 2, MARGIN)  # a slow network leaves at least that much, and the bank pays the rest
        base = max(least, move_time - margin)
        return Allowance(base, base + share * free)

    def answered(self) -> None:
        """Note that the bot has thought: what it is charged beyond that is the way to it and back."""
        if self._asked_at is not None:
            self._took = self._clock() - self._asked_at
