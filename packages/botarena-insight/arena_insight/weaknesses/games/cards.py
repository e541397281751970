"""The names of cuckoo cards, and which card of several a move plays."""

from collections.abc import Sequence

from arena.replay.games.items import IN_ABRUZZO, NAMES, UNKNOWN


def holding(card: int | None, *, abruzzo: bool = False) -> str:
    """Return the position of a seat with one card.

    abruzzo: whether the cards have the names of Cucù and Lu Stù.
    """
    if card is None or card == UNKNOWN:
        return "its card unknown"
    name = (IN_ABRUZZO.get(card) if abruzzo else None) or NAMES.get(card)
    return f"holding {card}" if name is None else f"holding the {name} ({card})"


def place_among(strength: int, strengths: Sequence[int]) -> str:
    """Return whether a card is the strongest or the weakest of several, or in between.

    strength: of the card.
    strengths: of all that could be played.
    """
    if strength == max(strengths):
        return "strongest"
    return "weakest" if strength == min(strengths) else "middle"


def cards_left(count: int) -> str:
    """Return the position of a seat with so many cards left to play."""
    if count == 1:
        return "its last card"
    few = 3
    return f"{count} cards left" if count <= few else f"more than {few} cards left"
