"""With bots alone the cone and the graph of `connection` must agree; with teams the answers are known by hand."""

from random import Random

import numpy as np
import pytest
from scipy.sparse import csr_array

from arena.ratings.connectivity import Connectivity, analyse_connectivity
from arena.ratings.keyed_sums import Bools, Floats
from arena.ratings.separation import reach_of_teams
from tests.ratings.comparisons import between


def answers(rows: csr_array, points: Floats, counts: Floats) -> tuple[Bools, Bools, Floats]:
    return reach_of_teams(rows, points > 0, points < counts)


@pytest.mark.parametrize("seed", range(60))
def test_bots_alone_are_connected_as_the_graph_says(seed: int) -> None:
    draw = Random(seed)
    bots = draw.randint(2, 6)
    points, counts = np.zeros((bots, bots)), np.zeros((bots, bots))
    for _ in range(draw.randint(1, 2 * bots)):
        one, other = draw.sample(range(bots), 2)
        counts[one, other] += 1
        counts[other, one] += 1
        points[one, other] += 1
    rows = between(points, counts)
    connectivity = analyse_connectivity(*rows)
    reach, open_ended, null = answers(*rows)
    assert (reach == connectivity.reach).all()
    assert (open_ended == connectivity.open_ended).all()
    assert null == pytest.approx(connectivity.null)


def teams(*results: tuple[str, str, float], bots: int) -> Connectivity:
    """Return the connection of bots 0, 1, 2 ...; ("01", "23", 0.5) means that 0 and 1 tied with 2 and 3, once."""
    rows = np.zeros((len(results), bots))
    for row, (first, second, _) in zip(rows, results, strict=True):
        for team, sign in ((first, 1), (second, -1)):
            for bot in map(int, team):
                row[bot] += sign / len(team)
    points = np.array([point for _, _, point in results])
    return analyse_connectivity(csr_array(rows), points, np.ones(len(results)))


def test_three_ties_in_all_pairings_settle_four_bots() -> None:
    connectivity = teams(("01", "23", 0.5), ("02", "13", 0.5), ("03", "12", 0.5), bots=4)
    assert connectivity.same_component.all()
    assert not connectivity.open_ended.any()
    assert connectivity.null == pytest.approx(np.full((4, 4), 1 / 4))


def test_one_pairing_alone_tells_nobody_from_anybody() -> None:
    connectivity = teams(("01", "23", 0.5), bots=4)
    assert connectivity.group.tolist() == [0, 0, 0, 0]
    assert connectivity.bound == ("~", "~", "~", "~")
    assert (connectivity.reach == np.eye(4)).all()
    assert np.trace(connectivity.null) == pytest.approx(3)


def test_a_bot_whose_teams_always_won_has_no_upper_end() -> None:
    pairings = [("12", "34", 0.5), ("13", "24", 0.5), ("14", "23", 0.5)]
    connectivity = teams(("01", "23", 1), ("02", "34", 1), *pairings, bots=5)
    assert connectivity.bound == (">", "", "", "", "")
    assert connectivity.open_ended.tolist() == [True, True, False, False, False]


def test_partners_who_always_won_together_are_not_told_apart() -> None:
    pairings = [("23", "45", 0.5), ("24", "35", 0.5), ("25", "34", 0.5)]
    connectivity = teams(("01", "23", 1), ("01", "45", 1), *pairings, bots=6)
    assert connectivity.bound == ("~", "~", "", "", "", "")
    assert not connectivity.one_way.any()


def test_one_way_results_that_hold_each_other_back_are_finite() -> None:
    connectivity = teams(("01", "23", 1), ("23", "45", 1), ("45", "01", 1), bots=6)
    assert not connectivity.open_ended.any()
    assert teams(("01", "23", 1), ("23", "45", 1), bots=6).open_ended.all()


def test_what_follows_from_several_results_together() -> None:
    # All that is sure: 1 is stronger than each other, by as much as one likes.
    connectivity = teams(("01", "23", 1), ("03", "12", 0), ("02", "13", 0), bots=4)
    assert connectivity.one_way.tolist() == [[False] * 4, [True, False, True, True], [False] * 4, [False] * 4]
