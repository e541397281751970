"""Playouts that learn from those before, and random ones."""

from collections import Counter
from random import Random

from arena.positions import World
from arena.search import Horizon
from arena.search.playouts import EPSILON, Playouts
from tests.search.tiny_games import GAME, Urn


def playouts(*, learns: bool = True) -> Playouts:
    return Playouts(Horizon(GAME, 2), (), Random(1), learns=learns)


def learn(found: Playouts, good: str, bad: str, before: str = "", times: int = 20) -> None:
    """Play playouts of one move, which wins, and of another, which loses, in turn."""
    for _ in range(times):
        for move in (good, bad):
            world = World(GAME, 2, 0, Urn({good: True, bad: False}))
            found.noted(0, before, move)
            world.play(move)
            found.finished(world, (0,))


def shares(found: Playouts, legal: tuple[str, ...], before: str) -> dict[str, float]:
    counted = Counter(found.best(legal, before) for _ in range(4000))
    return {move: counted[move] / 4000 for move in legal}


def test_the_move_that_did_best_is_played_nearly_always() -> None:
    found = playouts()
    learn(found, "good", "bad")
    share = shares(found, ("bad", "good", "new"), "")
    assert abs(share["good"] - (1 - EPSILON * 2 / 3)) < 0.02
    assert abs(share["bad"] - EPSILON / 3) < 0.02


def test_what_follows_a_move_is_known_of_itself() -> None:
    found = playouts()
    learn(found, "doubt", "raise", "high bid")
    learn(found, "raise", "doubt", "low bid")
    assert shares(found, ("doubt", "raise"), "high bid")["doubt"] > 0.9
    assert shares(found, ("doubt", "raise"), "low bid")["raise"] > 0.9


def test_moves_of_which_nothing_is_known_are_alike() -> None:
    share = shares(playouts(), ("a", "b", "c", "d"), "")
    assert all(abs(each - 0.25) < 0.03 for each in share.values())


def test_random_playouts_learn_nothing() -> None:
    found = playouts(learns=False)
    learn(found, "good", "bad")
    assert abs(shares(found, ("bad", "good"), "")["good"] - 0.5) < 0.03


def test_values_are_those_of_the_seats_that_are_asked_for() -> None:
    world = World(GAME, 2, 0, Urn({"white": True, "black": False}))
    world.play("white")
    assert playouts().finished(world, (1,)) == [0.0]
    assert playouts(learns=False).finished(world, (0,)) == [1.0]
