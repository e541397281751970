"""arena's SPRT on pairs of games against that of fastchess, the manager of engine matches.

The values are those of fastchess' own code (revision of 29 July 2026, model "logistic", pentanomial, alpha and beta
0.05). It finds theta to 0.001 only, which is why a long test differs by more.
"""

import math
from itertools import pairwise

import pytest

from arena.ratings.sprt import Sprt

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

FASTCHESS = [
    ((10, 40, 60, 40, 15), 0, 10, 0.2782),
    ((3, 20, 50, 31, 6), 0, 5, 0.5599),
    ((127, 4883, 10712, 5150, 104), 0, 2, 2.2093),
    ((0, 4, 20, 9, 2), 0, 10, 0.8957),
    ((365, 16618, 36229, 16974, 390), 0, 2, -0.0053),
    ((2, 3, 4, 20, 30), -3, 3, 0.9168),
    ((30, 12, 10, 3, 0), 0, 10, -1.6055),
]
"""Pairs by points of the first engine (0, 1/2, 1, 3/2, 2), elo0, elo1, and fastchess' log-likelihood ratio."""


@pytest.mark.parametrize(("pairs", "elo0", "elo1", "llr"), FASTCHESS)
def test_the_ratio_is_that_of_fastchess(pairs: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    ours = Sprt(elo0, elo1).llr(dict(zip(SCORES, pairs, strict=True)))
    assert ours == pytest.approx(llr, abs=0.001)


@pytest.mark.parametrize(("pairs", "elo0", "elo1", "llr"), FASTCHESS)
def test_the_ratio_is_that_of_the_published_formula(
    pairs: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    """Source: M. Van den Bergh, "Comparing the approximations for the GLLR of a multinomial distribution", 1.2, 1.3."""
    counts = [count or 1e-3 for count in pairs]
    total = sum(counts)
    logs = [[math.log(p) for p in _most_likely([count / total for count in counts], elo)] for elo in (elo0, elo1)]
    exact = sum(count * (one - zero) for count, zero, one in zip(counts, *logs, strict=True))
    assert Sprt(elo0, elo1).llr(dict(zip(SCORES, pairs, strict=True))) == pytest.approx(exact, abs=0.0005)


def _most_likely(shares: list[float], elo: float) -> list[float]:
    mean = 1 / (1 + 10 ** (-elo / 400))
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(200):
        theta = (low + high) / 2
        rests = zip(shares, (score - mean for score in SCORES), strict=True)
        slope = sum(share * rest / (1 + theta * rest) for share, rest in rests)
        low, high = (theta, high) if slope > 0 else (low, theta)
    return [share / (1 + theta * (score - mean)) for share, score in zip(shares, SCORES, strict=True)]


def test_the_bounds_are_those_of_fastchess() -> None:
    test = Sprt(0, 5)
    assert (round(test.lower, 2), round(test.upper, 2)) == (-2.94, 2.94)
    verdicts = [test.verdict(dict(zip(SCORES, (1, 10, 30, more, 10), strict=True))) for more in (10, 200, 2000)]
    assert all(one <= two for one, two in pairwise(verdicts))
    assert verdicts[-1] == "H1"
