"""Compare how often two sides chose an action in the same kinds of positions.

Decisions of one deal depend on each other, so deals are the unit of sampling: the variance of a difference of two
frequencies is estimated from the residuals of each deal (linearisation of a ratio estimator, stratified by position;
W. G. Cochran, "Sampling techniques", 3rd edition, 1977, section 6). It is never taken to be less than that of
independent decisions without a difference, which keeps the test honest where one side always does the same. Student's
t with the deals less one as degrees of freedom gives the p-value.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.keyed_sums import Floats

MIN_DECISIONS = 5
"""Decisions that each side must have made in a kind of position, for it to be compared."""

MIN_DEALS = 8
"""Deals that a comparison needs."""


@dataclass(frozen=True, slots=True)
class FrequencyDifference:
    """How often two sides chose an action, weighted by the positions of the first."""

    own: float
    """The frequency of the first side, from 0 to 1."""
    other: float
    """The frequency of the other side, from 0 to 1."""
    own_count: int
    """How often the first side chose the action."""
    own_decisions: int
    """How many decisions of the first side are compared."""
    other_count: int
    """How often the other side chose the action."""
    other_decisions: int
    """How many decisions of the other side are compared."""
    error: float
    """The standard error of the difference."""
    p_value: float
    """The p-value of the difference, two-sided."""

    @property
    def difference(self) -> float:
        """How much more often the first side chose the action."""
        return self.own - self.other


def compare_frequencies(
    own_actions: Floats, own_decisions: Floats, other_actions: Floats, other_decisions: Floats
) -> FrequencyDifference | None:
    """Compare the frequencies of an action; None where there are too few decisions or deals.

    own_actions, other_actions: how often each side chose the action.
    own_decisions, other_decisions: how often each side decided.

    All have one row per kind of position and one column per deal.
    """
    own_total, other_total = own_decisions.sum(axis=1), other_decisions.sum(axis=1)
    enough = (own_total >= MIN_DECISIONS) & (other_total >= MIN_DECISIONS)
    own_actions, own_decisions, other_actions, other_decisions = (
        counts[enough] for counts in (own_actions, own_decisions, other_actions, other_decisions)
    )
    own_total, other_total = own_total[enough], other_total[enough]
    deals = int(((own_decisions.sum(axis=0) > 0) | (other_decisions.sum(axis=0) > 0)).sum())
    if not enough.any() or deals < MIN_DEALS:
        return None
    weights = own_total / own_total.sum()
    own_rates, other_rates = own_actions.sum(axis=1) / own_total, other_actions.sum(axis=1) / other_total
    variance = max(
        _variance_over_deals(
            (weights / own_total) @ (own_actions - own_rates[:, None] * own_decisions)
            - (weights / other_total) @ (other_actions - other_rates[:, None] * other_decisions),
            deals,
        ),
        _variance_without_difference(
            own_actions.sum(axis=1), own_total, other_actions.sum(axis=1), other_total, weights
        ),
    )
    own, other = float(weights @ own_rates), float(weights @ other_rates)
    return FrequencyDifference(
        own,
        other,
        int(own_actions.sum()),
        int(own_total.sum()),
        int(other_actions.sum()),
        int(other_total.sum()),
        float(np.sqrt(variance)),
        _p_value(own - other, variance, deals),
    )


def _variance_over_deals(residuals: Floats, deals: int) -> float:
    return float(deals / (deals - 1) * (residuals**2).sum())


def _variance_without_difference(
    own: Floats, own_total: Floats, other: Floats, other_total: Floats, weights: Floats
) -> float:
    """Return the variance of the difference if both sides chose alike and each decision were independent."""
    pooled = (own + other) / (own_total + other_total)
    return float((weights**2 * pooled * (1 - pooled) * (1 / own_total + 1 / other_total)).sum())


def _p_value(difference: float, variance: float, deals: int) -> float:
    from scipy.special import stdtr

    if variance == 0:  # both sides always, or never, chose the action
        return 1.0
    return float(2 * stdtr(deals - 1, -abs(difference) / np.sqrt(variance)))
