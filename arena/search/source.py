"""What a search needs of a position."""

from typing import Protocol

from arena.positions import World


class Position(Protocol):
    """A question as its seat knows it, from which worlds are drawn: `arena.positions.Position` is one."""

    @property
    def seat(self) -> int:
        """The seat that is asked."""

    @property
    def legal(self) -> tuple[str, ...]:
        """Its legal moves."""

    def world(self) -> World:
        """Return a world that nobody else holds, drawn anew; it may raise where there is none."""
