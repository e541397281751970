"""Flat Monte Carlo: values, their errors, which moves are dropped, and what limits it."""

import tracemalloc
from collections.abc import Sequence
from itertools import count, cycle
from math import inf
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from arena.positions import NoWorld
from arena.search import Evaluation, PolicyError, evaluate
from tests.search.tiny_games import Bet, Drawn, Ladder, Pennies, Sticks, Urn, urns


def values(found: Evaluation) -> dict[str, float]:
    return {value.move: value.mean for value in found.moves}


def test_values_are_shares_of_won_playouts() -> None:
    balls = cycle([{"a": True, "b": False}, {"a": True, "b": True}, {"a": False, "b": False}, {"a": True, "b": False}])
    found = evaluate(Drawn(lambda: Urn(next(balls)), 2), worlds=8, rng=Random(1))
    # The position looks at the first world for the legal moves, so there are the second to the ninth.
    assert values(found) == {"a": 0.75, "b": 0.25}
    assert (found.best, found.worlds, found.playouts, found.reason) == ("a", 8, 16, "worlds")
    assert {value.playouts for value in found.moves} == {8}


def test_the_error_is_that_of_simulation() -> None:
    rng = Random(5)
    found = [evaluate(urns(rng, a=0.3, b=0.5), worlds=50, confidence=1, rng=rng) for _ in range(400)]
    for move in ("a", "b"):
        means = [next(value for value in each.moves if value.move == move) for each in found]
        assert stdev(value.mean for value in means) == pytest.approx(fmean(value.error for value in means), rel=0.1)
    assert fmean(values(each)["a"] for each in found) == pytest.approx(0.3, abs=0.01)


def test_playouts_of_one_world_count_as_one_for_the_error() -> None:
    # Drawing takes a second, a playout next to nothing, so each world is used 16 times: its balls stay as they are.
    now = 0.0

    class Slow(Drawn):
        def world(self, belief: Any = None) -> Any:
            nonlocal now
            now += 1
            return super().world()

    def clock() -> float:
        nonlocal now
        now += 1e-6
        return now

    rng = Random(1)
    slow = Slow(lambda: Urn({"a": rng.random() < 0.5, "b": rng.random() < 0.5}), 2)
    found = evaluate(slow, seconds=100, confidence=1, rng=rng, clock=clock)
    assert found.worlds == 100
    assert 2 * (1 + 98 * 16) < found.playouts < 2 * (1 + 99 * 16)  # the time was over in the last world
    assert found.reason == "time"
    for value in found.moves:
        assert value.error == pytest.approx((0.25 / 100) ** 0.5, rel=0.05)


def test_a_move_that_cannot_be_the_best_is_dropped() -> None:
    found = evaluate(urns(Random(1), a=0.9, b=0.85, c=0.1), worlds=400, rng=Random(2))
    played = {value.move: value.playouts for value in found.moves}
    assert found.reason == "worlds"
    assert played["a"] == played["b"] == 400
    assert played["c"] == 16
    assert found.moves[-1].move == "c"


def test_it_ends_when_one_move_is_left() -> None:
    found = evaluate(urns(Random(1), a=0.9, b=0.1), worlds=10**6, rng=Random(2))
    assert (found.best, found.reason) == ("a", "decided")
    assert found.worlds <= 64


def test_the_best_move_is_not_dropped() -> None:
    rng = Random(4)
    for _ in range(200):
        found = evaluate(urns(rng, a=0.55, b=0.45), worlds=256, confidence=0.9, rng=rng)
        assert found.reason == "worlds" or found.best == "a"


def test_worlds_that_look_alike_do_not_decide_too_early() -> None:
    # One is always a fifth better than the other, but a world in which it loses all may have been missed.
    def played(worlds: int) -> int:
        return evaluate(Drawn(lambda: Ladder(third=3, fourth=4), 6), worlds=worlds).moves[-1].playouts

    assert (played(16), played(32), played(64)) == (16, 32, 32)


def test_half_of_the_moves_are_dropped_again_and_again() -> None:
    chances = {f"{number}": 0.5 for number in range(16)}
    found = evaluate(urns(Random(1), **chances), worlds=40, confidence=1, rng=Random(1))
    assert sorted(value.playouts for value in found.moves) == [10] * 8 + [20] * 4 + [30] * 2 + [40] * 2
    assert [value.playouts for value in found.moves[:2]] == [40, 40]
    kept = evaluate(urns(Random(1), **chances), worlds=40, confidence=1, halving=False, rng=Random(1))
    assert {value.playouts for value in kept.moves} == {40}


def test_halving_tells_the_best_of_many_moves_apart() -> None:
    def share(halving: bool) -> float:
        rng = Random(7)
        chances = {f"{number}": 0.3 for number in range(31)} | {"best": 0.6}
        found = [
            evaluate(urns(rng, **chances), worlds=75 if halving else 30, confidence=1, halving=halving, rng=rng)
            for _ in range(60)
        ]
        assert sum(each.playouts for each in found) <= 60 * 1000  # both have the same number of playouts, about
        return fmean(each.best == "best" for each in found)

    assert share(True) > share(False) + 0.1


