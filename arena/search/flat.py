"""Flat Monte Carlo: play each legal move in the same worlds, and each of these on to the horizon.

Time goes to the moves that may be the best. A move that cannot be it any more, by a confidence bound, is dropped; and
as bounds are wide where time is short and moves are many, half of those that are left are dropped whenever an equal
share of the time is over, until two are left: sequential halving (Karnin, Koren and Somekh 2013).

Where the seat has a policy of its own in playouts, the move that it chooses has the benefit of the doubt: all others
are compared with it, and one is played instead if it is better by more than a standard error. So the search plays like
the policy where it sees no difference, and not like chance.
"""

from collections.abc import Sequence
from math import ceil, inf, log2
from random import Random
from statistics import NormalDist
from time import perf_counter

from arena.positions import Belief, World
from arena.search.evaluation import Evaluation, Mean, MoveValue
from arena.search.experience import Experience
from arena.search.horizon import Horizon
from arena.search.playouts import Playouts, begin
from arena.search.policies import Policies
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

MARGIN = 1.0
"""By how many standard errors a move must be ahead of that of the seat's policy to be taken instead."""

LEVEL = 0.002
"""Moves are taken for level where their difference is known with a standard error as small as that."""


def evaluate(
    position: Position,
    *,
    worlds: int | None = None,
    seconds: float | Allowance | None = None,
    policies: Policies = "learnt",
    belief: Belief | None = None,
    horizon: Horizon | None = None,
    experience: Experience | None = None,
    confidence: float = CONFIDENCE,
    halving: bool = True,
    margin: float = MARGIN,
    rng: Random | None = None,
    clock: Clock = perf_counter,
) -> Evaluation:
    """Evaluate each legal move of a position by playouts in common worlds.

    Moves that are probably not the best are not played in further worlds, and the search ends when one is left. Memory
    does not grow with the number of worlds.

    position: the question.
    worlds: the most worlds.
    seconds: the time, or an allowance of it; one of the two at least limits the search.
    policies: who chooses in playouts; by default what has done well in those before.
    belief: how others choose, from what they see, as `Position.world` takes it: worlds in which they would hardly have
        done what they did count less; by default all count alike.
    horizon: where playouts stop; by default it is measured.
    experience: what earlier searches of the match have shown, and where this one adds to it; by default nothing.
    confidence: with which probability no bound drops the best move; 1: none is dropped by it.
    halving: whether half of the moves are dropped again and again, to tell the best ones apart.
    margin: by how many standard errors another move must be ahead of that which the seat's own policy chooses, where it
        has one among `policies`; 0: it need not.
    rng: the source of chance; by default a new one.
    clock: seconds of a clock that never goes back.

    Raises ValueError without a legal move or a limit, PolicyError where a policy fails, and NoWorld where no world is
    found.
    """
    legal = position.legal
    if not legal:
        raise ValueError("the position has no legal move: its seat is not asked")
    if not 0 < confidence <= 1:
        raise ValueError(f"a confidence of {confidence}: give more than 0 and at most 1")
    if margin < 0:
        raise ValueError(f"a margin of {margin} standard errors: give 0 or more")
    rng = rng or Random()
    supply = WorldSupply(position, worlds, seconds, clock, belief, rng)
    if len(legal) == 1:
        return Evaluation((MoveValue(legal[0], 0.5, inf, 0),), 0, 0, supply.elapsed, "forced")
    race = _Race(position.seat, legal, confidence, margin, halving=halving)
    playouts: Playouts | None = None
    for world, repeats in supply.draw():
        if playouts is None:
            playouts = begin(world, policies, horizon, rng, supply, experience)
            race.plan(playouts.planned(world, position.seat, legal))
        race.play(world, repeats, playouts, supply)
        if race.is_decided or supply.is_over(race.is_clear):
            break
    return race.evaluation(supply)


