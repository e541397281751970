import numpy as np
import pytest

from arena.league.results.experiment_residuals import experiment_residuals
from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.field_comparisons import FieldComparisons
from arena.league.results.interval_estimates import (
    MAX_SAMPLES,
    TARGET,
    Scale,
    exact_variances,
    local_variances,
    sampled_variances,
)
from arena.league.results.league_sums import LeagueSums
from arena.league.results.residual_products import ResidualProducts
from arena.ratings.keyed_sums import Ints
from arena.ratings.sparse_information import SparseInformation
from tests.league.results.simulated_league import batch

SCALE = Scale(np.array([0, 5]), np.arange(30), np.full(30, 1.01))


@pytest.fixture(scope="module", params=["deals", "experiments"])
def fitted(request: pytest.FixtureRequest) -> tuple[SparseInformation, ResidualProducts, Ints]:
    random = np.random.default_rng(5)
    strengths = random.normal(size=31)
    sums = LeagueSums()
    for number in range(30):
        matches = batch(random, random.choice(np.arange(1, 31), 8, replace=False), strengths, 4)
        sets = None
        if request.param == "experiments" and number < 25:  # beside some deals that are experiments of their own
            deals = {(match.table, match.deal) for match in matches}
            sets = {deal: SetNumbers(int(random.integers(40)), 0) for deal in sorted(deals)}
        sums.add(LeagueSums.of_matches(matches, sets=sets).to_bytes())
    pairs: dict[tuple[int, int], list[int]] = {}
    for kinds in sums.kinds:
        for seats, counts, deals, points in zip(kinds.entries, kinds.counts, kinds.deals, kinds.points, strict=True):
            for one, other, count, won in zip(*(seats[at] for at in kinds.pairs), counts, points, strict=True):
                total = pairs.setdefault((int(one), int(other)), [0, 0])
                total[0] += int(won)
                total[1] += int(count * deals)
    keys, values = np.array(sorted(pairs)), np.array([pairs[key] for key in sorted(pairs)])
    comparisons = FieldComparisons.of_sums(sums.entries, keys[:, 0], keys[:, 1], values[:, 0], values[:, 1])
    fitted_strengths = comparisons.fit_strengths(np.zeros(30))
    residuals = experiment_residuals(sums.experiments.values(), sums.entries, fitted_strengths)
    products = ResidualProducts(sums.loose.values(), sums.entries, fitted_strengths, residuals)
    return comparisons.information(fitted_strengths), products, comparisons.reachability.group


def test_products_are_one_matrix_in_all_forms(fitted: tuple[SparseInformation, ResidualProducts, Ints]) -> None:
    _, products, _ = fitted
    dense = products.to_dense()
    root = products.root()
    assert (root @ root.T).toarray() == pytest.approx(dense, abs=1e-9)
    assert products.diagonal() == pytest.approx(np.diag(dense))
    vector = np.random.default_rng(1).normal(size=len(dense))
    assert products @ vector == pytest.approx(dense @ vector)
    assert dense.sum(axis=1) == pytest.approx(0, abs=1e-9)  # what one gains, others lose


def test_sampled_variances_are_as_near_as_they_say(fitted: tuple[SparseInformation, ResidualProducts, Ints]) -> None:
    information, products, group = fitted
    exact = exact_variances(information, products, group, SCALE)
    sampled = sampled_variances(information, products, SCALE)
    deviations = (sampled.variances - exact) / sampled.errors
    assert np.sqrt((deviations**2).mean()) == pytest.approx(1, abs=0.5)
    assert sampled.width_error() <= TARGET
    # With more samples the error falls by their square root.
    more = sampled_variances(information, products, SCALE, target=0.0)
    assert more.samples == MAX_SAMPLES > sampled.samples
    assert np.abs(more.variances / exact - 1).max() < 0.05
    assert np.median(more.errors / sampled.errors) == pytest.approx(np.sqrt(sampled.samples / MAX_SAMPLES), rel=0.2)


def test_local_variances_are_near(fitted: tuple[SparseInformation, ResidualProducts, Ints]) -> None:
    information, products, group = fitted
    ratio = local_variances(information, products, SCALE) / exact_variances(information, products, group, SCALE)
    assert 0.8 < ratio.min() < ratio.max() < 1.25


def test_a_single_reference_has_no_variance(fitted: tuple[SparseInformation, ResidualProducts, Ints]) -> None:
    information, products, group = fitted
    single = Scale(np.array([3]), np.arange(30), np.linspace(1, 1.1, 30))
    for variances in (
        exact_variances(information, products, group, single),
        local_variances(information, products, single),
        sampled_variances(information, products, single).variances,
    ):
        assert variances[3] == pytest.approx(0, abs=1e-9)
        assert np.delete(variances, 3).min() > 0
