"""Why a card of one's own cannot be played, or a move is not offered, at a question to a person.

What is legal the rules alone say: a reason is given only for what they do not offer.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeAlias

Reasons: TypeAlias = Callable[[Any, Any], str]
"""Called with the view of a seat and the options of its match; returns a reason, "" where there is none."""

NOT_PLAYED = "Cards are not played here: choose one of the moves"


def refused_cards(
    shown: Sequence[str], named: Collection[str | None], reason: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield the face and the reason of each card shown that no legal move names.

    named: the cards that legal moves name.
    reason: returns the reason for a face; "" if it is the usual one.
    """
    for face in dict.fromkeys(shown):
        if face not in named:
            yield face, reason(face) or NOT_PLAYED


def refused_moves(
    known: Sequence[tuple[str, Reasons]], view: Any, legal: Sequence[str], options: Any
) -> Iterator[tuple[str, str]]:
    """Yield the moves that are not offered now, with the reason.

    known: the moves of the game that a person may miss, each as the first words of a move, with its reason.
    """
    for words, reason in known:
        if not any(move == words or move.startswith(f"{words} ") for move in legal) and (why := reason(view, options)):
            yield words, why
