"""The order in which a search is asked and told, which does not depend on which iteration ends first.

Several iterations are played side by side, so the values of iteration i know the results of all up to i -
`side_by_side` and of none later. So a run that was interrupted goes on exactly as if it had not been.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from arena_tune.parameters import Values
from arena_tune.spsa import Proposal


class Search(Protocol):
    """Looks for better values. It is asked for each iteration once, in order, and likewise told."""

    @property
    def values(self) -> Values:
        """The values by what it was told last."""

    def ask(self, number: int) -> Proposal:
        """Return what an iteration plays. `number`: from 0."""

    def tell(self, number: int, proposal: Proposal, result: float) -> None:
        """Take the result of an iteration: the wins of the first bot less its losses."""

    def tuned(self, path: Sequence[Values]) -> Values:
        """Return the answer, by the values after each iteration."""


class Course:
    """A search from its first iteration to its last.

    path: the values after each iteration that was told.
    """

    def __init__(self, search: Search, iterations: int, side_by_side: int) -> None:
        """Begin before the first iteration.

        side_by_side: how many iterations are played at a time.
        """
        self._search = search
        self._iterations = iterations
        self._side_by_side = side_by_side
        self._proposals: dict[int, Proposal] = {}
        self._results: dict[int, float] = {}
        self._asked = 0
        self.path: list[Values] = []
        self._ask()

    @property
    def values(self) -> Values:
        """The values after the last iteration that was told."""
        return self._search.values

    @property
    def tuned(self) -> Values:
        """The answer so far."""
        return self._search.tuned(self.path)

    @property
    def is_over(self) -> bool:
        """Whether all iterations have ended."""
        return len(self.path) == self._iterations

    def open(self) -> Iterator[tuple[int, Proposal]]:
        """Yield the iterations that can be played now and have no result, by their numbers."""
        for number, proposal in self._proposals.items():
            if number not in self._results:
                yield number, proposal

    def finish(self, number: int, result: float) -> None:
        """Take the result of an iteration that is open."""
        self._results[number] = result
        while (told := len(self.path)) in self._results:
            self._search.tell(told, self._proposals.pop(told), self._results.pop(told))
            self.path.append(self._search.values)
            self._ask()

    def _ask(self) -> None:
        while self._asked < min(len(self.path) + self._side_by_side, self._iterations):
            self._proposals[self._asked] = self._search.ask(self._asked)
            self._asked += 1
