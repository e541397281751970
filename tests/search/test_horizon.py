"""Where playouts stop in each game, and what the standings are worth there."""

from math import erf, sqrt
from random import Random

import pytest

from arena.positions import World, begin
from arena.search import Horizon
from referee.engine import registry
from referee.engine.chance import seed_from_number
from tests.search.tiny_games import GAME, Ladder, Sticks


def world(name: str, seats: int, **options: object) -> World:
    game = registry.game(name)
    return begin(game, game.options(**options), seats, seed_from_number(1))


@pytest.mark.parametrize(
    ("name", "seats", "until"),
    [
        ("cambio", 6, "set"),
        ("cucco", 6, "set"),
        ("cucco", 2, "set"),
        ("cucu", 6, ""),  # deals cost tokens, and the last one pays
        ("lustu", 6, ""),
        ("hypp", 2, ""),  # short
        ("hypp", 5, "round"),
        ("kille", 5, "deal"),
        ("coch", 4, ""),
        ("torionfo", 4, "deal"),
        ("zifuli", 5, "deal"),
        ("perudo", 4, "round"),
        ("perudo", 2, "round"),
        ("scopa", 2, "deal"),
    ],
)
def test_it_is_where_points_are_counted(name: str, seats: int, until: str) -> None:
    assert Horizon.measure(world(name, seats), Random(1)).until == until


def test_little_time_is_spent_on_measuring_it() -> None:
    asked: list[float] = []

    def has_used(share: float) -> bool:
        asked.append(share)
        return len(asked) == 2

    assert Horizon.measure(world("kille", 5), Random(1), has_used=has_used).until == "deal"
    assert asked == [0.1, 0.1]


def test_playouts_stop_there_with_the_points_counted() -> None:
    first = world("kille", 5)
    horizon = Horizon(first.game, 5, "deal")
    before = first.scores
    first.playout(Random(1), until="deal")
    assert first.scores != before
    assert horizon.is_reached(first, 0)
    assert not first.is_over
    known = len(first.state.events)
    first.playout(Random(1), most=1)
    assert not horizon.is_reached(first, known)
    assert Horizon(first.game, 5).is_reached(first, 0) is False
    first.playout(Random(1))
    assert Horizon(first.game, 5).is_reached(first, len(first.state.events))


def test_a_result_is_worth_the_share_of_the_others_it_is_ahead_of() -> None:
    state = Ladder(second=2)
    state.apply(["second"])
    assert Horizon(GAME, 6, "deal", 10.0).values(World(GAME, 6, 0, state), range(6)) == [0.8, 0.0, 0.2, 0.4, 0.6, 1.0]


def test_level_seats_count_half() -> None:
    assert Horizon(GAME, 2).values(World(GAME, 2, 0, Sticks(3)), (0, 1)) == [0.5, 0.5]
    assert Horizon(GAME, 1).values(World(GAME, 1, 0, Ladder(a=1)), (0,)) == [0.5]


def normal(lead: float) -> float:
    return 0.5 * (1 + erf(lead / sqrt(2)))


def test_a_lead_is_worth_the_probability_to_keep_it() -> None:
    first = world("kille", 3)
    first.state.scores = (3, 1, 0)  # type: ignore[attr-defined]
    horizon = Horizon(first.game, 3, "deal", 2.0)
    assert horizon.values(first, (0, 1, 2)) == pytest.approx(
        [(normal(1) + normal(1.5)) / 2, (normal(-1) + normal(0.5)) / 2, (normal(-1.5) + normal(-0.5)) / 2]
    )
    assert Horizon(first.game, 3, "deal", 0.0).values(first, (0, 1, 2)) == [1.0, 0.5, 0.0]


def test_fewer_points_are_worth_more_where_the_ranks_say_so() -> None:
    first = world("cambio", 2, misery=True)
    first.state.chips = (7, 5)  # type: ignore[attr-defined]
    assert first.ranks == (2, 1)
    assert Horizon(first.game, 2, "set", 2.0).values(first, (0, 1)) == pytest.approx([normal(-1), normal(1)])


def test_the_spread_is_what_the_rest_of_the_match_adds_to_a_difference() -> None:
    """Whole matches that differ in their number of deals alone: the spread grows with its square root."""
    spreads = [Horizon.measure(world("zifuli", 5, deals=deals), Random(3)).spread for deals in (3, 21)]
    assert spreads[1] / spreads[0] == pytest.approx(sqrt(10), rel=0.35)


def test_a_match_that_is_nearly_over_is_played_to_its_end() -> None:
    assert Horizon.measure(world("zifuli", 5, deals=1), Random(3)).until == ""
    assert Horizon.measure(world("zifuli", 5, deals=3), Random(3)).until == "deal"
