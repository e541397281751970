"""arena's SPRT and ratings on pairs of games against those of fastchess, the manager of engine matches.

The values are those of fastchess' own code, revision 74deac23 of 29 July 2026 (app/src/matchmaking/sprt and elo),
compiled and called with these pairs: pentanomial, alpha and beta 0.05. It finds theta to 0.001 only with the model
"logistic", which is why a long test differs by more.
"""

import math
from itertools import pairwise

import pytest

from arena.ratings import Result, Tally, fit_ranking
from arena.ratings.sprt import DealScores, Sprt
from arena.values.stop_rule import Model

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

Pairs = tuple[int, int, int, int, int]
"""Pairs by points of the first engine: 0, 1/2, 1, 3/2, 2."""

FASTCHESS: list[tuple[Pairs, Model, float, float, float]] = [
    ((10, 40, 60, 40, 15), "logistic", 0, 10, 0.278225),
    ((3, 20, 50, 31, 6), "logistic", 0, 5, 0.559871),
    ((127, 4883, 10712, 5150, 104), "logistic", 0, 2, 2.209304),
    ((0, 4, 20, 9, 2), "logistic", 0, 10, 0.895748),
    ((365, 16618, 36229, 16974, 390), "logistic", 0, 2, -0.005251),
    ((2, 3, 4, 20, 30), "logistic", -3, 3, 0.916802),
    ((30, 12, 10, 3, 0), "logistic", 0, 10, -1.605463),
    ((0, 1, 4, 2, 1), "logistic", 0, 50, 0.760738),
    ((0, 0, 1, 3, 4), "logistic", 0, 100, 1.975382),
    ((10, 40, 60, 40, 15), "normalized", 0, 10, 0.253874),
    ((3, 20, 50, 31, 6), "normalized", 0, 5, 0.365107),
    ((365, 16618, 36229, 16974, 390), "normalized", 0, 2, 2.250368),
    ((127, 4883, 10712, 5150, 104), "normalized", -1.75, 0.25, 3.010154),
    ((0, 4, 20, 9, 2), "normalized", 0, 10, 0.481370),
    ((2, 3, 4, 20, 30), "normalized", -3, 3, 1.075058),
    ((30, 12, 10, 3, 0), "normalized", 0, 10, -1.814290),
    ((0, 0, 0, 0, 5550), "normalized", 0, 5, 111.797555),
    ((0, 1, 4, 2, 1), "normalized", 0, 50, 0.566630),
]
"""Pairs, the test, and fastchess' log-likelihood ratio."""

FASTCHESS_GAMES = [
    ((36433, 36027, 68692), "normalized", 0, 2, 0.92),
    ((10871, 10650, 20431), "normalized", -1.75, 0.25, 2.30),
    ((4250, 0, 0), "normalized", 0, 10, 120.56),
    ((21404, 21184, 40708), "logistic", 0.5, 2.5, -1.57),
    ((57433, 57030, 106593), "logistic", 0, 2, -2.59),
]
"""Wins, losses and draws, and the ratio in fastchess' own test (app/tests/sprt_test.cpp), to 1 %."""

FASTCHESS_ELO = [
    ((34, 54, 63, 64, 75), 55.5798, 27.6534, 57.9356, 28.2754, 1.0000),
    ((332, 433, 498, 333, 334), -8.6427, 10.3342, -9.1729, 10.9605, 0.0505),
    ((7895, 8757, 5685, 568, 9999), -21.0435, 2.9453, -19.0128, 2.6545, 0.0000),
    ((10, 40, 60, 40, 15), 10.5316, 27.7226, 14.2795, 37.4857, 0.7724),
    ((365, 16618, 36229, 16974, 390), 0.9993, 0.9231, 1.9623, 1.8125, 0.9831),
]
"""Pairs, and fastchess' Elo, nElo, half the widths of their 95 % intervals, and LOS; the first three are those of
app/tests/elo_test.cpp."""


def deals(pairs: Pairs) -> DealScores:
    return DealScores.of(dict(zip(SCORES, pairs, strict=True)))


@pytest.mark.parametrize(("pairs", "model", "elo0", "elo1", "llr"), FASTCHESS)
def test_the_ratio_is_that_of_fastchess(pairs: Pairs, model: Model, elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1, model=model).llr(deals(pairs)) == pytest.approx(llr, abs=1e-3)


@pytest.mark.parametrize(("games", "model", "elo0", "elo1", "llr"), FASTCHESS_GAMES)
def test_the_ratio_of_games_is_that_of_fastchess(
    games: tuple[int, int, int], model: Model, elo0: float, elo1: float, llr: float
) -> None:
    scores = DealScores.of(dict(zip((1.0, 0.0, 0.5), games, strict=True)), each=1)
    assert Sprt(elo0, elo1, model=model).llr(scores) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(("pairs", "elo", "bar", "nelo", "nelo_bar", "los"), FASTCHESS_ELO)
def test_elo_bars_and_los_are_those_of_fastchess(
    pairs: Pairs, elo: float, bar: float, nelo: float, nelo_bar: float, los: float
) -> None:
    """Bars here come from Student's t and the spread over n - 1 pairs, which makes 1 % for 165 pairs; that of nElo
    counts that the spread was estimated, too, which makes 4 % where pairs are as uneven as the first ones."""
    total = sum(pairs)
    if total < 5000:
        ranks = [((1, 2), (1, 2)), ((1, 2), (1, 1)), ((1, 1), (1, 1)), ((1, 1), (2, 1)), ((2, 1), (2, 1))]
        results = [
            Result(deal, ("b", "a"), rank, (0, 0))
            for deal, kind in enumerate(kind for kind, count in enumerate(pairs) for _ in range(count))
            for rank in ranks[kind]
        ]
        table = fit_ranking(Tally(results))
        rows = {row.bot: row for row in table.rows}
        assert rows["a"].elo - rows["b"].elo == pytest.approx(elo, abs=0.001)
        assert rows["a"].ci95 is not None
        assert 2 * rows["a"].ci95 == pytest.approx(bar, rel=0.015)
        order = [row.bot for row in table.rows]
        assert table.los[order.index("a"), order.index("b")] == pytest.approx(los, abs=0.002)
    found = deals(pairs).nelo()
    assert found is not None
    found_nelo, found_bar = found
    assert found_nelo == pytest.approx(nelo, rel=1 / total, abs=1e-4)
    assert found_bar == pytest.approx(nelo_bar, rel=0.05)


@pytest.mark.parametrize(("pairs", "model", "elo0", "elo1", "llr"), FASTCHESS[:9])
def test_the_ratio_is_that_of_the_published_formula(
    pairs: Pairs, model: Model, elo0: float, elo1: float, llr: float
) -> None:
    """Source: M. Van den Bergh, "Comparing the approximations for the GLLR of a multinomial distribution", 1.2, 1.3."""
    counts = [count or 1e-3 for count in pairs]
    total = sum(counts)
    logs = [[math.log(p) for p in _most_likely([count / total for count in counts], elo)] for elo in (elo0, elo1)]
    exact = sum(count * (one - zero) for count, zero, one in zip(counts, *logs, strict=True))
    assert Sprt(elo0, elo1).llr(deals(pairs)) == pytest.approx(exact, abs=0.0005)


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
    verdicts = [test.verdict(deals((1, 10, 30, more, 10))) for more in (10, 200, 2000)]
    assert all(one <= two for one, two in pairwise(verdicts))
    assert verdicts[-1] == "H1"
