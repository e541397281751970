"""Why a card of one's own cannot be played, or a move is not offered, at a question to a person.

What is legal the rules alone say: a reason is given only for what they do not offer.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

Reasons: TypeAlias = Callable[[Any, Any], str]
"""Called with the view of a seat and the options of its match; returns a reason, "" where there is none."""

NAMES_CARD = re.compile(r"(?:play|bid|discard) (\S+)")
"""The beginning of a move that names a card of the hand."""

NOT_PLAYED = "Cards are not played here: choose one of the moves"


def playable(legal: Sequence[str]) -> frozenset[str]:
    """Return the faces of the cards that legal moves play, bid or discard."""
    return frozenset(found[1] for move in legal if (found := NAMES_CARD.match(move)))


def refused_cards(
    shown: Sequence[str], legal: Sequence[str], reason: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield the face and the reason of each card shown that no legal move names. reason: called with a face."""
    allowed = playable(legal)
    for face in dict.fromkeys(shown):
        if face not in allowed:
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
