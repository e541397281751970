"""Playouts: from a world to the horizon, by policies or by what earlier playouts have shown.

Random playouts say little where most of what is legal is absurd: who is sure that the next seat bids anything at all
dares any bid. So a seat without a policy chooses what has done well in the playouts of the same search (with a small
probability anything): each move has the mean value of all playouts in which it was played, and one of those in which it
followed the same move. That is the N-gram average sampling of Tak, Winands and Björnsson (2012), as Powley,
Cowling and Whitehouse (2014) use it in games with hidden cards. It costs a look-up for each legal move.
"""

from collections.abc import Sequence
from random import Random

from arena.positions import Policy, World
from arena.search.horizon import MOST_DECISIONS, Horizon
from arena.search.policies import Policies, of_seats
from arena.search.worlds import WorldSupply

EPSILON = 0.15
"""The probability that a seat plays any legal move, to learn of all."""

FAMILIARITY = 4.0
"""How many playouts with the same move before weigh as much as all that is known of the move itself."""

PRIOR = 1.0
"""As many playouts of each move are taken for average."""

MOST_PAIRS = 2000
"""Of how many moves it is known what followed them."""

Sums = list[float]
"""Of a move: how often it was played, and the sum of what it added to the value of its seat."""


class Playouts:
    """The playouts of one search.

    horizon: where they stop.
    learns: whether a seat without a policy chooses by what was learnt; otherwise anything, at random.
    """

    __slots__ = ("horizon", "learns", "_policies", "_rng", "_singles", "_pairs", "_played", "_seats")

    def __init__(self, horizon: Horizon, policies: Sequence[Policy | None], rng: Random, *, learns: bool) -> None:
        self.horizon = horizon
        self.learns = learns
        self._policies = policies
        self._rng = rng
        self._singles: dict[str, Sums] = {}
        self._pairs: dict[str, dict[str, Sums]] = {}
        self._played: list[tuple[int, str, str]] = []
        """The choices of the playout under way: the seat, the move before, the move."""
        self._seats: list[Sums] = []
        """Of each seat: the number of playouts, and the sum of its values."""

    def choose(self, world: World, seat: int, legal: Sequence[str], before: str) -> str:
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
        move = self.best(legal, before)
        self._played.append((seat, before, move))
        return move

    def best(self, legal: Sequence[str], before: str) -> str:
        """Return the move that has done best, or with a small probability any."""
        random = self._rng.random
        if not self.learns or random() < EPSILON:
            return legal[int(random() * len(legal))]
        singles, pairs = self._singles, self._pairs.get(before, _NONE)
        best, highest = legal[0], -2.0
        start = int(random() * len(legal))  # of moves that are level each may come first
        for move in (*legal[start:], *legal[:start]):
            single = singles.get(move)
            score = single[1] / (single[0] + PRIOR) if single is not None else 0.0
            pair = pairs.get(move)
            if pair is not None:
                score = (pair[1] + FAMILIARITY * score) / (pair[0] + FAMILIARITY)
            if score > highest:
                best, highest = move, score
        return best

    def noted(self, seat: int, before: str, move: str) -> None:
        """Take a choice that was made elsewhere, as in a tree, for one of the playout under way."""
        if self.learns:
            self._played.append((seat, before, move))

    def play_on(self, world: World, before: str) -> None:
        """Play a world on to the horizon.

        before: the last move that was played.
        """
        if not self.learns:
            world.playout(self._rng, self._policies, until=self.horizon.until, most=MOST_DECISIONS)
            return
        state, choose, is_reached = world.state, self.choose, self.horizon.is_reached
        legal, apply = state.legal, state.apply
        for _ in range(MOST_DECISIONS):
            known = len(state.events)
            moves = [choose(world, seat, legal(seat), before) for seat in state.asked]
            apply(moves)
            if is_reached(world, known):
                return
            before = moves[-1]

    def finished(self, world: World, seats: Sequence[int]) -> list[float]:
        """Return what the world, which is at the horizon, is worth to seats; learn from the playout that led there."""
        if not self.learns:
            return self.horizon.values(world, seats)
        values = self.horizon.values(world, range(world.seats))
        self._learn(values)
        return [values[seat] for seat in seats]

    def _learn(self, values: Sequence[float]) -> None:
        if not self._seats:
            self._seats = [[0.0, 0.0] for _ in values]
        added = []
        for value, sums in zip(values, self._seats, strict=True):
            sums[0] += 1
            sums[1] += value
            added.append(value - sums[1] / sums[0])
        singles, pairs = self._singles, self._pairs
        for seat, before, move in self._played:
            single = singles.get(move)
            if single is None:
                single = singles[move] = [0.0, 0.0]
            single[0] += 1
            single[1] += added[seat]
            follows = pairs.get(before)
            if follows is None:
                if len(pairs) >= MOST_PAIRS:
                    continue
                follows = pairs[before] = {}
            pair = follows.get(move)
            if pair is None:
                pair = follows[move] = [0.0, 0.0]
            pair[0] += 1
            pair[1] += added[seat]
        self._played.clear()


_NONE: dict[str, Sums] = {}


def begin(world: World, policies: Policies, horizon: Horizon | None, rng: Random, supply: WorldSupply) -> Playouts:
    """Return the playouts of a search, whose first world is there.

    horizon: None: it is measured.
    """
    chosen = of_seats(policies, world.seats)
    return Playouts(
        horizon or Horizon.measure(world, rng, chosen, supply.has_used), chosen, rng, learns=policies != "random"
    )
