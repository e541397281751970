"""Classify decisions: what was asked, in which kind of position, and what kind of move was made.

A game says it in a module of `arena_insight.weaknesses.games`. Decisions of games from other packages are told apart
by the first words of their moves.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

_MODULES = {
    "cambio": "exchange",
    "cucco": "exchange",
    "cucu": "tokens",
    "lustu": "tokens",
    "perudo": "perudo",
    "scopa": "scopa",
    "coch": "tricks",
    "torionfo": "tricks",
    "zifuli": "tricks",
    "kille": "kille",
    "hypp": "hypp",
}
"""By the name of a game, its module in `games`."""


class Choice(NamedTuple):
    """The class of a decision, in words for people."""

    question: str
    """What the seat was asked, such as "its turn"."""
    position: str
    """What the seat knew that matters most, such as "holding 3"; empty where nothing is told apart."""
    action: str
    """The kind of the move, such as "keep"."""


Classifier = Callable[[Any, Sequence[str], str], Choice]
"""Classifies a decision: the view of the seat, as `State.view` returns it, its legal moves, and its move."""


@cache
def classifier(game: str) -> Classifier:
    """Return what classifies the decisions of a game."""
    if game not in _MODULES:
        return by_first_words
    module = import_module(f"arena_insight.weaknesses.games.{_MODULES[game]}")
    found: Classifier = module.choice
    return found


def by_first_words(_view: Any, legal: Sequence[str], move: str) -> Choice:
    """Classify a decision of any game by the first words of its legal moves and of its move."""
    words = sorted({_first_word(text) for text in legal})
    return Choice(f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else words[0], "", _first_word(move))


def _first_word(move: str) -> str:
    return move.split(" ", 1)[0]
