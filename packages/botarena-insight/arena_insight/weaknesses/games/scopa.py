"""The decisions of Scopa: what a card captures, and what a card that captures nothing leaves on the table."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from referee.games.captures import plays
from referee.games.italian_pack import VALUES

SETTEBELLO = "C7"

SWEEPABLE = 10
"""A table that sums to this or less may be swept with one card."""


def choice(view: Any, legal: Sequence[str], move: str) -> Choice:
    """Classify a decision by the best capture that the hand has."""
    moves = plays(view.hand, view.table)
    kinds = [_capture(view, *moves[text]) for text in legal if text in moves]
    card, captured = moves[move]
    best = min(kinds, key=_ORDER.index)
    if best == _NONE:
        return Choice("nothing to capture", _threat(view.table), _discard(view, card))
    action = _capture(view, card, captured)
    return Choice("with a capture", f"could {best}", "capture nothing" if action == _NONE else action)


_NONE = "capture nothing"

_ORDER = (
    "sweep the table",
    "take the seven of coins",
    "take a seven and coins",
    "take a seven",
    "take coins",
    "take other cards",
    _NONE,
)
"""What a card may do, the most valuable first."""


def _capture(view: Any, card: str, captured: Sequence[str]) -> str:
    """Return what a card does: its most valuable part."""
    if not captured:
        return _NONE
    if len(captured) == len(view.table):
        return "sweep the table"
    taken = (card, *captured)
    if SETTEBELLO in taken:
        return "take the seven of coins"
    has_seven = any(VALUES[other] == 7 for other in captured)
    has_coins = any(other.startswith("C") for other in captured)
    if has_seven:
        return "take a seven and coins" if has_coins else "take a seven"
    return "take coins" if has_coins else "take other cards"


def _threat(table: Sequence[str]) -> str:
    if not table:
        return "an empty table"
    return "a table of 10 or less" if sum(VALUES[card] for card in table) <= SWEEPABLE else "a table over 10"


def _discard(view: Any, card: str) -> str:
    left = sum(VALUES[other] for other in (*view.table, card))
    kind = "a seven" if VALUES[card] == 7 else "coins" if card.startswith("C") else "another card"
    return f"discard {kind}, leaving {'10 or less' if left <= SWEEPABLE else 'more than 10'}"
