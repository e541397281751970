"""The decisions of Cambio and Cucco: keep or exchange the card held, call the cuckoo, say "i lose"."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from arena_insight.weaknesses.games.cards import holding
from referee.games.cambio import HOLDER, REBIRTH


def choice(view: Any, _legal: Sequence[str], move: str) -> Choice:
    """Classify a decision by the card held; the last in turn order, who exchanges with the pile, is told apart."""
    if view.stage == REBIRTH:
        return Choice("before the reveal", holding(view.card), move)
    if view.stage == HOLDER:
        return Choice("the cuckoo before another's turn", "", move)
    is_last = bool(view.order) and view.seat == view.order[-1]
    return Choice("its turn, as the last" if is_last else "its turn", holding(view.card), move)
