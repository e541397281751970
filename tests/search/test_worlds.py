"""When a search stops, and how often it uses a world."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import cycle, pairwise
from random import Random
from typing import Any

import pytest

from arena.positions import Belief, World
from arena.search import Allowance
from arena.search.worlds import WorldSupply
from tests.search.tiny_games import Drawn, Pennies


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Costly(Drawn):
    """A position whose worlds take a while."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__(Pennies, 2)
        self._clock = clock
        self._each = seconds

    def world(self, belief: Any = None):  # type: ignore[no-untyped-def]
        self._clock.now += self._each
        return super().world()


def repeats(drawing: float, playing: float) -> list[int]:
    """Return how often four worlds are used."""
    clock = Clock()
    supply = WorldSupply(Costly(clock, drawing), 4, 100, clock)
    found = []
    for _, times in supply.draw():
        found.append(times)
        clock.now += playing * times
    return found


def test_worlds_are_used_as_often_as_they_are_dear() -> None:
    assert repeats(0.001, 0.001) == [1, 1, 1, 1]
    assert repeats(0.016, 0.001) == [1, 4, 4, 4]
    assert repeats(0.1, 0.001) == [1, 10, 10, 10]
    assert repeats(1.0, 0.001) == [1, 16, 16, 16]
    assert repeats(0.0, 0.001) == [1, 1, 1, 1]


def test_without_a_clock_each_world_is_used_once() -> None:
    clock = Clock()
    supply = WorldSupply(Costly(clock, 1.0), 3, None, clock)
    assert [times for _, times in supply.draw()] == [1, 1, 1]
    assert supply.reason == "worlds"


@pytest.mark.parametrize(
    ("elapsed", "is_clear", "is_over"),
    [(0.9, True, False), (1.0, False, False), (1.0, True, True), (1.9, False, False), (2.0, False, True)],
)
def test_it_goes_on_for_longer_where_it_is_not_clear(elapsed: float, is_clear: bool, is_over: bool) -> None:
    clock = Clock()
    supply = WorldSupply(Drawn(Pennies, 2), None, Allowance(1, 2), clock)
    clock.now = elapsed
    assert supply.is_over(lambda: is_clear) is is_over
    assert supply.is_late() is (elapsed >= 2)
    assert supply.reason == ("time" if is_over else "")


def test_the_rest_is_what_is_left_of_time_or_worlds() -> None:
    def rest(worlds: int | None, seconds: float | None, drawn: int, elapsed: float) -> float:
        clock = Clock()
        supply = WorldSupply(Drawn(Pennies, 2), worlds, seconds, clock)
        supply.drawn, clock.now = drawn, elapsed
        return supply.rest()

    assert rest(100, None, 25, 1.0) == 3
    assert rest(None, 10, 25, 4.0) == 1.5
    assert rest(100, 10, 50, 1.0) == 1
    assert rest(100, 10, 50, 8.0) == 0.25


def test_a_belief_weighs_the_worlds() -> None:
    def belief(view: Any, legal: Sequence[str]) -> list[float]:
        return [1.0] * len(legal)

    for believed, weight in ((None, 1.0), (belief, 2.0)):
        supply = WorldSupply(Drawn(Pennies, 2), 1, None, Clock(), believed)
        assert [world.weight for world, _ in supply.draw()] == [weight]


class Weighted(Drawn):
    """A position with worlds of two weights in turn, as a belief has them; a world takes a while."""

    def __init__(self, clock: Clock, seconds: float, *weights: float) -> None:
        super().__init__(Pennies, 2)
        self.weights = cycle(weights)
        self._clock = clock
        self._each = seconds

    def world(self, belief: Belief | None = None) -> World:
        self._clock.now += self._each
        world = super().world(belief)
        world.weight = next(self.weights)
        return world


def even(view: Any, legal: Sequence[str]) -> list[float]:
    return [1.0] * len(legal)


def test_of_several_worlds_one_is_chosen_by_weight_and_has_the_mean_weight() -> None:
    position = Weighted(Clock(), 0, 0.0, 6.0, 0.0, 2.0)
    chosen = Counter[float]()

    class Remembering(Weighted):
        def world(self, belief: Belief | None = None) -> World:
            world = position.world(belief)
            world.seat = int(world.weight)  # a mark that stays
            return world

    supply = WorldSupply(Remembering(Clock(), 0, 1.0), 400, None, Clock(), even, Random(1))
    for world, _ in supply.draw():
        assert world.weight == 2.0
        chosen[world.seat] += 1
    assert position.drawn == 4 * 400
    assert set(chosen) == {6, 2}
    assert chosen[6] / 400 == pytest.approx(0.75, abs=0.05)


def test_worlds_that_all_weigh_nothing_are_drawn_all_the_same() -> None:
    supply = WorldSupply(Weighted(Clock(), 0, 0.0), 3, None, Clock(), even)
    assert [world.weight for world, _ in supply.draw()] == [0.0] * 3


def choices(drawing: float, playing: float, *weights: float) -> list[int]:
    """Return of how many worlds the second to the fourth are chosen."""
    clock = Clock()
    position = Weighted(clock, drawing, *weights)
    found = []
    for _, times in WorldSupply(position, 4, 1e6, clock, even, Random(1)).draw():
        found.append(position.drawn)
        clock.now += playing * times
    return [last - before for before, last in pairwise(found)]


def test_more_worlds_are_drawn_where_weights_differ_and_playouts_are_dear() -> None:
    assert choices(1, 1, 1.0) == [1, 1, 1], "all weigh the same"
    assert choices(1, 100, 0.0, 2.0) == [10, 10, 10]
    assert choices(1, 10_000, 0.0, 2.0) == [16, 16, 16]
    assert choices(1, 0.01, 0.0, 2.0) == [1, 1, 1]


def test_events_of_worlds_are_not_copied_again_and_again() -> None:
    made: list[Pennies] = []

    def with_events() -> Pennies:
        state = Pennies()
        state.events = [(0, 1, "heads")] * 1000
        made.append(state)
        return state

    make: Callable[[], Pennies] = with_events
    supply = WorldSupply(Drawn(make, 2), 1, None, Clock())
    (world,) = [world for world, _ in supply.draw()]
    assert world.state.events == []
