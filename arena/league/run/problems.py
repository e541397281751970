"""Why a league cannot be drawn, or its batches not be played, for now."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal, NamedTuple

ProblemKind = Literal["draw", "play"]


class Problem(NamedTuple):
    """Something that is in the way."""

    sentence: str
    """The reason that was told last."""
    since: datetime
    """When it came first, without a success in between."""


class Problems:
    """The problems of a league in this run, of which each lasts until the same succeeds."""

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._found: dict[ProblemKind, Problem] = {}

    def add(self, kind: ProblemKind, sentence: str) -> None:
        """Note that a draw, or a batch, has come to nothing."""
        before = self._found.get(kind)
        self._found[kind] = Problem(sentence, self._clock() if before is None else before.since)

    def end(self, *kinds: ProblemKind) -> None:
        """Note that it has succeeded, or that there is nothing to draw or to play."""
        for kind in kinds:
            self._found.pop(kind, None)

    @property
    def oldest(self) -> Problem | None:
        """The problem that has lasted longest; None if there is none."""
        return min(list(self._found.values()), key=lambda problem: problem.since, default=None)
