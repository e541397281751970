"""A reference bot's play of the same deals: less noise, the same Elo."""

from collections.abc import Iterator

import numpy as np
import pytest

from arena.ratings.control_variate import Reference
from arena.ratings.ranking import ELO_PER_NAT, Ranking, fit_ranking
from arena.ratings.source import ResultSource
from arena.ratings.tally import Tally
from arena.ratings.variance_reduction import (
    reductions_csv,
    reductions_json,
    reductions_text,
    variance_reductions,
)
from arena.values.errors import RatingError
from arena.values.result import Result

TRUTH = {"strong": 80.0, "weak": -80.0}


def played(deals: int, random: np.random.Generator, share: float) -> tuple[list[Result], list[Result]]:
    """Return matches of two bots that change seats from deal to deal, and what a reference made of the same deals.

    The chance of winning is exactly the model's.

    share: of the luck's variance that the reference sees.
    """
    from scipy.special import ndtr

    matches, reference = [], []
    cards, chance = random.standard_normal((deals, 2, 2)).transpose(1, 0, 2)
    luck = -np.log(-np.log(ndtr(share**0.5 * cards + (1 - share) ** 0.5 * chance)))
    for deal in range(deals):
        bots = ("strong", "weak") if deal % 2 else ("weak", "strong")
        made = [TRUTH[bot] / ELO_PER_NAT + mine for bot, mine in zip(bots, luck[deal], strict=True)]
        ranks = (1, 2) if made[0] > made[1] else (2, 1)
        matches.append(Result(deal, bots, ranks, (0, 0)))
        reference.append(Result(deal, ("r", "r"), (1, 1), (round(100 * cards[deal, 0]), round(100 * cards[deal, 1]))))
    return matches, reference


def rated(matches: list[Result], reference: list[Result] | None = None) -> Ranking:
    tally = Tally(matches)
    if reference is None:
        return fit_ranking(tally)
    return fit_ranking(tally, luck=Reference.of(reference).luck_of_pairs(matches, tally.totals()))


def _elo_of_strong(table: Ranking) -> float:
    (elo,) = (row.elo for row in table.rows if row.bot == "strong")
    return elo


def simulated(share: float, tournaments: int) -> Iterator[tuple[Ranking, Ranking]]:
    random = np.random.default_rng(5)
    for _ in range(tournaments):
        matches, reference = played(100, random, share)
        yield rated(matches), rated(matches, reference)


@pytest.mark.slow
def test_the_elo_stays_right_and_its_bars_shrink() -> None:
    found = list(simulated(0.8, 150))
    plain, better = np.array([[_elo_of_strong(table) for table in tables] for tables in found]).T
    assert abs(plain.mean() - 80) < 5
    assert abs(better.mean() - 80) < 5
    assert better.std() < 0.8 * plain.std()  # 64 % of the variance
    bars = np.array([table.rows[0].ci95 for _, table in found], np.float64)
    assert 0.92 < np.mean(np.abs(better - 80) <= bars) < 0.98  # the shrunken bars hold what they promise


def test_a_reference_that_sees_nothing_changes_next_to_nothing() -> None:
    bars = np.array([[table.rows[0].ci95 for table in tables] for tables in simulated(0.0, 40)], np.float64)
    assert abs(np.mean(bars[:, 1] / bars[:, 0]) - 1) < 0.02


def test_luck_is_measured_from_the_mean_of_the_seat() -> None:
    reference = [Result(deal, ("r", "r"), (1, 2), (10 + deal, 4 - deal)) for deal in (0, 2)]
    assert Reference.of(reference).luck == {0: (-1.0, 1.0), 2: (1.0, -1.0)}


