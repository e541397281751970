"""Base policies: who plays well without a search, what a search adds to it, and the belief that others play so."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import EntryPoint
from itertools import cycle
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.positions import begin
from arena.search import PolicyError, base_policies, belief_in, evaluate
from arena.search import base as base_module
from referee.engine import registry
from referee.engine.chance import seed_from_number
from sample_bots.seated import best, best_policies
from tests.search.tiny_games import Drawn, Sticks, Urn, urns

GAMES = ("cambio", "coch", "cucco", "cucu", "hypp", "kille", "lustu", "perudo", "scopa", "torionfo", "zifuli")


def match(game: str, seats: int, **options: str) -> Any:
    return SimpleNamespace(game=game, options=options, seats=seats, rng=Random(1))


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_a_base_policy_that_plays_legal_moves(name: str) -> None:
    game = registry.game(name)
    policies = base_policies(match(name, game.recommended))
    assert [policy.__qualname__ for policy in policies] == [best(name)] * game.recommended  # type: ignore[union-attr]
    world = begin(game, game.options(), game.recommended, seed_from_number(1))
    assert world.playout(Random(1), policies, most=150)  # type: ignore[arg-type]


def test_the_best_of_several_sample_bots_is_the_base_policy() -> None:
    assert best("cambio") == best("cucco") == "counter"
    assert best("no such game") is None
    with pytest.raises(LookupError, match="no sample bot plays tiny by rules of its own"):
        best_policies(Drawn(lambda: Sticks(9), 2).world().game, {}, 2, Random(1))


def registered(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    """Have packages register these base policies for any game."""
    points = [EntryPoint("cambio", value, base_module.GROUP) for value in values]
    monkeypatch.setattr(base_module, "_points", lambda: points)


def test_without_a_base_policy_playouts_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    registered(monkeypatch)
    assert base_policies(match("cambio", 2)) == "learnt"
    assert belief_in("learnt") is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("tests.search.no_such_module:make", "ModuleNotFoundError: No module named 'tests.search.no_such_module'"),
        ("sample_bots.seated:best", r"TypeError: best\(\) takes 1 positional argument but 4 were given"),
    ],
)
def test_a_base_policy_that_cannot_be_had_is_named(monkeypatch: pytest.MonkeyPatch, value: str, problem: str) -> None:
    registered(monkeypatch, value)
    with pytest.raises(
        PolicyError, match=f"^the base policy of cambio, {value}, cannot be had: {problem}; search with"
    ):
        base_policies(match("cambio", 2))


def choosing(*moves: str) -> Callable[..., str]:
    """Return a policy that plays the first of these moves that is legal."""

    def policy(view: Any, legal: Sequence[str], rng: Random) -> str:
        return next(move for move in moves if move in legal)

    return policy


def test_a_belief_is_in_what_the_policy_plays_and_a_little_in_all_else() -> None:
    belief = belief_in(choosing("b"), slip=0.3)
    assert belief is not None
    assert belief(None, ("a", "b", "c")) == pytest.approx([0.1, 0.8, 0.1])
    assert belief(None, ("z",)) == [1.0]


def test_each_seat_is_taken_to_play_by_its_own_policy() -> None:
    belief = belief_in((choosing("a"), choosing("b"), None), slip=0.2)
    assert belief is not None
    chances = [belief(SimpleNamespace(seat=seat), ("a", "b")) for seat in range(3)]
    assert chances[0] == pytest.approx([0.9, 0.1])
    assert chances[1] == pytest.approx([0.1, 0.9])
    assert chances[2] == [1.0, 1.0]
    assert belief_in((None, None)) is belief_in("random") is None


def test_a_belief_that_rules_out_all_else_is_refused() -> None:
    for slip in (0.0, -0.1, 1.1):
        with pytest.raises(ValueError, match=r"a slip of .*: give more than 0 and at most 1"):
            belief_in(choosing("a"), slip)


def test_a_policy_that_fails_is_named_where_worlds_are_weighed() -> None:
    belief = belief_in(choosing("b"))
    assert belief is not None
    with pytest.raises(PolicyError, match=r"choosing\.<locals>\.policy raised StopIteration"):
        belief(None, ("a", "c"))


def urn_position(*wins: str) -> Drawn:
    """Return a position before two urns; in each world, in turn, one of them has the white ball."""
    worlds = cycle((*wins[-1:], *wins[:-1]))  # the position itself looks at the first one

    def make() -> Urn:
        white = next(worlds)
        return Urn({"plan": white == "plan", "other": white == "other"})

    return Drawn(make, 2)


# Of 20 worlds the other move wins 12: it is ahead by 0.2 with a standard error of 0.22.
LEVEL = ("plan", "other", "other", "plan", "other") * 4


@pytest.mark.parametrize(("margin", "played"), [(0.0, "other"), (0.85, "other"), (0.95, "plan"), (1.0, "plan")])
def test_the_move_of_the_policy_has_the_benefit_of_the_doubt(margin: float, played: str) -> None:
    found = evaluate(urn_position(*LEVEL), worlds=20, policies=choosing("plan"), margin=margin)
    means = {value.move: value.mean for value in found.moves}
    assert means == {"plan": 0.4, "other": 0.6}
    assert (found.best, found.planned) == (played, "plan")


def test_a_move_that_is_surely_better_is_played() -> None:
    found = evaluate(urns(Random(1), plan=0.2, other=0.8), worlds=60, policies=choosing("plan"), rng=Random(1))
    assert (found.best, found.planned) == ("other", "plan")


def test_the_move_of_the_policy_is_never_halved_away() -> None:
    chances = {f"{number}": 0.5 + number / 100 for number in range(16)}
    found = evaluate(urns(Random(1), **chances), worlds=40, policies=choosing("0"), confidence=1, margin=100)
    assert found.best == "0"
    assert found.moves[0].playouts == 40
    assert sorted(value.playouts for value in found.moves) == [10] * 8 + [20] * 4 + [30] * 2 + [40] * 2


def test_a_search_without_a_policy_of_its_own_seat_plans_nothing() -> None:
    found = evaluate(urn_position(*LEVEL), worlds=20, policies=(None, choosing("plan")), margin=100)
    assert (found.best, found.planned) == ("other", "")


def test_playouts_by_a_policy_improve_on_it() -> None:
    # Where all take one stick at a time, who takes one of an even number loses, so another number is taken.
    for sticks, played in ((5, "take 1"), (4, "take 2"), (2, "take 2")):
        found = evaluate(Drawn(partial(Sticks, sticks), 2), worlds=64, policies=choosing("take 1"))
        assert (found.planned, found.best, found.moves[0].mean) == ("take 1", played, 1.0)


def test_a_margin_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="a margin of -1 standard errors: give 0 or more"):
        evaluate(urn_position("plan"), worlds=1, margin=-1)
