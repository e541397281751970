"""Actions of OpenSpiel as moves of arena: ASCII words, each move once, whatever its capitals."""

from collections import Counter
from collections.abc import Sequence

import pyspiel


def move_texts(state: pyspiel.State, player: int, actions: Sequence[int]) -> tuple[str, ...]:
    """Return the moves for actions: OpenSpiel's words, with the number of the action where they are not unique."""
    texts = [printable(state.action_to_string(player, action)) for action in actions]
    counted = Counter(text.lower() for text in texts)
    return tuple(
        text if text and counted[text.lower()] == 1 else f"{text} #{action}".strip()
        for text, action in zip(texts, actions, strict=True)
    )


def printable(text: str) -> str:
    """Return a text as ASCII on one line, words separated by single blanks; what is not ASCII is escaped."""
    plain = text.encode("ascii", "backslashreplace").decode()
    return " ".join("".join(sign if sign.isprintable() else " " for sign in plain).split())