def test_savings_add_up() -> None:
    random = np.random.default_rng(1)
    matches, reference = played(400, random, 0.8)
    strong, weak = variance_reductions(ResultSource(lambda: matches), Reference.of(reference))
    assert (strong.bot, strong.matches, strong.rotations, strong.common) == ("strong", 400, 0.0, 0.0)
    assert strong.reference == pytest.approx(weak.reference)
    (row, _) = rated(matches).rows
    (less, _) = rated(matches, reference).rows
    assert row.ci95 is not None
    assert less.ci95 is not None
    assert strong.equivalent_matches == pytest.approx(400 * (row.ci95 / less.ci95) ** 2)
    assert "by reference" in reductions_text((strong, weak))
    assert reductions_json((strong, weak))[0]["reference"] == round(strong.reference or 0, 2)
    assert reductions_csv((strong, weak)).startswith("bot,matches,worth,rotations,common,reference\nstrong,400,")


def test_rotations_save_where_luck_stays_with_the_seat() -> None:
    random = np.random.default_rng(2)
    once, rotated = [], []
    for deal in range(200):
        lucky = int(random.integers(2))  # who sits there wins, but once in five
        for rotation in range(2):
            bots = ("a", "b") if rotation == 0 else ("b", "a")
            winner = lucky if random.random() < 0.8 else 1 - lucky
            rotated.append(Result(deal, bots, (1, 2) if winner == 0 else (2, 1), (0, 0)))
        once.append(rotated[-1 - deal % 2])
    (saved, _), (nothing, _) = (
        variance_reductions(ResultSource(lambda: rotated)),
        variance_reductions(ResultSource(lambda: once)),
    )
    # The variance of a deal's sum: 0.32 of a point and not 0.5, so 400 matches are worth 625 (within their error).
    assert saved.equivalent_matches == pytest.approx(625, rel=0.15)
    assert saved.rotations == pytest.approx(saved.equivalent_matches - 400)
    assert saved.common == 0.0
    assert (nothing.equivalent_matches, nothing.reference) == (200, None)
    assert "by reference" not in reductions_text([nothing])


def test_common_deals_are_told_from_rotations() -> None:
    random = np.random.default_rng(3)
    results = []
    for deal in range(100):
        up = bool(random.integers(2))  # what is good for a and c comes to both tables, as bad or as good
        for pair in (("a", "b"), ("d", "c")):
            results.append(Result(deal, pair, (1, 2) if up else (2, 1), (0, 0)))
        results.append(Result(deal, ("a", "c"), (1, 2) if random.integers(2) else (2, 1), (0, 0)))
    found = variance_reductions(ResultSource(lambda: results))
    assert all(saving.rotations == pytest.approx(0) for saving in found)
    assert any(abs(saving.common) > 1 for saving in found)


ONE = [Result(deal, ("a", "b"), (1, 2), (0, 0)) for deal in range(20)]


@pytest.mark.parametrize(
    ("matches", "reference", "sentence"),
    [
        (ONE, [], "a reference must have played matches"),
        (ONE, [Result(0, ("r", "r"), (1, 2), (0, 0)), Result(1, ("r",) * 3, (1, 2, 3), (0, 0, 0))], "same number"),
        (ONE, [Result(0, ("r", "r"), (1, 2), (0, 0))], "the reference has not played deal 1 at a table of 2"),
        (ONE, [Result(deal, ("r", "r"), (1, 2), (deal, 0)) for deal in range(20)], "only where each took points"),
        (
            [Result(0, (("a", "b"), ("c", "d")), (1, 2), (0, 0))],
            [Result(0, ("r", "r"), (1, 2), (0, 0))],
            "each team is played by one bot",
        ),
    ],
)
def test_what_a_reference_cannot_tell(matches: list[Result], reference: list[Result], sentence: str) -> None:
    with pytest.raises(RatingError, match=sentence):
        rated(matches, reference)


def test_teams_of_one_bot_are_told() -> None:
    random = np.random.default_rng(7)
    matches, reference = played(100, random, 0.8)
    teams = [match._replace(teams=tuple((str(bot), str(bot)) for bot in match.teams)) for match in matches]
    assert rated(teams, reference).rows == rated(matches, reference).rows


@pytest.mark.parametrize(
    ("results", "sentence"), [([], "there are no matches"), (ONE, "took points as well"), (ONE[:5], "10 deals or more")]
)
def test_savings_need_something_to_tell_from(results: list[Result], sentence: str) -> None:
    with pytest.raises(RatingError, match=sentence):
        variance_reductions(ResultSource(lambda: results))
