"""What a card captures in Scopa: pure functions.

Source: the Korean guide to Scopa, "rules of the game".
"""

from functools import lru_cache
from itertools import combinations
from typing import Final

from referee.games.italian_pack import PACK, VALUES

Ways = list[tuple[str, ...]]
"""The ways in which a card captures: in each the captured cards, as they lie on the table."""

PLAY: Final = {card: f"play {card}" for card in PACK}
"""The move of each card where it has no choice."""

MOST_WAYS: Final = 104
"""The most ways in which one card captures: a king, with four cards each of 1, 2, 3 and 6 and a 5 on the table."""


def captures(table: tuple[str, ...], card: str) -> Ways:
    """Return every way in which `card` captures cards of the table; none where it captures nothing.

    It captures a card of its value, or cards whose values sum to it, and always as few as possible.
    """
    return _captures(table, [VALUES[other] for other in table], VALUES[card])


def _captures(table: tuple[str, ...], values: list[int], value: int) -> Ways:
    """Return every way in which a card of `value` captures cards of the table (see `captures`).

    values: those of the table's cards.
    """
    lower: list[int] = []
    same: Ways = []
    for place, other in enumerate(values):
        if other < value:
            lower.append(place)
        elif other == value:
            same.append((table[place],))
    if same or len(lower) < 2:
        return same
    ways = sums(tuple([values[place] for place in lower]), value)
    return [tuple([table[lower[place]] for place in way]) for way in ways]


@lru_cache(maxsize=8192)
def sums(values: tuple[int, ...], total: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to make `total` of the fewest of `values`, two or more: the places that they stand in."""
    for count in range(2, min(len(values), total) + 1):
        ways = combinations(range(len(values)), count)
        if found := tuple([way for way in ways if sum([values[place] for place in way]) == total]):
            return found
    return ()


def plays(
    hand: tuple[str, ...], table: tuple[str, ...], strict: bool = False
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the moves of a hand: the text, then the card and what it captures.

    Any card may be played (Decision), also one that takes nothing while another could take; but where `strict` is set,
    a card that takes nothing only if no other could. What it captures is named only where there are several ways.
    """
    moves: dict[str, tuple[str, tuple[str, ...]]] = {}
    values = [VALUES[other] for other in table]
    for card in hand:
        ways = _captures(table, values, VALUES[card])
        if not ways:
            moves[PLAY[card]] = card, ()
        elif len(ways) == 1:
            moves[PLAY[card]] = card, ways[0]
        else:
            for way in ways:
                moves[f"play {card} take {' '.join(way)}"] = card, way
    if strict:
        return {move: play for move, play in moves.items() if play[1]} or moves
    return moves