class _Race:
    """The moves of a question: what is known of each, and which can still be the best.

    Every further world is paired: in it each move is compared with the leader at the last look; or with the move that
    the seat's policy has planned, where it has one.
    """

    def __init__(self, seat: int, legal: Sequence[str], confidence: float, margin: float, *, halving: bool) -> None:
        self.seat = seat
        self.legal = legal
        self.means = {move: Mean() for move in legal}
        self.leads = {move: Mean() for move in legal}
        """By how much the leader is better."""
        self.left = list(legal)
        self.leader = legal[0]
        self.planned = ""
        self.margin = margin
        self.next_look = FIRST_LOOK
        self.halvings = ceil(log2(len(legal))) if halving else 1
        self.halved = 0
        comparisons = max(1, len(legal) - 1) * LOOKS
        self.z = NormalDist().inv_cdf(1 - (1 - confidence) / comparisons) if confidence < 1 else inf

    @property
    def is_decided(self) -> bool:
        """Whether a single move is left."""
        return len(self.left) == 1

    def plan(self, move: str) -> None:
        """Compare all moves with one that is good without a search; "": there is none."""
        self.planned = move
        self.leader = move or self.leader

    def play(self, world: World, repeats: int, playouts: Playouts, supply: WorldSupply) -> None:
        """Play the moves that are left in one world."""
        totals = dict.fromkeys(self.left, 0.0)
        counts = dict.fromkeys(self.left, 0)
        for _ in range(repeats):
            for move in self.left:
                totals[move] += self._value(world.copy(), move, playouts)
                counts[move] += 1
                if supply.is_late():  # many moves and long matches
                    break
            else:
                continue
            break
        weight = world.weight
        is_whole = counts[self.left[-1]] == repeats
        for move, total in totals.items():
            if count := counts[move]:
                self.means[move].add(count, weight * count, weight * total)
                if is_whole:
                    self.leads[move].add(count, weight * count, weight * (totals[self.leader] - total))
        if supply.drawn >= self.next_look:
            self.next_look *= 2
            self._look()
        if self.halved + 1 < self.halvings and (self.halved + 1) / self.halvings <= 1 / (1 + supply.rest()):
            self.halved += 1
            self._halve()

    def _value(self, world: World, move: str, playouts: Playouts) -> float:
        """Return what a move is worth in one playout."""
        state, own = world.state, self.seat
        # Sealed answers of others are chosen without knowing the move.
        moves = [move if seat == own else playouts.choose(world, seat, state.legal(seat), "") for seat in state.asked]
        playouts.noted(own, "", move, playouts.node(world, own, self.legal))
        state.apply(moves)
        if not playouts.horizon.is_reached(world, 0):
            playouts.play_on(world, moves[-1])
        return playouts.finished(world, (own,))[0]

    def _look(self) -> None:
        """Drop the moves that cannot be the best any more, and choose who leads."""
        self.left = [move for move in self.left if move == self.leader or not self._is_behind(move, self.z)]
        self._follow(max(self.left, key=lambda move: self.means[move].mean))

    def _halve(self) -> None:
        """Drop the worse half of the moves, down to two."""
        most = max(2, ceil(len(self.legal) / 2**self.halved))
        if len(self.left) > most:
            ranked = sorted(self.left, key=lambda move: (move == self.planned, self.means[move].mean), reverse=True)
            best = set(ranked[:most])
            self.left = [move for move in self.left if move in best]
            self._follow(max(self.left, key=lambda move: self.means[move].mean))

    def _follow(self, leader: str) -> None:
        """Compare the moves with another leader from now on."""
        if leader != self.leader and not self.planned:
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
        rival = self._rival()
        if rival != self.leader:
            return bool(self.planned) and self._is_ahead(rival, CLEAR)
        return all(
            self._is_behind(move, CLEAR) or self.leads[move].error < LEVEL for move in self.left if move != self.leader
        )

    def _rival(self) -> str:
        """Return the move that has done best."""
        if self.planned:
            return min(self.left, key=lambda move: self.leads[move].mean)
        return max(self.left, key=lambda move: self.means[move].mean)

    def _is_ahead(self, move: str, z: float) -> bool:
        """Tell whether a move is ahead of the planned one by more than `z` standard errors.

        As if there were one more world, in which it were worth nothing and the planned one all.
        """
        lead = self.leads[move]
        return lead.clusters > 1 and -lead.mean > z * max(lead.error, 1 / lead.clusters)

    def evaluation(self, supply: WorldSupply) -> Evaluation:
        """Return what was found."""
        left = set(self.left)
        moves = [MoveValue(move, mean.mean, mean.error, mean.count) for move, mean in self.means.items()]
        moves.sort(
            key=lambda value: (value.move in left, 0 if value.move in left else value.playouts, value.mean),
            reverse=True,
        )
        if self.planned:
            rival = self._rival()
            best = rival if self._is_ahead(rival, self.margin) else self.planned
            moves.sort(key=lambda value: value.move != best)
        playouts = sum(value.playouts for value in moves)
        reason = "decided" if self.is_decided else supply.reason
        return Evaluation(tuple(moves), supply.drawn, playouts, supply.elapsed, reason, self.planned)
