import numpy as np
import pytest

from arena.league.results.reachability import Reachability
from arena.ratings.connectivity import analyse_connectivity
from arena.ratings.keyed_sums import Ints
from tests.ratings.comparisons import between


def partition(numbers: Ints) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(numbers == number).tolist()) for number in numbers.tolist()}


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_the_analysis_of_small_fields(seed: int) -> None:
    random = np.random.default_rng(seed)
    bots = 9
    won = np.triu(
        random.integers(0, 3, (bots, bots)) * (random.random((bots, bots)) < random.choice((0.1, 0.2, 0.4))), 1
    )
    lost = np.triu(random.integers(0, 2, (bots, bots)) * (won >= 0) * (random.random((bots, bots)) < 0.2), 1)
    points = (won + lost.T).astype(float)
    counts = points + points.T
    expected = analyse_connectivity(*between(points, counts))
    first, second = np.nonzero(np.triu(counts))
    found = Reachability(first, second, points[first, second] > 0, points[second, first] > 0, bots)
    assert partition(found.group) == partition(expected.group)
    assert partition(found.component) == {frozenset(np.flatnonzero(row).tolist()) for row in expected.same_component}
    for one in range(bots):
        reach = expected.reach[one] | expected.reach[:, one]
        assert [found.can_be_compared(one, other) for other in range(bots)] == reach.tolist()
    group = expected.group == 0
    bounds = found.bounds(np.flatnonzero(expected.reference & group).tolist())
    assert [bound for bound, counts in zip(bounds, group, strict=True) if counts] == [
        bound for bound, counts in zip(expected.bound, group, strict=True) if counts
    ]
