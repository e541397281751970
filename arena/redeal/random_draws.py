"""The random numbers of a redeal: a seed gives the same ones in every version of Python."""

from collections.abc import Sequence
from typing import TypeVar

from referee.engine.draws import below, words

T = TypeVar("T")


class RandomDraws:
    """A stream of random numbers from a seed."""

    def __init__(self, seed: bytes) -> None:
        self._words = words(seed, "redeal")

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return below(n, self._words)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
