import numpy as np
import pytest

from arena.ratings.connectivity import Connectivity, analyse_connectivity
from tests.ratings.comparisons import between


def field(*wins: str, ties: tuple[str, ...] = (), bots: int) -> Connectivity:
    """Return the connection of bots 0, 1, 2 ...; "01" means that 0 beat 1."""
    points, counts = np.zeros((bots, bots)), np.zeros((bots, bots))
    for one, other in [map(int, pair) for pair in (*wins, *ties)]:
        counts[one, other] += 1
        counts[other, one] += 1
    for one, other in [map(int, pair) for pair in wins]:
        points[one, other] += 1
    for one, other in [map(int, pair) for pair in ties]:
        points[one, other] += 0.5
        points[other, one] += 0.5
    return analyse_connectivity(*between(points, counts))


def test_a_circle_of_wins_is_settled() -> None:
    connectivity = field("01", "12", "20", bots=3)
    assert connectivity.same_component.all()
    assert connectivity.reference.all()
    assert connectivity.bound == ("", "", "")


def test_a_tie_settles_both() -> None:
    assert field(ties=("01",), bots=2).same_component.all()


def test_one_that_won_everything_stands_above_the_rest() -> None:
    connectivity = field("01", "02", "12", "21", bots=3)
    assert connectivity.bound == (">", "", "")
    assert connectivity.reference.tolist() == [False, True, True]
    assert connectivity.one_way.tolist() == [[False, True, True], [False, False, False], [False, False, False]]


def test_one_that_lost_everything_stands_below() -> None:
    assert field("10", "20", "12", "21", bots=3).bound == ("<", "", "")


def test_where_no_circle_is_largest_all_are_the_reference() -> None:
    connectivity = field("01", "12", bots=3)
    assert connectivity.bound == (">", "~", "<")
    assert connectivity.reference.all()


def test_a_bot_above_the_reference_is_so_over_others_too() -> None:
    assert field("01", "12", "23", "32", bots=4).bound == (">", ">", "", "")


def test_bots_that_only_beat_the_same_bot_cannot_be_told_apart() -> None:
    connectivity = field("02", "12", "34", "43", "40", bots=5)
    assert connectivity.bound == ("<", "~", "<", "", "")
    assert not connectivity.reach[0, 1]
    assert not connectivity.reach[1, 0]


def test_bots_that_never_met_fall_into_groups() -> None:
    connectivity = field("01", "10", "23", "32", bots=5)
    assert connectivity.group.tolist() == [0, 0, 1, 1, 2]
    assert connectivity.bound == ("", "", "", "", "")


@pytest.mark.parametrize("bots", [0, 1])
def test_hardly_a_field(bots: int) -> None:
    connectivity = field(bots=bots)
    assert connectivity.bound == ("",) * bots
    assert connectivity.reference.all()
