"""Tree search: the best moves of small games, availability, simultaneous moves, and what bounds it."""

from itertools import count
from random import Random
from typing import Any

import pytest

from arena.positions import World
from arena.search import Evaluation, Horizon, Observers, PolicyError, search
from arena.search.playouts import Playouts
from arena.search.tree import AVAILABLE, PLAYED, Tree
from tests.search.tiny_games import GAME, Bet, Drawn, Pennies, Sticks, Urn, urns


def random_playouts(seats: int = 2) -> Playouts:
    return Playouts(Horizon(GAME, seats), (), Random(1), learns=False)


def best_value(found: Evaluation) -> float:
    return found.moves[0].mean


@pytest.mark.parametrize(("sticks", "move"), [(5, "take 1"), (6, "take 2"), (11, "take 3"), (13, "take 1")])
def test_the_only_winning_move_is_found(sticks: int, move: str) -> None:
    found = search(Drawn(lambda: Sticks(sticks), 2), worlds=4000, rng=Random(1))
    assert found.best == move
    assert best_value(found) > 0.9


def test_a_lost_position_is_known_to_be_lost() -> None:
    assert best_value(search(Drawn(lambda: Sticks(8), 2), worlds=3000, rng=Random(1))) < 0.2


def test_several_observers_know_that_others_see_their_cards() -> None:
    def bets() -> Drawn:
        rng = Random(1)
        return Drawn(lambda: Bet(rng.random() < 2 / 3), 3)

    every = search(bets(), worlds=6000, policies="random", rng=Random(1), observers="every")
    assert every.best == "check"
    assert best_value(every) == pytest.approx(0.25)
    own = search(bets(), worlds=6000, policies="random", rng=Random(1), observers="own")
    assert own.best == "bet"
    assert best_value(own) == pytest.approx(1 / 3, abs=0.04)


def test_sealed_answers_are_chosen_independently() -> None:
    tree = Tree(0, ("heads", "tails"), Observers.EVERY, 1.0, 1000, Random(1))
    playouts = random_playouts()
    total = 0.0
    shares = {"heads": 0, "tails": 0}
    for _ in range(20_000):
        move, value = tree.iterate(World(GAME, 2, 0, Pennies()), playouts)
        total += value
        shares[move] += 1
    assert total / 20_000 == pytest.approx(0.5, abs=0.02)
    assert shares["heads"] / 20_000 == pytest.approx(0.5, abs=0.05)
    assert len(tree.nodes) == 2


def test_availability_is_counted_by_worlds() -> None:
    tree = Tree(0, ("a", "b", "c"), Observers.EVERY, 1.0, 1000, Random(1))
    for number in range(400):
        balls = {"a": True, "b": True, "c": True} if number % 4 == 0 else {"a": True, "c": True}
        tree.iterate(World(GAME, 2, 0, Urn(balls)), random_playouts())
    (node,) = tree.nodes.values()
    assert [node[move][AVAILABLE] for move in "abc"] == [400, 100, 400]
    assert sum(node[move][PLAYED] for move in "abc") == 400


def test_the_bound_of_a_move_grows_while_it_is_available() -> None:
    """Of moves that are alike and were played as often, the one that was passed over more often is played."""
    tree = Tree(0, ("a", "b"), Observers.EVERY, 1.0, 1000, Random(1))
    tree.learn({0: 0.0})
    tree.learn({0: 1.0})
    node = {"a": [10.0, 10.0, 5.0, 20.0], "b": [10.0, 10.0, 5.0, 30.0]}
    assert tree.select(node, ("a", "b"), 0, "", random_playouts()) == "b"
    assert node["b"][AVAILABLE] == 31
    # Of a move that is not there nothing is counted.
    assert tree.select(node, ("a",), 0, "", random_playouts()) == "a"
    assert node["b"][AVAILABLE] == 31


def test_the_tree_is_bounded() -> None:
    tree = Tree(0, ("take 1", "take 2", "take 3"), Observers.EVERY, 1.0, 5, Random(1))
    for _ in range(200):
        tree.iterate(World(GAME, 2, 0, Sticks(13)), random_playouts())
    assert len(tree.nodes) == 5


def test_each_iteration_adds_one_node() -> None:
    tree = Tree(0, ("take 1", "take 2", "take 3"), Observers.EVERY, 1.0, 10**6, Random(1))
    for number in range(1, 8):
        tree.iterate(World(GAME, 2, 0, Sticks(100)), random_playouts())
        assert len(tree.nodes) <= number
    assert len(tree.nodes) > 3


def test_a_node_tries_more_moves_the_more_often_it_is_visited() -> None:
    legal = tuple(str(number) for number in range(100))
    tree = Tree(0, legal, Observers.EVERY, 1.0, 1000, Random(1))
    tried = []
    for visits in range(1, 101):
        tree.iterate(World(GAME, 2, 0, Urn(dict.fromkeys(legal, True))), random_playouts())
        (node,) = tree.nodes.values()
        if visits in (1, 4, 25, 100):
            tried.append(sum(sums[PLAYED] > 0 for sums in node.values()))
    assert tried == [1, 4, 10, 20]


def test_a_million_worlds_are_bounded_by_time() -> None:
    ticks = count()
    found = search(Drawn(Pennies, 2), worlds=10**6, seconds=5, rng=Random(1), clock=lambda: next(ticks) / 1000)
    assert found.reason == "time"
    assert 5 <= found.seconds < 5.1


def test_it_ends_when_no_other_move_can_catch_up() -> None:
    found = search(urns(Random(1), a=1.0, b=0.0), worlds=1000, rng=Random(1))
    assert (found.best, found.reason) == ("a", "decided")
    assert 500 < found.worlds < 1000


def test_a_policy_that_raises_is_named() -> None:
    with pytest.raises(PolicyError, match=r"raised ZeroDivisionError"):
        search(Drawn(lambda: Sticks(9), 2), worlds=30, policies=lambda *_: str(1 // 0))


def test_weights_of_worlds_count() -> None:
    class Weighted(Drawn):
        def world(self, belief: Any = None) -> World:
            world = super().world()
            world.weight = 3.0 if world.state.balls["a"] else 1.0  # type: ignore[attr-defined]
            return world

    rng = Random(1)

    def urn() -> Urn:
        is_a = rng.random() < 0.5
        return Urn({"a": is_a, "b": not is_a})

    found = search(Weighted(urn, 2), worlds=2000, rng=Random(1))
    assert found.best == "a"
    assert best_value(found) == pytest.approx(0.75, abs=0.03)
