"""The costliest decisions of a bot: what another move would have added to its chance to win, by playouts.

Candidates are compared by sequential halving: all with few playouts, then the better half with more, and so on (Z.
Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits", 2013). Whatever is chosen because
it looks costly looks costlier than it is, so the decisions that remain, each with the move that looked best, are
estimated again with playouts of their own: only these are reported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, log2
from typing import TypeAlias

import numpy as np

from arena.ratings.multiple_testing import ALPHA, holm
from arena.values.errors import ArenaError
from arena.values.process_pool import process_pool
from arena_insight.analysis.errors import KILLED, AnalysisError
from arena_insight.analysis.playouts import MoveEstimate, PlayoutPosition
from arena_insight.weaknesses.candidates import Candidate
from arena_insight.weaknesses.decisions import Decision
from referee.engine.errors import EngineError

PLAYOUTS_EACH = 100
"""Playouts for each candidate, of all there are."""

SEARCH = 0.4
"""The share of the playouts by which decisions are chosen."""

MOST_CANDIDATES = 64

REPORTED = 5
"""Decisions that are estimated again at most."""


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision of the bot and the move that would have been better.

    All numbers are from playouts that had no part in choosing the decision and the move.
    """

    decision: Decision
    better: str
    """The move that would have been better."""
    chance: float
    """The chance to win after the move that was played."""
    better_chance: float
    """The chance to win after the better move."""
    cost: float
    """The difference of the two chances."""
    error: float
    """The standard error of the cost."""
    p_value: float
    """The one-sided p-value of the hypothesis that it cost nothing, adjusted for all decisions that were estimated."""

    @property
    def is_separated(self) -> bool:
        """Whether the decision cost something, at a familywise error rate of 5 %."""
        return self.p_value <= ALPHA


@dataclass(frozen=True, slots=True)
class CostlyDecisions:
    """The costliest decisions, those that cost most first."""

    decisions: Sequence[CostlyDecision]
    candidates: int
    """The number of candidates that were compared."""
    playouts: int
    """The number of playouts in all."""


_Task: TypeAlias = tuple[Candidate, Sequence[str], int, int, str | None]
"""Moves to compare with the played one, the playouts for each, a seed, and the sample bot that plays."""


