"""The decisions of Kille: leads, and which of the cards that beat the table is played."""

from collections.abc import Sequence
from typing import Any

from arena_insight.weaknesses.choice import Choice
from arena_insight.weaknesses.games.cards import cards_left, place_among
from referee.games.tricks import CARD


def choice(view: Any, legal: Sequence[str], move: str) -> Choice:
    """Classify a decision by the cards left, and by how strong its card is among those that may be played."""
    place = place_among(CARD[move], [CARD[text] for text in legal])
    return Choice(
        "to follow" if view.table else "to lead",
        cards_left(len(view.hand)),
        f"play its {place} card that may be played",
    )
