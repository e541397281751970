"""What bots say of their positions, in centipawns from their own side, and the adjudication that follows from it.

A bot says its score with its move, in the words of UCI: `cp 35`, `mate -3`. Anything else is no score. It may also say
`resign`, or offer a draw: `draw`, `cp 0 draw`. To lie gains nothing: a bot can only resign for itself, and a draw needs
both.

Source: the rules are those of fastchess (`-resign`, `-draw`), as its `ResignTracker` and `DrawTracker` count; only that
a score which is a bound is none.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

MATE = 100_000
"""The score of a mate, less the moves to it."""

LONGEST_MATE = 999
"""The most moves to a mate that scores tell apart."""

_SAID = re.compile(r"(cp|mate) ([+-]?\d{1,6})")

RESIGN, DRAW = "resign", "draw"
"""What a bot says that gives up, in place of its move, and that offers a draw, with its move."""

Scores = Sequence[int | None]
"""The scores of the moves of a side, None where it said none."""


def parse_score(words: str) -> int | None:
    """Return the score that a bot said; None for anything else."""
    found = _SAID.fullmatch(words.strip().removesuffix(f" {DRAW}"))
    if found is None:
        return None
    value = int(found[2])
    if found[1] == "cp":
        most = MATE - LONGEST_MATE - 1
        return max(-most, min(most, value))
    moves = min(abs(value), LONGEST_MATE)
    return MATE - moves if value > 0 else moves - MATE


def parse_wish(words: str) -> str:
    """Return whether a bot gives up (`RESIGN`) or offers a draw (`DRAW`); "" for neither."""
    last = words.split()[-1:]
    return last[0] if last in ([RESIGN], [DRAW]) else ""


class Adjudication(NamedTuple):
    """When a game is ended by scores. A number of moves of 0 turns a rule off."""

    resign_moves: int = 0
    """How many moves in a row a side must have said -`resign_score` or less, from its point of view, to lose."""
    resign_score: int = 600
    """The centipawns by which a side is lost. A mate is more than any."""
    draw_moves: int = 0
    """How many moves in a row both sides must have said at most `draw_score` from 0, after move `draw_from`."""
    draw_score: int = 10
    """The centipawns within which a game is drawn."""
    draw_from: int = 40
    """The number of the last move of the game before it can be drawn."""
    two_sided: bool = False
    """Whether both sides must have said `resign_score` or more, from zero, in so many moves in a row."""

    def resigns(self, own: Scores, other: Scores) -> bool:
        """Tell whether the side that has just moved resigns.

        own, other: the scores of that side and of the other one.
        """
        count = self.resign_moves
        if not count or not own or own[-1] is None or not -MATE < own[-1] < 0:
            return False
        if self.two_sided:
            return all(
                len(last) == count and all(score is not None and abs(score) >= self.resign_score for score in last)
                for last in (own[-count:], other[-count:])
            )
        last = own[-count:]
        # "mate 0" says that somebody is mated, and not who.
        return len(last) == count and all(score is not None and -MATE < score <= -self.resign_score for score in last)

    def agree_on_draw(self, said: Sequence[Scores], move: int, quiet: int) -> bool:
        """Tell whether both sides agree on a draw.

        said: the scores of each side.
        move: the number of the move now.
        quiet: how many moves, of both sides, have been made since a capture or a pawn's move; such a move begins a row.
        """
        count = self.draw_moves
        if not count or move <= self.draw_from or quiet < 2 * count - 1:
            return False
        return all(
            len(last) == count and all(score is not None and abs(score) <= self.draw_score for score in last)
            for last in (scores[-count:] for scores in said)
        )