def candidates_for(playouts: int) -> int:
    """Return how many candidates can be compared with so many playouts in all."""
    return min(max(playouts // PLAYOUTS_EACH, 2), MOST_CANDIDATES)


def find_costly_decisions(
    candidates: Sequence[Candidate],
    playouts: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    policy: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CostlyDecisions:
    """Return the costliest of some decisions.

    playouts: about how many are made in all.
    seed: the same one gives the same result.
    jobs: the number of processes.
    policy: the sample bot that plays the playouts; None: the best one.
    progress: is told the playouts made, and how many there are.
    """
    search = _Search(candidates, playouts, seed, policy, progress)
    if not search.alive:
        return CostlyDecisions((), 0, 0)
    with _executor(jobs) as play:
        remaining = min(REPORTED, ceil(len(candidates) / 4))
        rounds = max(1, ceil(log2(len(candidates) / remaining)))
        for number in range(rounds):
            search.compare(play, SEARCH * playouts / rounds, number)
            is_last = number == rounds - 1
            search.halve(remaining if is_last else max(remaining, ceil(len(search.alive) / 2)))
        decisions = search.estimate_again(play, playouts - search.made, rounds)
    return CostlyDecisions(decisions, search.compared, search.made)


class _Contender:
    """A candidate in the search.

    sums: of the differences to the played move, by move.
    playouts: how many there were for each of these moves.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.sums: dict[str, float] = dict.fromkeys(candidate.others, 0.0)
        self.playouts = 0

    @property
    def best(self) -> str:
        """The move that looks best so far."""
        return max(self.sums, key=lambda move: self.sums[move])

    @property
    def cost(self) -> float:
        """What the played move seems to cost."""
        return self.sums[self.best] / max(self.playouts, 1)

    def add(self, estimates: Sequence[MoveEstimate], playouts: int) -> None:
        """Add the result of a round, and keep the better half of the moves."""
        for estimate in estimates:
            if estimate.move in self.sums:
                self.sums[estimate.move] += playouts * estimate.difference
        self.playouts += playouts
        kept = sorted(self.sums, key=lambda move: -self.sums[move])[: ceil(len(self.sums) / 2)]
        self.sums = {move: self.sums[move] for move in kept}


_Play: TypeAlias = Callable[[Iterable[_Task]], Iterator[Sequence[MoveEstimate] | None]]


class _Search:
    """Finds the costliest decisions.

    alive: the contenders that are left, in the order of the candidates.
    made: the number of playouts so far.
    compared: the number of candidates that could be compared.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        playouts: int,
        seed: int,
        policy: str | None,
        progress: Callable[[int, int], None],
    ) -> None:
        self.alive = [contender for contender in map(_Contender, candidates) if contender.sums]
        self.made = 0
        self.compared = 0
        self._total = playouts
        self._seed = seed
        self._policy = policy
        self._progress = progress

    def compare(self, play: _Play, budget: float, number: int) -> None:
        """Compare the moves of all that are left.

        budget: playouts in all.
        number: of the round.
        """
        moves = sum(len(contender.sums) + 1 for contender in self.alive)
        playouts = max(2, int(budget / max(moves, 1)))
        tasks = [
            (contender.candidate, tuple(contender.sums), playouts, self._seed_of(number), self._policy)
            for contender in self.alive
        ]
        results = self._played(play, tasks)
        self.alive = [
            contender for contender, estimates in zip(self.alive, results, strict=True) if estimates is not None
        ]
        self.compared = self.compared or len(self.alive)
        for contender, estimates in zip(self.alive, filter(None, results), strict=True):
            contender.add(estimates, playouts)

    def halve(self, remaining: int) -> None:
        """Keep those that seem to have cost most."""
        kept = sorted(self.alive, key=lambda contender: -contender.cost)[:remaining]
        self.alive = [contender for contender in self.alive if contender in kept]

    def estimate_again(self, play: _Play, budget: float, number: int) -> list[CostlyDecision]:
        """Estimate what is left with playouts of its own; the decision that cost most comes first."""
        playouts = max(2, int(budget / max(2 * len(self.alive), 1)))
        tasks = [
            (contender.candidate, (contender.best,), playouts, self._seed_of(number), self._policy)
            for contender in self.alive
        ]
        pairs = [
            (contender, {estimate.move: estimate for estimate in estimates})
            for contender, estimates in zip(self.alive, self._played(play, tasks), strict=True)
            if estimates is not None
        ]
        tests = [_p_value(estimates[contender.best]) for contender, estimates in pairs]
        return sorted(
            (
                CostlyDecision(
                    contender.candidate.decision,
                    contender.best,
                    estimates[contender.candidate.decision.move].chance,
                    estimates[contender.best].chance,
                    estimates[contender.best].difference,
                    estimates[contender.best].difference_error,
                    float(p_value),
                )
                for (contender, estimates), p_value in zip(pairs, holm(np.array(tests)), strict=True)
            ),
            key=lambda decision: -decision.cost,
        )

    def _played(self, play: _Play, tasks: Sequence[_Task]) -> list[Sequence[MoveEstimate] | None]:
        results = []
        for (_, moves, playouts, *_), result in zip(tasks, play(tasks), strict=True):
            results.append(result)
            self.made += playouts * (len(moves) + 1)
            self._progress(self.made, self._total)
        return results

    def _seed_of(self, number: int) -> int:
        return 1000 * self._seed + number


def _p_value(estimate: MoveEstimate) -> float:
    """Return how likely the difference is, or a larger one, if the move were no better."""
    from scipy.special import ndtr

    if estimate.difference_error == 0:
        return 0.0 if estimate.difference > 0 else 1.0
    return float(ndtr(-estimate.difference / estimate.difference_error))


def _compare(task: _Task) -> Sequence[MoveEstimate] | None:
    """Compare moves at a decision as its seat knew the match; None where that is impossible."""
    candidate, moves, playouts, seed, policy = task
    seat = candidate.decision.sitting.place.seat
    try:
        position = PlayoutPosition(candidate.match, candidate.decision.position, seat, seed=seed, policy=policy)
        return position.compare_moves(seat, playouts, moves)
    except (AnalysisError, ArenaError, EngineError):
        return None


@contextmanager
def _executor(jobs: int) -> Iterator[_Play]:
    """Yield what plays tasks, in processes if there is more than one job."""
    if jobs == 1:
        yield lambda tasks: map(_compare, tasks)
        return
    with process_pool(jobs, AnalysisError(KILLED)) as pool:
        yield lambda tasks: pool.map(_compare, tasks)
