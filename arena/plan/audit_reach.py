"""What an audit for collusion will be able to see in a tournament, known before its first match."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from arena.ratings.collusion import MIN_DEALS, MIN_EXCESS, MIN_GROUP_DEALS, SIGNIFICANCE
from arena.ratings.keyed_sums import Ints

POWER = 0.8
"""How often an effect of the size that counts as visible is found."""

_WITHIN_DEAL = 0.3
"""The assumed correlation of the results of two bots in different rotations of a deal."""

_MIN_GROUP = 3


@dataclass(frozen=True, slots=True)
class AuditReach:
    """What an audit will see."""

    pairs: int
    """How many pairs of bots meet."""
    tested: int
    """How many pairs meet in enough deals to be tested."""
    common_deals: int
    """The median over all pairs of the deals in which the two meet."""
    visible: float | None
    """The points, as a share of those that the two play for, that one bot of a median tested pair must pass to the
    other for this to be found 4 times in 5; None without a tested pair.
    """
    rounds: int
    """The number of rounds from which the median pair is tested; 0 if it is tested as planned."""
    groups: int
    """The number of authors whose bots, three or more, are tested together."""

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        visible = None if self.visible is None else round(self.visible, 4)
        return {
            "pairs": self.pairs,
            "tested": self.tested,
            "common_deals": self.common_deals,
            "visible": visible,
            "rounds": self.rounds,
            "groups": self.groups,
        }


def audit_reach(meetings: Ints, rotations: int, rounds: int, authors: Mapping[int, str]) -> AuditReach | None:
    """Return what an audit will see; None if there are fewer than three bots, or none of them meet.

    The error of an effect follows from the number of common deals and rotations, and from how much of it the strengths
    explain: two bots that meet each other in a share h of their information leave 1 - h.

    meetings: by bot (row and column), the number of matches in which the two are opponents.
    rotations: the number of matches of a deal.
    rounds: the number of rounds of the tournament.
    authors: the author of each bot, where known.
    """
    from scipy.special import ndtri

    bots = len(meetings)
    first, second = np.triu_indices(bots, 1)
    met = meetings[first, second] > 0
    first, second = first[met], second[met]
    if bots < 3 or not len(first):
        return None
    deals = meetings[first, second] // rotations
    is_tested = deals >= MIN_DEALS
    tested, median = int(is_tested.sum()), int(np.median(deals))
    visible = None
    if tested:
        weights = meetings / 4
        inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
        diagonal = np.diag(inverse)
        explained = weights[first, second] * (diagonal[first] + diagonal[second] - 2 * inverse[first, second])
        variance = (_WITHIN_DEAL + (1 - _WITHIN_DEAL) / rotations) / 4 / deals / np.maximum(1 - explained, 1e-3)
        tests = 2 * tested  # flow and together
        needed = -ndtri(SIGNIFICANCE / tests / 2) + ndtri(POWER)
        visible = max(MIN_EXCESS, float(needed * np.sqrt(np.median(variance[is_tested]))))
    per_round = float(np.median(meetings[first, second])) / rotations / rounds
    return AuditReach(
        pairs=len(first),
        tested=tested,
        common_deals=median,
        visible=visible,
        rounds=0 if median >= MIN_DEALS else ceil(MIN_DEALS / per_round),
        groups=_tested_groups(meetings // rotations, authors),
    )


def _tested_groups(deals: Ints, authors: Mapping[int, str]) -> int:
    """Return how many authors have enough bots that meet in enough deals."""
    groups: dict[str, list[int]] = {}
    for bot, author in authors.items():
        if author:
            groups.setdefault(author, []).append(bot)
    return sum(
        len(group) >= _MIN_GROUP and int(deals[np.ix_(group, group)].sum()) // 2 >= MIN_GROUP_DEALS
        for group in groups.values()
    )


def reach_text(reach: AuditReach) -> str:
    """Return what an audit will see, in a sentence."""
    if reach.visible is None:
        seen = (
            f"no two bots meet in {MIN_DEALS} deals (the median pair in {reach.common_deals}), so an audit can test no "
            f"pair; most can be tested from {reach.rounds:,} rounds on"
        )
    else:
        seen = (
            f"an audit tests {reach.tested:,} of {reach.pairs:,} pairs, and finds a bot that passes about "
            f"{100 * reach.visible:.0f} % of the points to another 4 times in 5"
        )
    groups = f"; the bots of {reach.groups} authors are also tested together" if reach.groups else ""
    return f"collusion: {seen}{groups}"
