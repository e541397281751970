"""Playouts: from a world to the horizon, by policies or by what earlier playouts have shown.

A seat without a policy chooses by experience (see there), with a small probability anything.
"""

from collections.abc import Sequence
from random import Random

from arena.positions import Policy, World
from arena.search.experience import Experience, Node
from arena.search.horizon import MOST_DECISIONS, Horizon
from arena.search.policies import RANDOM, Policies, of_seats
from arena.search.worlds import WorldSupply

EPSILON = 0.15
"""The probability that a seat plays any legal move, to learn of all."""


class Playouts:
    """The playouts of one search.

    horizon: where they stop.
    learns: whether a seat without a policy chooses by experience; otherwise anything, at random. Where each seat has a
        policy there is nothing to learn.
    """

    __slots__ = ("horizon", "learns", "_policies", "_rng", "_experience", "_played")

    def __init__(
        self,
        horizon: Horizon,
        policies: Sequence[Policy | None],
        rng: Random,
        *,
        learns: bool,
        experience: Experience | None = None,
    ) -> None:
        self.horizon = horizon
        self.learns = learns
        self._policies = policies
        self._rng = rng
        self._experience = experience or Experience()
        self._played: list[tuple[int, str, str, Node | None]] = []
        """The choices of the playout under way: the seat, the move before, the move, and what the seat saw."""

    def choose(self, world: World, seat: int, legal: tuple[str, ...], before: str) -> str:
        """Return the move of a seat.

        before: the move that was played before it.
        """
        if len(legal) == 1:
            return legal[0]
        policy = self._policies[seat] if self._policies else None
        if policy is not None:
            return policy(world.state.view(seat), legal, self._rng)
        if not self.learns:
            return legal[int(self._rng.random() * len(legal))]
        random, experience = self._rng.random, self._experience
        node = experience.node(world.state.view(seat), legal) if experience.sees else None
        start = int(random() * len(legal))  # of moves that are level each may come first
        if random() < EPSILON:
            move = legal[start]
        else:
            move = experience.best(legal[start:] + legal[:start] if start else legal, before, node)
        self._played.append((seat, before, move, node))
        return move

    def planned(self, world: World, seat: int, legal: Sequence[str]) -> str:
        """Return the move that the policy of a seat chooses; "" where it has none."""
        policy = self._policies[seat] if self._policies else None
        return "" if policy is None else policy(world.state.view(seat), legal, self._rng)

    def node(self, world: World, seat: int, legal: Sequence[str]) -> Node | None:
        """Return what is known of the moves of a seat that sees what it sees; None where that tells nothing."""
        experience = self._experience
        return experience.node(world.state.view(seat), legal) if self.learns and experience.sees else None

    def best(self, legal: Sequence[str], before: str, node: Node | None = None) -> str:
        """Return the move that has done best, or with a small probability any.

        node: what is known of the moves where the seat sees what it sees.
        """
        random = self._rng.random
        if not self.learns or random() < EPSILON:
            return legal[int(random() * len(legal))]
        start = int(random() * len(legal))  # of moves that are level each may come first
        return self._experience.best((*legal[start:], *legal[:start]), before, node)

    def noted(self, seat: int, before: str, move: str, node: Node | None = None) -> None:
        """Take a choice that was made elsewhere, as in a tree, for one of the playout under way."""
        if self.learns:
            self._played.append((seat, before, move, node))

    def play_on(self, world: World, before: str) -> None:
        """Play a world on to the horizon.

        before: the last move that was played.
        """
        if not self.learns:
            world.playout(self._rng, self._policies, until=self.horizon.until, most=MOST_DECISIONS)
            return
        state, choose = world.state, self.choose
        is_reached = self.horizon.is_reached if self.horizon.stops else None
        legal, apply = state.legal, state.apply
        for _ in range(MOST_DECISIONS):
            known = len(state.events)
            moves = [choose(world, seat, legal(seat), before) for seat in state.asked]
            apply(moves)
            if not state.asked or (is_reached is not None and is_reached(world, known)):
                return
            before = moves[-1]

    def finished(self, world: World, seats: Sequence[int]) -> list[float]:
        """Return what the world, which is at the horizon, is worth to seats; learn from the playout that led there."""
        if not self.learns:
            return self.horizon.values(world, seats)
        values = self.horizon.values(world, range(world.seats))
        self._experience.learn(self._played, values)
        self._played.clear()
        return [values[seat] for seat in seats]


def begin(
    world: World,
    policies: Policies,
    horizon: Horizon | None,
    rng: Random,
    supply: WorldSupply,
    experience: Experience | None = None,
) -> Playouts:
    """Return the playouts of a search, whose first world is there.

    horizon: None: it is measured.
    experience: what earlier searches have shown; None: nothing.
    """
    chosen = of_seats(policies, world.seats)
    learns = policies != RANDOM and not (chosen and all(chosen))
    experience = experience or Experience()
    if learns:
        experience.begin(world, rng)
    return Playouts(
        horizon or experience.horizon(lambda: Horizon.measure(world, rng, chosen, supply.has_used), world.seats),
        chosen,
        rng,
        learns=learns,
        experience=experience,
    )
