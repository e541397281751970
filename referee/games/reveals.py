"""Who is defeated when the cards are shown: one pure function for each rule.

Each takes the strengths of the cards shown, two or more, and returns the kinds whose holders are
defeated. Where all cards are equal, all are defeated: a tie.

Sources: the Korean rule book of Cuckoo, round play (4) and extension rules 1, 3, 9, 10, 11, 12; the
Cucco page of Board Game Arena for `cancellation`.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final

Rule = Callable[[Sequence[int]], Collection[int]]


def lowest(cards: Sequence[int]) -> Collection[int]:
    """The weakest card loses (the basic game)."""
    return (min(cards),)


def anti(cards: Sequence[int]) -> Collection[int]:
    """The strongest card loses (extension rule 1)."""
    return (max(cards),)


def cancel(cards: Sequence[int]) -> Collection[int]:
    """Equal cards lose whatever their rank, and so does the weakest (extension rule 3).

    Decision: the weakest loses as well, which the extension does not say; it is the weakest of all cards shown, paired
    or not.
    """
    return {kind for kind in cards if cards.count(kind) > 1} | {min(cards)}


def cancellation(cards: Sequence[int]) -> Collection[int]:
    """Equal cards lose, then the weakest of the others; a lone other is safe (Board Game Arena's variant)."""
    alone = [kind for kind in cards if cards.count(kind) == 1]
    fallen = set(cards).difference(alone)
    return fallen | {min(alone)} if len(alone) > 1 else fallen


def second(cards: Sequence[int]) -> Collection[int]:
    """The second strongest and the second weakest lose (extension rule 9).

    Three players: the second strongest alone. Two: the weaker. Decision: exactly two kinds among four
    or more players: the weaker kind alone, or everybody would lose.
    """
    kinds = sorted(set(cards))
    if len(kinds) < 3:
        return kinds[:1]
    return (kinds[-2],) if len(cards) == 3 else (kinds[-2], kinds[1])


def high_low(cards: Sequence[int]) -> Collection[int]:
    """The strongest and the weakest lose (extension rule 10).

    Decision: only where that is everybody the smaller group survives, of two equal groups the stronger; so of two
    players the stronger does.
    """
    low, high = min(cards), max(cards)
    if low == high or cards.count(low) + cards.count(high) < len(cards):
        return (low, high)
    return (high,) if cards.count(low) < cards.count(high) else (low,)


def two(cards: Sequence[int]) -> Collection[int]:
    """The weakest and the second weakest lose (extension rule 11).

    Decision: where that is everybody, the weakest alone.
    """
    kinds = sorted(set(cards))
    return kinds[:1] if len(kinds) < 3 else kinds[:2]


def lion(cards: Sequence[int]) -> Collection[int]:
    """The second weakest loses in place of the weakest, between two players as well (extension rule 12)."""
    return sorted(set(cards))[:2][-1:]


RULES: Final[dict[str, Rule]] = {
    "lowest": lowest,
    "anti": anti,
    "cancel": cancel,
    "second": second,
    "high_low": high_low,
    "two": two,
    "lion": lion,
}
"""Cambio's option `reveal`."""
