"""Control variate: estimate the luck of a deal from how a reference bot scored in it.

The reference plays all seats of every deal by itself. Where its seat did better than that seat does on average, whoever
sat there in the tournament was dealt luck, and part of it is taken away: as much as makes the bars smallest. On average
over deals nothing is taken from anybody, so the Elo stays what it was and only its noise shrinks.

Source: Hammersley and Handscomb, Monte Carlo Methods (1964), section 5.5; that the rivals of a game of chance may be
compared in this way: Wolfe, Distinguishing Gamblers from Investors at the Blackjack Table (2002); White and Bowling,
Learning a Value Analysis Tool for Agent Evaluation (2009).
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from operator import add

import numpy as np

from arena.ratings.bradley_terry import expected_scores
from arena.ratings.errors import RatingError
from arena.ratings.keyed_sums import Floats
from arena.ratings.result import Result, Team
from arena.ratings.solver import (
    build_comparisons,
    pair_residuals,
    solve,
    sum_by_bot,
)
from arena.ratings.totals import Totals

_TOGETHER = 1 << 18
"""Pairs whose luck is added up at a time."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The luck of each seat, or team, of each deal, in points of the score; the mean over deals is 0."""

    luck: dict[int, tuple[float, ...]]

    @classmethod
    def of(cls, results: Iterable[Result]) -> "Reference":
        """Return what the matches of a reference bot against itself say.

        Raises RatingError where they cannot say anything: no matches, or tables that differ in size.
        """
        scores: dict[int, tuple[int, ...]] = {}
        matches: Counter[int] = Counter()
        sizes: set[int] = set()
        for deal, _, _, made in results:
            scores[deal] = tuple(map(add, scores[deal], made)) if deal in scores else made
            matches[deal] += 1
            sizes.add(len(made))
        if len(sizes) != 1:
            raise RatingError("a reference must have played matches, and all with the same number of seats")
        deals = np.array(list(scores.values())) / np.array([matches[deal] for deal in scores])[:, None]
        luck = deals - deals.mean(axis=0)
        return cls({deal: tuple(map(float, line)) for deal, line in zip(scores, luck, strict=True)})

    def luck_of_pairs(self, results: Iterable[Result], totals: Totals) -> Floats:
        """Return for each pair of a tally the points that the first owes to luck.

        results: what was tallied.

        Raises RatingError for deals that the reference has not played, or not at tables of that size, and for mixed
        teams.
        """
        number = {bot: place for place, bot in enumerate(totals.lineup.bots)}
        size = len(number)
        pairs = totals.pairs
        keys = (pairs.deal * size + pairs.first) * size + pairs.second
        sums, where, what = np.zeros(len(keys)), array("q"), array("d")

        def add_up() -> None:
            np.add.at(sums, np.searchsorted(keys, np.array(where)), np.array(what))
            del where[:], what[:]

        for result in results:
            luck = self.luck.get(result.deal, ())
            if len(luck) != len(result.teams):
                raise RatingError(
                    f"the reference has not played deal {result.deal} at a table of {len(result.teams)}: "
                    "let it play all deals of the tournament"
                )
            bots = [number[_only(team)] for team in result.teams]
            for one, other in combinations(range(len(bots)), 2):
                first, second = bots[one], bots[other]
                if first == second:
                    continue
                more = luck[one] - luck[other]
                where.append((result.deal * size + min(first, second)) * size + max(first, second))
                what.append(more if first < second else -more)
            if len(where) >= _TOGETHER:
                add_up()
        add_up()
        return _scaled(totals, sums)


def _only(team: Team) -> str:
    """Return the bot that plays the whole team."""
    if isinstance(team, str):
        return team
    if len(set(team)) > 1:
        raise RatingError("a reference tells luck only where each team is played by one bot (--teams one)")
    return team[0]


def _scaled(totals: Totals, luck: Floats) -> Floats:
    """Return luck in points: by least squares of the bots' surplus in each deal on the luck they had there."""
    comparisons = build_comparisons(totals)
    solution = solve(totals)
    if any(solution.connection.bound):
        raise RatingError(
            "a reference tells the luck of bots only where each took points from, and lost points to, others"
        )
    residuals = pair_residuals(totals, comparisons, expected_scores(solution.strengths, comparisons.rows))
    made, _ = sum_by_bot(totals, comparisons, residuals)
    dealt, _ = sum_by_bot(totals, comparisons, luck)
    weight = float(dealt @ dealt)
    return luck * (float(made @ dealt) / weight if weight else 0.0)
