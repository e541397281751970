"""What a search needs of a position."""

from typing import Protocol

from arena.positions import Belief, World


class Position(Protocol):
    """A question as its seat knows it, from which worlds are drawn: `arena.positions.Position` is one."""

    @property
    def seat(self) -> int:
        """The seat that is asked."""

    @property
    def legal(self) -> tuple[str, ...]:
        """Its legal moves."""

    def world(self, belief: Belief | None = None) -> World:
        """Return a world that nobody else holds, drawn anew. Raises NoWorld.

        belief: how others choose, from what they see: it gives the world its weight.
        """
