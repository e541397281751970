"""The chance by which cards are dealt anew: the same from the same seed in every version of Python."""

from collections.abc import Sequence
from typing import TypeVar

from referee.engine.chance import below, words

T = TypeVar("T")


class RandomDraws:
    """A stream of random numbers."""

    def __init__(self, seed: bytes) -> None:
        self._words = words(seed, "redeal")

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return below(n, self._words)

    def one(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return things in random order."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