def test_it_ends_where_no_further_world_is_found() -> None:
    class Few(Drawn):
        def world(self, belief: Any = None) -> Any:
            if self.drawn == 3:
                raise NoWorld("no world was found")
            return super().world()

    found = evaluate(Few(lambda: Sticks(9), 2), worlds=100)
    assert (found.worlds, found.reason) == (3, "worlds")
    none = Few(lambda: Sticks(9), 2)
    none.drawn = 3
    with pytest.raises(NoWorld):
        evaluate(none, worlds=100)


def test_a_single_move_needs_no_world() -> None:
    position = Drawn(lambda: Sticks(1), 2)
    found = evaluate(position, seconds=1)
    assert (found.best, found.reason, found.worlds, position.drawn) == ("take 1", "forced", 0, 0)
    assert found.note() == "take 1, the only legal move"


def test_weights_of_worlds_count() -> None:
    class Weighted(Drawn):
        def world(self, belief: Any = None) -> Any:
            world = super().world()
            world.weight = 3.0 if world.state.balls["a"] else 1.0  # type: ignore[attr-defined]
            return world

    balls = cycle([{"a": True, "b": False}, {"a": False, "b": True}])
    found = evaluate(Weighted(lambda: Urn(next(balls)), 2), worlds=10, confidence=1)
    assert values(found) == {"a": 0.75, "b": 0.25}


def test_who_answers_at_once_is_chosen_for_by_its_policy() -> None:
    def heads(view: Any, legal: Sequence[str], rng: Random) -> str:
        return "heads"

    found = evaluate(Drawn(Pennies, 2, seat=1), worlds=10, policies=(heads, None), confidence=1)
    assert values(found) == {"heads": 0.0, "tails": 1.0}


def test_policies_play_the_playouts() -> None:
    def knowing(view: Any, legal: Sequence[str], rng: Random) -> str:
        _, high = view
        return "call" if high else "fold"

    highs = cycle([True, True, False])
    found = evaluate(Drawn(lambda: Bet(next(highs)), 3), worlds=300, policies=(None, knowing, None), confidence=1)
    assert values(found) == {"check": pytest.approx(0.25), "bet": pytest.approx(1 / 6)}


def test_a_policy_that_raises_is_named_with_its_line() -> None:
    def careless(view: Any, legal: Sequence[str], rng: Random) -> str:
        moves: dict[str, str] = {}
        return moves["no such view"]

    with pytest.raises(
        PolicyError, match=r"the policy .*careless raised KeyError in .*test_flat.py, line \d+: 'no such view'"
    ):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=3, policies=careless)


def test_a_policy_that_chooses_something_else_is_named() -> None:
    with pytest.raises(
        PolicyError, match=r"lambda> chose 'take 9', which is not one of the legal moves take 1, take 2"
    ):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=3, policies=[None, lambda *_: "take 9"])


def test_each_seat_needs_a_policy() -> None:
    with pytest.raises(ValueError, match="1 policies for 2 seats"):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=3, policies=[None])


def test_policies_have_two_names() -> None:
    with pytest.raises(ValueError, match='the policy "best": give a function, "learnt" or "random"'):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=3, policies="best")  # type: ignore[arg-type]


def test_a_search_needs_a_limit_and_a_question() -> None:
    with pytest.raises(ValueError, match="give `worlds` or `seconds`"):
        evaluate(Drawn(lambda: Sticks(5), 2))
    with pytest.raises(ValueError, match="0 worlds"):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=0)
    with pytest.raises(ValueError, match="a confidence of 0"):
        evaluate(Drawn(lambda: Sticks(5), 2), worlds=1, confidence=0)
    position = Drawn(lambda: Sticks(5), 2)
    position.legal = ()
    with pytest.raises(ValueError, match="its seat is not asked"):
        evaluate(position, worlds=1)


def test_a_million_worlds_are_bounded_by_time_and_take_no_memory() -> None:
    ticks = count()
    rng = Random(1)
    tracemalloc.start()
    try:
        found = evaluate(
            urns(rng, a=0.5, b=0.5), worlds=10**6, seconds=20, confidence=1, rng=rng, clock=lambda: next(ticks) / 1000
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.reason == "time"
    assert 1000 < found.worlds < 10**5
    assert 20 <= found.seconds < 20.1
    assert peak < 100_000


def test_the_same_worlds_and_seed_give_the_same_values() -> None:
    first, second = (evaluate(Drawn(lambda: Sticks(9), 2), worlds=50, rng=Random(3), confidence=1) for _ in range(2))
    assert first.moves == second.moves


def test_a_note_says_what_was_seen() -> None:
    found = evaluate(urns(Random(1), a=0.5, b=0.4, c=0.3, d=0.2, e=0.1, f=0.0), worlds=100, confidence=1)
    assert found.note() == (
        ", ".join(f"{value.move} {value.mean:.2f} ± {value.error:.2f}" for value in found.moves[:4])
        + ", 2 others; 100 worlds"
    )
    assert all(value.error < inf for value in found.moves)
    assert evaluate(urns(Random(1), a=1.0, b=0.0), worlds=1).note() == "a 1.00, b 0.00; 1 world"
