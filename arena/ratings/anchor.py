"""Anchor: fix the Elo of one bot and measure all others relative to it."""

from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.ratings.solver import Solution
from arena.values.errors import RatingError


@dataclass(frozen=True, slots=True)
class Anchor:
    """The anchor of a scale: a bot and its Elo, instead of a group mean of 0."""

    bot: str
    elo: float


def apply_anchor(solution: Solution, bots: tuple[str, ...], anchor: Anchor) -> Solution:
    """Return the solution relative to the anchor: strengths and covariance of the differences to it, in its group.

    Raises RatingError if the anchor did not play, or if its own strength is not finite.
    """
    if anchor.bot not in bots:
        matches = get_close_matches(anchor.bot, bots, n=1)
        hint = f'; did you mean "{matches[0]}"?' if matches else f" (bots: {', '.join(bots[:20])})"
        raise RatingError(f'the anchor "{anchor.bot}" played no match{hint}')
    number = bots.index(anchor.bot)
    if solution.connectivity.bound[number]:
        raise RatingError(
            f'the anchor "{anchor.bot}" won or lost everything against others, so nobody can be measured from it'
        )
    in_group = solution.connectivity.group == solution.connectivity.group[number]

    def subtract_anchor(values: Floats) -> Floats:
        relative: Floats = values - np.multiply.outer(in_group, values[number])
        return relative

    return replace(
        solution,
        strengths=subtract_anchor(solution.strengths),
        covariance=subtract_anchor(subtract_anchor(solution.covariance).T).T,
        naive=subtract_anchor(subtract_anchor(solution.naive).T).T,
        offset=np.where(in_group, anchor.elo, 0.0),
    )
