"""Error control for many tests at once: over all pairs of bots (Holm), and over all looks at a growing tournament.

Sources: S. Holm, "A simple sequentially rejective multiple test procedure" (1979). H. Robbins, "Statistical methods
related to the law of the iterated logarithm" (1970), for the normal mixture; R. Johari, L. Pekelis and D. J. Walsh,
"Always valid inference: bringing sequential analysis to A/B testing" (2017), for p-values at any stopping time; S. R.
Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences" (2021),
and I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic
confidence sequences" (2024), for its use with an estimated variance.
"""

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints

ALPHA = 0.05
"""The familywise error rate of simultaneous statements: the probability that any of them is false."""

MIXTURE = 0.5
"""The variance of one look over that of the mixing distribution.

With 0.5 the critical value of a single pair at 5 % lies between 3.0 and 3.5 standard errors for 1 to 300 looks.
"""


def holm(p_values: Floats) -> Floats:
    """Return Holm's adjusted p-values: those up to alpha may be rejected together, at a familywise error of alpha.

    It holds for any dependence between the tests.
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


def adjust_pairs(p_values: Floats, group: Ints) -> Floats:
    """Return Holm's adjusted p-values of all pairs of bots that can be compared, as a symmetric matrix.

    p_values: symmetric, NaN where nothing is known. Such pairs count as tests and stay NaN.
    group: of each bot; bots of different groups never met and are no pair.
    """
    first, second = np.triu_indices(len(group), 1)
    comparable = group[first] == group[second]
    first, second = first[comparable], second[comparable]
    known = p_values[first, second]
    adjusted = np.where(np.isnan(known), np.nan, holm(np.nan_to_num(known, nan=1.0)))
    matrix = np.full_like(p_values, np.nan)
    matrix[first, second] = matrix[second, first] = adjusted
    return matrix


def always_valid(p_values: Floats, looks: float | Floats) -> Floats:
    """Return p-values that are valid at any look, however often the results were tested before and will be later.

    With a true difference of 0 the probability that such a value ever falls to alpha is at most alpha, for a statistic
    that is approximately normal. It is one over the likelihood ratio of a normal mixture of differences to none.

    p_values: two-sided, of the latest look alone.
    looks: the number of looks so far, or the size of all results in units of the first look.
    """
    from scipy.special import ndtri

    with np.errstate(divide="ignore"):
        squared = ndtri(p_values / 2) ** 2
    log_ratio = 0.5 * np.log(MIXTURE / (looks + MIXTURE)) + squared * looks / (2 * (looks + MIXTURE))
    valid: Floats = np.exp(-np.maximum(log_ratio, 0.0))
    return valid
