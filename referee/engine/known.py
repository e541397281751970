"""What the log of a seat says of the answers of chance: which cards must lie where, and which may.

A game that tells it (`Game.known_chance`) lets bots look ahead (`arena.positions`): worlds that a seat cannot tell from
the real one are dealt by it, and played through the rules, which have the last word. So what is told must be true of
each match that its seat could take for the real one; what is left out costs time only, as worlds are given up in vain.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from referee.engine.events import Event, Line

KINDS: Final = ("set", "deal", "round")
"""What begins with lines of the log, the outermost first."""


class SeatLog(NamedTuple):
    """A match as one seat was told of it."""

    options: Any
    seats: int
    seat: int
    events: list[Event]
    """What the seat may know of the log: from the beginning of a set, deal or round on (the outermost that the lines of
    the game name, see `Line.begins`), perhaps of several of them; or from the beginning of the match.
    """


class Known(NamedTuple):
    """What is known of an answer of chance, or of a part of it."""

    place: tuple[int | str, ...]
    """The place of the request."""
    at: tuple[int, ...]
    """Indices into the answer: of a shuffle 0 is the card that is dealt first; of a pick 0 is the number."""
    values: tuple[Any, ...] = ()
    """What is known to be there, in any order, at most one for each index."""
    among: Collection[Any] | None = None
    """What the others there may be; None: anything."""
    spare: int = 0
    """How many of the others may be anything all the same."""


def beginnings(lines: Sequence[Line]) -> frozenset[int]:
    """Return the numbers of the lines with which a set, deal or round begins: the outermost that there is."""
    kinds = [line.begins for line in lines]
    outermost = next((kind for kind in KINDS if kind in kinds), None)
    return frozenset(number for number, kind in enumerate(kinds) if kind == outermost)


def numbers(event: Event) -> tuple[int, int]:
    """Return the first two values of a line of the log, which are mostly a seat and a card; 0 for what is no number."""
    first = event[1] if len(event) > 1 else 0
    second = event[2] if len(event) > 2 else 0
    return first if isinstance(first, int) else 0, second if isinstance(second, int) else 0
