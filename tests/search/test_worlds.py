"""When a search stops, and how often it uses a world."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

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
