"""Anchor: fix the Elo of one bot and measure all others relative to it."""

from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np

from arena.ratings.errors import RatingError
from arena.ratings.solver import Solution


@dataclass(frozen=True, slots=True)
class Anchor:
    """The anchor of a scale: a bot and its Elo, instead of a group mean of 0."""

    bot: str
    elo: float


def apply_anchor(solution: Solution, bots: tuple[str, ...], anchor: Anchor) -> Solution:
    """Return the solution as seen from the anchor: its group's strengths, and what is known of their differences to it.

    Raises RatingError where the anchor did not play, or where its own strength has no end.
    """
    if anchor.bot not in bots:
        near = get_close_matches(anchor.bot, bots, n=1)
        hint = f'; did you mean "{near[0]}"?' if near else f" (bots: {', '.join(bots[:20])})"
        raise RatingError(f'the anchor "{anchor.bot}" played no match{hint}')
    place = bots.index(anchor.bot)
    if solution.connection.bound[place]:
        raise RatingError(
            f'the anchor "{anchor.bot}" won or lost everything against others, so nobody can be measured from it'
        )
    together = solution.connection.group == solution.connection.group[place]
    seen = np.eye(len(bots))
    seen[together, place] -= 1.0
    return replace(
        solution,
        strengths=seen @ solution.strengths,
        covariance=seen @ solution.covariance @ seen.T,
        naive=seen @ solution.naive @ seen.T,
        offset=np.where(together, anchor.elo, 0.0),
    )
