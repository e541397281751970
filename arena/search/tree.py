"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), for any number of seats.

Each iteration takes a world and plays it down the tree, where the seat that is asked chooses by the confidence bound of
UCT, then from the first new node on as a playout does. A node is what its seat can tell apart, so worlds that look
alike to a seat share it:

- with several observers (MO-ISMCTS) it is what the seat that is asked sees then, its own hidden cards among it: the
  others are taken for players who know theirs;
- with one (SO-ISMCTS) it is what the seat of the position sees, also while others choose: their choices are learnt
  for all the cards that they may hold together. Nodes are fewer, so more is known of each.

What is legal differs from world to world, so the bound counts how often a move was available, not how often its node
was visited. Seats that answer sealed choose independently of each other (decoupled UCT).
"""

from collections.abc import Sequence
from enum import Enum
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Any

from arena.positions import Belief, World
from arena.search.evaluation import Evaluation, Mean, MoveValue
from arena.search.experience import Experience
from arena.search.horizon import Horizon
from arena.search.playouts import Playouts, begin
from arena.search.policies import Policies
from arena.search.source import Position
from arena.search.thinking_time import Allowance
from arena.search.worlds import Clock, WorldSupply

EXPLORATION = 1.0
"""The constant of UCT, in standard deviations of the values of a seat."""

WIDENING = 4.0
"""A node tries another move as long as the square of how many it has tried is no more than so many times its visits."""

MOST_NODES = 100_000
"""How many nodes a tree may have; then playouts begin where it ends. With ten moves each they take some 150 MB, which
a bot has beside its program in the usual 256 MB.
"""


class Observers(Enum):
    """Whose eyes tell nodes apart."""

    EVERY = "every"
    """Those of the seat that is asked: MO-ISMCTS."""
    OWN = "own"
    """Those of the seat of the position: SO-ISMCTS."""


def search(
    position: Position,
    *,
    worlds: int | None = None,
    seconds: float | Allowance | None = None,
    policies: Policies = "learnt",
    belief: Belief | None = None,
    horizon: Horizon | None = None,
    experience: Experience | None = None,
    observers: Observers | str = Observers.EVERY,
    exploration: float = EXPLORATION,
    most_nodes: int = MOST_NODES,
    rng: Random | None = None,
    clock: Clock = perf_counter,
) -> Evaluation:
    """Search a position by information-set Monte Carlo tree search. The best move is the one that was played most.

    position: the question.
    worlds: the most worlds.
    seconds: the time, or an allowance of it; one of the two at least limits the search.
    policies: who chooses below the tree; by default what has done well in the playouts before.
    belief: how others choose, from what they see, as `Position.world` takes it: worlds in which they would hardly have
        done what they did count less; by default all count alike.
    horizon: where playouts stop, in the tree and below it; by default it is measured.
    experience: what earlier searches of the match have shown, and where this one adds to it; by default nothing.
    observers: whose eyes tell nodes apart: "every" or "own".
    exploration: how much it tries what looks worse: the constant of UCT, in standard deviations of the values.
    most_nodes: how many nodes there may be at most.
    rng: the source of chance; by default a new one.
    clock: seconds of a clock that never goes back.

    Raises ValueError without a legal move or a limit, PolicyError where a policy fails, and NoWorld where no world is
    found.
    """
    legal = position.legal
    if not legal:
        raise ValueError("the position has no legal move: its seat is not asked")
    rng = rng or Random()
    supply = WorldSupply(position, worlds, seconds, clock, belief, rng)
    if len(legal) == 1:
        return Evaluation((MoveValue(legal[0], 0.5, inf, 0),), 0, 0, supply.elapsed, "forced")
    tree = Tree(position.seat, legal, Observers(observers), exploration, most_nodes, rng)
    playouts: Playouts | None = None
    for world, repeats in supply.draw():
        if playouts is None:
            playouts = begin(world, policies, horizon, rng, supply, experience)
        tree.play(world, repeats, playouts, supply)
        if tree.is_decided(supply) or supply.is_over(tree.is_clear):
            break
    return tree.evaluation(supply)


Node = dict[str, list[float]]
"""The moves of a node that were available so far. Of each: how often it was played, with which weight, the sum of its
values times the weights, how often it was available, and the weight of that.
"""

PLAYED, WEIGHT, TOTAL, AVAILABLE = range(4)


class Tree:
    """The trees of all seats, and what is known of the moves at their root.

    seat: of the position.
    legal: its legal moves.
    """

    def __init__(
        self, seat: int, legal: Sequence[str], observers: Observers, exploration: float, most_nodes: int, rng: Random
    ) -> None:
        self.seat = seat
        self.means = {move: Mean() for move in legal}
        self.iterations = 0
        self.nodes: dict[tuple[int, Any], Node] = {}
        self.was_decided = False
        self._sees_own = observers is Observers.OWN
        self._exploration = exploration
        self._most_nodes = most_nodes
        self._rng = rng
        self._values: dict[int, list[float]] = {}
        """Of each seat, over the playouts: how many values there were, their sum, the sum of their squares, and the
        exploration that follows from them."""

    def play(self, world: World, repeats: int, playouts: Playouts, supply: WorldSupply) -> None:
        """Play one world down the tree, several times."""
        sums = dict.fromkeys(self.means, 0.0)
        counts = dict.fromkeys(self.means, 0)
        for _ in range(repeats):
            move, value = self.iterate(world.copy(), playouts)
            sums[move] += value
            counts[move] += 1
            self.iterations += 1
            if supply.is_late():
                break
        weight = world.weight
        for move, count in counts.items():
            if count:
                self.means[move].add(count, weight * count, weight * sums[move])

    def iterate(self, world: World, playouts: Playouts) -> tuple[str, float]:
        """Play a world to the horizon; return the move of the seat at the root, and what came of it."""
        state, nodes, sees_own, own = world.state, self.nodes, self._sees_own, self.seat
        horizon = playouts.horizon
        path: list[tuple[int, list[float]]] = []
        first = before = ""
        is_new = False
        while True:
            moves = []
            asked = state.asked
            is_sealed = len(asked) > 1
            for seat in asked:
                view: Any = state.view(own if sees_own else seat)
                try:
                    node = nodes.get((seat, view))
                except TypeError:  # a game of another package with lists in its views
                    view = repr(view)
                    node = nodes.get((seat, view))
                if node is None:
                    is_new = True
                    if len(nodes) < self._most_nodes:
                        node = nodes[seat, view] = {}
                    else:
                        moves.append(playouts.choose(world, seat, state.legal(seat), before))
                        continue
                legal = state.legal(seat)
                if len(legal) == 1:
                    moves.append(legal[0])
                    continue
                move = self.select(node, legal, seat, before, playouts, is_sealed)
                playouts.noted(seat, before, move, playouts.node(world, seat, legal))
                path.append((seat, node[move]))
                moves.append(move)
            if not first:
                first = moves[asked.index(own)]
            known = len(state.events)
            state.apply(moves)
            if horizon.is_reached(world, known):
                break
            if is_new:
                playouts.play_on(world, moves[-1])
                break
            before = moves[-1]
        seats = list(dict.fromkeys([seat for seat, _ in path]))
        if own not in seats:
            seats.append(own)
        values = dict(zip(seats, playouts.finished(world, seats), strict=True))
        self.learn(values)
        weight = world.weight
        for seat, move_sums in path:
            move_sums[PLAYED] += 1
            move_sums[WEIGHT] += weight
            move_sums[TOTAL] += weight * values[seat]
        return first, values[own]

    def select(
        self, node: Node, legal: Sequence[str], seat: int, before: str, playouts: Playouts, is_sealed: bool = False
    ) -> str:
        """Return the move of a node to play: one that never was, at random, or else that of the highest bound.

        Two seats that answer sealed would follow each other round in a circle, each with the other's last move in its
        bound, and their choices would depend on each other. So each widens its bounds by chance there.
        """
        untried: list[str] = []
        for move in legal:
            sums = node.get(move)
            if sums is None:
                sums = node[move] = [0.0, 0.0, 0.0, 0.0]
            sums[AVAILABLE] += 1
            if not sums[PLAYED]:
                untried.append(move)
        if untried:
            tried = len(legal) - len(untried)
            visits = sum([node[move][PLAYED] for move in legal])
            if tried * tried <= WIDENING * visits:
                return playouts.best(untried, before)
            legal = [move for move in legal if node[move][PLAYED]]
        exploration, random = self._values[seat][3], self._rng.random
        best, highest = legal[0], -inf
        for move in legal:
            played, weight, total, available = node[move]
            width = exploration * sqrt(log(available) / played)
            bound = total / weight + (width * 2 * random() if is_sealed else width)
            if bound > highest:
                best, highest = move, bound
        return best

    def learn(self, values: dict[int, float]) -> None:
        """Note by how much the values of each seat differ, so that the exploration suits them."""
        for seat, value in values.items():
            seen = self._values.get(seat)
            if seen is None:
                seen = self._values[seat] = [0.0, 0.0, 0.0, 0.0]
            seen[0] += 1
            seen[1] += value
            seen[2] += value * value
            mean = seen[1] / seen[0]
            seen[3] = self._exploration * sqrt(max(seen[2] / seen[0] - mean * mean, 1e-6))

    def is_decided(self, supply: WorldSupply) -> bool:
        """Tell whether no other move can be played as often as the leader in what is left of time and worlds."""
        if supply.drawn & (supply.drawn - 1):  # at powers of two: enough to save half of the time
            return False
        second, first = sorted([mean.count for mean in self.means.values()])[-2:]
        self.was_decided = first - second > self.iterations * supply.rest()
        return self.was_decided

    def is_clear(self) -> bool:
        """Tell whether more time would hardly help: the move that was played most is also the one of the best mean."""
        most = max(self.means, key=lambda move: self.means[move].count)
        return most == max(self.means, key=lambda move: self.means[move].mean)

    def evaluation(self, supply: WorldSupply) -> Evaluation:
        """Return what was found."""
        moves = [MoveValue(move, mean.mean, mean.error, mean.count) for move, mean in self.means.items()]
        moves.sort(key=lambda value: (value.playouts, value.mean), reverse=True)
        reason = "decided" if self.was_decided else supply.reason
        return Evaluation(tuple(moves), supply.drawn, self.iterations, supply.elapsed, reason)
