"""Base policies: who plays a game well by rules of thumb, found by the name of the game, for playouts.

A search whose playouts are played by a policy improves on that policy (rollouts: Tesauro and Galperin 1996; Bertsekas,
Tsitsiklis and Wu 1997). A package registers one for a game by the entry point group `arena.policies`: the name of the
game leads to a `MakePolicies`. Those of arena's own games are its sample bots, where arena is installed.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Any, Protocol

from arena.positions import Belief, Policy
from arena.search.policies import LEARNT, Policies, PolicyError, guarded
from referee.engine import registry
from referee.engine.game import Game

GROUP = "arena.policies"

MakePolicies = Callable[[Game, Mapping[str, str], int, Random], Sequence[Policy]]
"""Makes the policies of all seats for a match: its game, its options as texts, its number of seats, chance."""

SLIP = 0.2
"""How often somebody is taken to play any legal move instead of what his policy says."""


class MatchOfGame(Protocol):
    """What is asked of a match: `arena.sdk.Match` has it."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def options(self) -> Mapping[str, str]:
        """Its options, as texts."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def rng(self) -> Random:
        """The random number generator of the match."""


def base_policies(match: MatchOfGame) -> Policies:
    """Return the policies of all seats that an installed package registers for the game of a match.

    Raises PolicyError where they cannot be had, and UnknownGame or BrokenGame without the rules.

    Without any it is "learnt": what has done well in the playouts before.
    """
    game = registry.game(match.game)
    found = next((point for point in _points() if point.name == game.name), None)
    if found is None:
        return LEARNT
    try:
        make: MakePolicies = found.load()
        policies = make(game, match.options, match.seats, match.rng)
    except Exception as error:  # whatever a package of somebody else's does
        raise PolicyError(
            f"the base policy of {game.name}, {found.value}, cannot be had: {type(error).__name__}: {error}; search "
            'with policies="learnt" or with others'
        ) from error
    return policies


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Return the entry points of the group, looked for once: a file of every installed package is read for them."""
    return tuple(entry_points(group=GROUP))


def belief_in(policies: Policies, slip: float = SLIP) -> Belief | None:
    """Return the belief that each seat chooses by its policy, as `evaluate`, `search` and `Position.world` take it.

    So worlds count in which the others would have done what they did, as where a bid tells of the dice behind it.

    policies: as a search takes them; where they are one for each seat, by the field `seat` of the views.
    slip: how often a seat is taken to play any legal move instead: more than 0 and at most 1.

    Return None where no seat has a policy: all worlds count alike.
    """
    if not 0 < slip <= 1:
        raise ValueError(f"a slip of {slip}: give more than 0 and at most 1, or what nobody foresaw is impossible")
    if isinstance(policies, str):
        return None
    rng = Random(0)  # of policies that draw lots, each belief sees the same
    of_all = guarded(policies) if callable(policies) else None
    of_seats = () if callable(policies) else tuple([policy and guarded(policy) for policy in policies])
    if of_all is None and not any(of_seats):
        return None

    def belief(view: Any, legal: Sequence[str]) -> Sequence[float]:
        count = len(legal)
        policy = of_seats[view.seat] if of_seats else of_all
        if count == 1 or policy is None:
            return [1.0] * count
        chosen = policy(view, legal, rng)
        rest = slip / count
        return [1.0 - slip + rest if move == chosen else rest for move in legal]

    return belief
