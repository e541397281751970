"""The decisions of Hypp: packets, bets, and whether to go on dealing."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from referee.games.hypp import BET, PACKET


def choice(view: Any, legal: Sequence[str], move: str) -> Choice:
    """Classify a decision by whether the seat is ahead; bets and packets in thirds of what is possible."""
    own = view.chips[view.seat]
    best = max(chips for seat, chips in enumerate(view.chips) if seat != view.seat)
    position = "ahead of all" if own > best else "level with the best" if own == best else "behind"
    if view.stage == BET:
        return Choice("to bet", position, f"bet {_size(legal, move)}")
    if view.stage == PACKET:
        return Choice("to name the packets", "", f"name {_size(legal, move)}")
    return Choice("to deal again or not", position, move)


def _size(legal: Sequence[str], move: str) -> str:
    """Return how large the number of a move is among those of the legal moves."""
    number, most = (int(text.split(" ")[1]) for text in (move, legal[-1]))
    if number == most:
        return "the most"
    return "a third or less" if 3 * number <= most else "two thirds or less" if 3 * number <= 2 * most else "nearly all"
