"""Who scores what when a deal of Scopa is over: pure functions of the cards that each team took.

Source: the Korean guide to Scopa, "counting the points".
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from referee.games.italian_pack import KING, KNAVE, KNIGHT, SUITS, VALUES

POINTS: Final = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, KING: 10, KNIGHT: 0, KNAVE: 0}
"""What a card counts for in the primiera."""
ALL_FACES: Final = POINTS | {KNIGHT: 10, KNAVE: 10}
"""The same under `faces=all`."""

Count = Callable[[Sequence[str], dict[int, int]], Any]
"""What a team's cards are worth in the primiera: the higher one is the better one."""


def best(cards: Sequence[str], points: dict[int, int]) -> int:
    """Count the best card of each suit; a suit that is missing counts nothing."""
    most = dict.fromkeys(SUITS, 0)
    for card in cards:
        worth = points[VALUES[card]]
        if worth > most[card[0]]:
            most[card[0]] = worth
    return sum(most.values())


def whole(cards: Sequence[str], points: dict[int, int]) -> int:
    """Count all cards."""
    return sum(points[VALUES[card]] for card in cards)


def sevens(cards: Sequence[str], points: dict[int, int]) -> tuple[int, ...]:
    """Count the sevens, among equals the sixes, and so on down to the aces."""
    values = [VALUES[card] for card in cards]
    return tuple(values.count(value) for value in range(7, 0, -1))


COUNTS: Final[dict[str, Count]] = {"best": best, "sum": whole, "sevens": sevens}
"""The counts by the value of the option `primiera`."""


def strictly_most(worths: Sequence[Any]) -> int | None:
    """Return who has more than every other; None where nobody has. Decision: equals get nothing."""
    most = max(worths)
    return worths.index(most) if worths.count(most) == 1 else None
