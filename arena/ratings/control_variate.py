"""Control variate: estimate the luck of a deal from how a reference bot scored in it.

The reference plays all seats of every deal by itself. If a seat did better there than it does on average, the bots that
held it in the tournament were lucky, and a fraction of that luck is subtracted from their points: the fraction that
minimises the variance. The mean luck over deals is 0, so on average the Elo does not change and only its noise shrinks.

Source: Hammersley and Handscomb, Monte Carlo Methods (1964), section 5.5; for players of
games of chance: Wolfe, Distinguishing Gamblers from Investors at the Blackjack Table (2002); White and Bowling,
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
from arena.ratings.keyed_sums import Floats
from arena.ratings.solver import (
    build_comparisons,
    pair_residuals,
    solve,
    sum_by_bot,
)
from arena.ratings.totals import Totals
from arena.values.errors import RatingError
from arena.values.result import Result, Team

_BATCH = 1 << 18
"""Pairs whose luck is added at a time."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The luck of each seat or team in each deal, in points of the score; the mean over deals is 0."""

    luck: dict[int, tuple[float, ...]]

    @classmethod
    def of(cls, results: Iterable[Result]) -> "Reference":
        """Estimate luck from the matches of a reference bot against itself.

        Raises RatingError if there are no matches, or if tables differ in size.
        """
        scores: dict[int, tuple[int, ...]] = {}
        matches: Counter[int] = Counter()
        sizes: set[int] = set()
        for deal, _, _, match_scores in results:
            scores[deal] = tuple(map(add, scores[deal], match_scores)) if deal in scores else match_scores
            matches[deal] += 1
            sizes.add(len(match_scores))
        if len(sizes) != 1:
            raise RatingError("a reference must have played matches, and all with the same number of seats")
        mean_scores = np.array(list(scores.values())) / np.array([matches[deal] for deal in scores])[:, None]
        luck = mean_scores - mean_scores.mean(axis=0)
        return cls({deal: tuple(map(float, deal_luck)) for deal, deal_luck in zip(scores, luck, strict=True)})

    def luck_of_pairs(self, results: Iterable[Result], totals: Totals) -> Floats:
        """Return for each pair of a tally the points that its first team owes to luck.

        results: those of the tally.

        Raises RatingError for deals that the reference has not played at tables of that size, and for mixed teams.
        """
        number = {bot: place for place, bot in enumerate(totals.lineup.bots)}
        size = len(number)
        pairs = totals.pairs
        keys = (pairs.deal * size + pairs.first) * size + pairs.second
        sums, batch_keys, batch_luck = np.zeros(len(keys)), array("q"), array("d")

        def add_batch() -> None:
            np.add.at(sums, np.searchsorted(keys, np.array(batch_keys)), np.array(batch_luck))
            del batch_keys[:], batch_luck[:]

        for result in results:
            luck = self.luck.get(result.deal, ())
            if len(luck) != len(result.teams):
                raise RatingError(
                    f"the reference has not played deal {result.deal} at a table of {len(result.teams)}: "
                    "let it play all deals of the tournament"
                )
            bots = [number[_single_bot(team)] for team in result.teams]
            for one, other in combinations(range(len(bots)), 2):
                first, second = bots[one], bots[other]
                if first == second:
                    continue
                advantage = luck[one] - luck[other]
                batch_keys.append((result.deal * size + min(first, second)) * size + max(first, second))
                batch_luck.append(advantage if first < second else -advantage)
            if len(batch_keys) >= _BATCH:
                add_batch()
        add_batch()
        return _scale(totals, sums)


def _single_bot(team: Team) -> str:
    """Return the only bot of a team."""
    if isinstance(team, str):
        return team
    if len(set(team)) > 1:
        raise RatingError("a reference tells luck only where each team is played by one bot (--teams one)")
    return team[0]


def _scale(totals: Totals, luck: Floats) -> Floats:
    """Scale luck to points: regress the bots' residuals in each deal on their luck there (least squares)."""
    comparisons = build_comparisons(totals)
    solution = solve(totals)
    if any(solution.connectivity.bound):
        raise RatingError(
            "a reference tells the luck of bots only where each took points from, and lost points to, others"
        )
    residuals = pair_residuals(totals, comparisons, expected_scores(solution.strengths, comparisons.rows))
    residual_sums, _ = sum_by_bot(totals, comparisons, residuals)
    luck_sums, _ = sum_by_bot(totals, comparisons, luck)
    weight = float(luck_sums @ luck_sums)
    return luck * (float(residual_sums @ luck_sums) / weight if weight else 0.0)
