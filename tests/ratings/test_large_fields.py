"""The fit of large fields is that of small ones: conjugate gradients against dense systems, to 1e-6 Elo."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from arena.ratings import Ranking, Result, Tally, fit_ranking
from arena.ratings.anchor import Anchor
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import separated_from_above
from arena.ratings.solver import centre_rows, solve

NAMES = [f"b{number:02d}" for number in range(24)]


def _matches(names: list[str], seats: int, first_deal: int = 0) -> list[Result]:
    """Draw matches between bots of which the first are the strongest."""
    draw = Random(seats)
    results = []
    for number in range(400):
        seated = draw.sample(range(len(names)), seats)
        worst = [bot / 8 + draw.gauss(0, 1) for bot in seated]
        ranks = tuple(1 + sum(other < own - 0.3 for other in worst) for own in worst)
        results.append(Result(first_deal + number // 2, tuple(names[bot] for bot in seated), ranks, (0,) * seats))
    return results


def _pools() -> list[Result]:
    return _matches(NAMES[:9], 2) + _matches(NAMES[9:], 4, 1000)


def _all_won() -> list[Result]:
    beaten = [Result(2000 + deal, ("best", NAMES[deal % 5]), (1, 2), (1, 0)) for deal in range(30)]
    return _matches(NAMES, 2) + beaten + [Result(3000, ("alone", "alone"), (1, 1), (0, 0))]


def _drawn() -> list[Result]:
    return [result._replace(ranks=(1,) * len(result.ranks)) for result in _matches(NAMES, 3)]


def _teams() -> list[Result]:
    return [
        Result(deal, (_team(*seated[:3]), _team(*seated[3:])), ranks[:2], (0, 0))
        for deal, seated, ranks, _ in _matches(NAMES, 6)
    ]


def _half_shared() -> list[Result]:
    """Teams with a partner in common: rows of two bots whose shares are not 1."""
    return [
        Result(deal, (_team("z", seated[0]), _team("z", seated[1])), ranks, scores)
        for deal, seated, ranks, scores in _matches(NAMES[::-1], 2)
    ]


def _team(*members: object) -> tuple[str, ...]:
    return tuple(map(str, members))


FIELDS: list[tuple[Callable[[], list[Result]], Anchor | None]] = [
    (lambda: _matches(NAMES, 6), None),
    (lambda: _matches(NAMES, 2), Anchor("b03", 1500)),
    (_pools, None),
    (_pools, Anchor("b10", 100)),
    (_all_won, None),
    (_drawn, None),
    (_teams, None),
    (_half_shared, None),
]


@pytest.mark.parametrize(("draw", "anchor"), FIELDS)
def test_steps_by_conjugate_gradients_lead_where_dense_ones_do(
    draw: Callable[[], list[Result]], anchor: Anchor | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fit(sparse_from: int) -> Ranking:
        monkeypatch.setattr("arena.ratings.bradley_terry._SPARSE_FROM", sparse_from)
        return fit_ranking(Tally(draw()), anchor=anchor)

    dense, sparse = fit(10**6), fit(0)
    assert [row.bot for row in sparse.rows] == [row.bot for row in dense.rows]
    for found, expected in zip(sparse.rows, dense.rows, strict=True):
        assert (found.bound, found.group, found.separated) == (expected.bound, expected.group, expected.separated)
        assert found.elo == pytest.approx(expected.elo, abs=1e-6)
        assert found.ci95 == pytest.approx(expected.ci95, abs=1e-6)
    assert sparse.los == pytest.approx(dense.los, abs=1e-9, nan_ok=True)
    assert sparse.covariance == pytest.approx(dense.covariance, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("draw", "_anchor"), FIELDS)
def test_neighbours_are_compared_as_the_whole_matrix_compares_them(
    draw: Callable[[], list[Result]], _anchor: Anchor | None
) -> None:
    tally = Tally(draw())
    ranking, totals = fit_ranking(tally), tally.totals()
    above = [None, *np.diag(ranking.los, 1).tolist()]
    expected = [None if value is None or np.isnan(value) else value > 0.975 for value in above]
    assert [row.separated for row in ranking.rows] == expected
    assert separated_from_above(solve(totals), totals.lineup.bots) == expected


@pytest.mark.parametrize("draw", [_pools, _all_won, _teams])
def test_every_group_is_centred_as_the_matrix_that_does_it(draw: Callable[[], list[Result]]) -> None:
    connectivity = solve(Tally(draw()).totals()).connectivity
    share = (connectivity.group[:, None] == connectivity.group) * connectivity.reference.astype(float)
    centre: Floats = np.eye(len(share)) - share / share.sum(axis=1, keepdims=True)
    values = np.random.default_rng(1).normal(size=(len(share), 3))
    assert centre_rows(connectivity, values) == pytest.approx(centre @ values)
    assert centre_rows(connectivity, values[:, 0]) == pytest.approx(centre @ values[:, 0])
