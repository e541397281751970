"""Flat Monte Carlo: play each legal move in the same worlds, and each of these on to the horizon."""

from collections.abc import Sequence
from math import inf
from random import Random
from statistics import NormalDist
from time import perf_counter

from arena.positions import Policy, World
from arena.search.evaluation import Evaluation, Mean, MoveValue
from arena.search.horizon import Horizon
from arena.search.policies import Policies, choose, of_seats
from arena.search.source import Position
from arena.search.thinking_time import Allowance
from arena.search.worlds import Clock, WorldSupply

FIRST_LOOK = 16
"""After so many worlds the moves are compared for the first time; then after twice as many, and so on."""

LOOKS = 16
"""For how many comparisons of all moves the confidence is meant: the last of them comes after half a million worlds."""

CONFIDENCE = 0.999
"""With which probability no comparison of a search drops the best move."""

CLEAR = 1.5
"""By how many standard errors the leader must be ahead for a search not to take more time than it should."""

LEVEL = 0.002
"""Moves are taken for level where their difference is known with a standard error as small as that."""


def evaluate(
    position: Position,
    *,
    worlds: int | None = None,
    seconds: float | Allowance | None = None,
    policies: Policies = None,
    horizon: Horizon | None = None,
    confidence: float = CONFIDENCE,
    rng: Random | None = None,
    clock: Clock = perf_counter,
) -> Evaluation:
    """Evaluate each legal move of a position by playouts in common worlds.

    A move that cannot be the best any more, by a confidence bound, is not played in further worlds; the search ends
    when one is left. Memory does not grow with the number of worlds.

    position: the question.
    worlds: the most worlds.
    seconds: the time, or an allowance of it; one of the two at least limits the search.
    policies: who chooses in playouts for all seats, or for each; by default any legal move is played, at random.
    horizon: where playouts stop; by default it is measured.
    confidence: with which probability the best move is never dropped; 1: none is.
    rng: the source of chance; by default a new one.
    clock: seconds of a clock that never goes back.

    Raises ValueError without a legal move or a limit, PolicyError, and what `position.world` raises before there is
    a world.
    """
    legal = position.legal
    if not legal:
        raise ValueError("the position has no legal move: its seat is not asked")
    if not 0 < confidence <= 1:
        raise ValueError(f"a confidence of {confidence}: give more than 0 and at most 1")
    supply = WorldSupply(position, worlds, seconds, clock)
    if len(legal) == 1:
        return Evaluation((MoveValue(legal[0], 0.5, inf, 0),), 0, 0, supply.elapsed, "forced")
    rng = rng or Random()
    race = _Race(position.seat, legal, confidence)
    chosen: tuple[Policy | None, ...] = ()
    for world, repeats in supply.draw():
        if supply.drawn == 1:
            chosen = of_seats(policies, world.seats)
        horizon = horizon or Horizon.measure(world, rng, chosen, supply.has_used)
        race.play(Rollouts(position.seat, world, horizon, chosen, rng), repeats, supply)
        if race.is_decided or supply.is_over(race.is_clear):
            break
    return race.evaluation(supply)


class Rollouts:
    """Plays moves of a seat in a world, and each on to the horizon."""

    __slots__ = ("world", "seat", "_place", "_horizon", "_policies", "_rng")

    def __init__(
        self, seat: int, world: World, horizon: Horizon, policies: Sequence[Policy | None], rng: Random
    ) -> None:
        self.world = world
        self.seat = seat
        self._place = world.asked.index(seat)
        self._horizon = horizon
        self._policies = policies
        self._rng = rng

    def value(self, move: str) -> float:
        """Return what the move is worth in one playout."""
        world, rng, horizon = self.world.copy(), self._rng, self._horizon
        state = world.state
        asked = state.asked
        if len(asked) == 1:
            state.apply((move,))
        else:  # sealed: the others choose without knowing the move
            moves = [choose(world, seat, self._policies, rng) for seat in asked]
            moves[self._place] = move
            state.apply(moves)
        if not horizon.is_reached(world, 0):
            horizon.play_on(world, rng, self._policies)
        return horizon.values(world, (self.seat,))[0]


class _Race:
    """The moves of a question: what is known of each, and which can still be the best.

    Every further world is paired: in it each move is compared with the leader at the last look.
    """

    def __init__(self, seat: int, legal: Sequence[str], confidence: float) -> None:
        self.seat = seat
        self.legal = legal
        self.means = {move: Mean() for move in legal}
        self.leads = {move: Mean() for move in legal}
        """By how much the leader is better."""
        self.left = list(legal)
        self.leader = legal[0]
        self.next_look = FIRST_LOOK
        comparisons = max(1, len(legal) - 1) * LOOKS
        self.z = NormalDist().inv_cdf(1 - (1 - confidence) / comparisons) if confidence < 1 else inf

    @property
    def is_decided(self) -> bool:
        """Whether a single move is left."""
        return len(self.left) == 1

    def play(self, rollouts: Rollouts, repeats: int, supply: WorldSupply) -> None:
        """Play the moves that are left in one world."""
        totals = dict.fromkeys(self.left, 0.0)
        counts = dict.fromkeys(self.left, 0)
        for _ in range(repeats):
            for move in self.left:
                totals[move] += rollouts.value(move)
                counts[move] += 1
                if supply.is_late():  # many moves and long matches
                    break
            else:
                continue
            break
        weight = rollouts.world.weight
        is_whole = counts[self.left[-1]] == repeats
        for move, total in totals.items():
            if count := counts[move]:
                self.means[move].add(count, weight * count, weight * total)
                if is_whole:
                    self.leads[move].add(count, weight * count, weight * (totals[self.leader] - total))
        if supply.drawn >= self.next_look:
            self.next_look *= 2
            self._look()

    def _look(self) -> None:
        """Drop the moves that cannot be the best any more, and choose who leads."""
        self.left = [move for move in self.left if move == self.leader or not self._is_behind(move, self.z)]
        leader = max(self.left, key=lambda move: self.means[move].mean)
        if leader != self.leader:
            self.leader = leader
            self.leads = {move: Mean() for move in self.left}

    def _is_behind(self, move: str, z: float) -> bool:
        """Tell whether a move is behind the leader by more than `z` standard errors.

        As if there were one more world, in which it were worth all and the leader nothing: worlds that all look alike
        do not say that there is none like that.
        """
        lead = self.leads[move]
        return lead.clusters > 1 and lead.mean > z * max(lead.error, 1 / lead.clusters)

    def is_clear(self) -> bool:
        """Tell whether more time would hardly help: the leader is ahead of all others, or level with them."""
        if max(self.left, key=lambda move: self.means[move].mean) != self.leader:
            return False
        return all(
            self._is_behind(move, CLEAR) or self.leads[move].error < LEVEL for move in self.left if move != self.leader
        )

    def evaluation(self, supply: WorldSupply) -> Evaluation:
        """Return what was found."""
        left = set(self.left)
        moves = [MoveValue(move, mean.mean, mean.error, mean.count) for move, mean in self.means.items()]
        moves.sort(key=lambda value: (value.move in left, value.playouts > 0, value.mean), reverse=True)
        playouts = sum(value.playouts for value in moves)
        reason = "decided" if self.is_decided else supply.reason
        return Evaluation(tuple(moves), supply.drawn, playouts, supply.elapsed, reason)
