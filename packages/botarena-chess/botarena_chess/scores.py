"""What bots say of their positions, in centipawns from their own side, and the adjudication that follows from it.

A bot says its score with its move, in the words of UCI: `cp 35`, `mate -3`. Anything else is no score. To lie gains
nothing: a bot can only resign for itself, and a draw needs both.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

MATE = 100_000
"""The score of a mate, less the moves to it."""

_SAID = re.compile(r"(cp|mate) ([+-]?\d{1,6})")


def parse_score(words: str) -> int | None:
    """Return the score that a bot said; None for anything else."""
    found = _SAID.fullmatch(words.strip())
    if found is None:
        return None
    value = int(found[2])
    if found[1] == "cp":
        return max(-MATE, min(MATE, value))
    return (MATE - value) if value > 0 else -(MATE + value)


class Adjudication(NamedTuple):
    """When a game is ended by scores. A number of moves of 0 turns a rule off."""

    resign_moves: int
    """How many moves in a row a side must have said -`resign_score` or less, from its point of view, to lose."""
    resign_score: int
    """The centipawns by which a side is lost."""
    draw_moves: int
    """How many moves in a row both sides must have said at most `draw_score` from 0, from move `draw_from` on."""
    draw_score: int
    """The centipawns within which a game is drawn."""
    draw_from: int

    def resigns(self, said: Sequence[int | None]) -> bool:
        """Tell whether a side resigns.

        said: the scores of its moves, None where it said none.
        """
        last = said[-self.resign_moves :]
        return 0 < self.resign_moves == len(last) and all(
            score is not None and score <= -self.resign_score for score in last
        )

    def agree_on_draw(self, said: Sequence[Sequence[int | None]], move: int) -> bool:
        """Tell whether both sides agree on a draw.

        said: the scores of each side.
        move: the number of the move now.
        """
        if not self.draw_moves or move < self.draw_from:
            return False
        last = [scores[-self.draw_moves :] for scores in said]
        return all(
            len(scores) == self.draw_moves
            and all(score is not None and abs(score) <= self.draw_score for score in scores)
            for scores in last
        )
