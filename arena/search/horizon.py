"""Where a playout stops, and what the standings there are worth.

Matches are long, and what comes many deals later has little to do with the move of now, but much with chance. So
playouts stop when the deal under way is over and its points are counted, if a few playouts to the end show that deals
change the scores of this game; otherwise, as where a deal costs tokens and only the last one pays, at the end of the
match, and so where that is not far. `Line.begins` says when a deal is over: as the next one begins.

At the end of the match the ranks count. Before it a seat that leads another by some points is ahead of it in the end
with the probability that the normal distribution gives: the playouts to the end also show how much the rest of the
match moves the differences of scores.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from math import erf, sqrt
from random import Random
from statistics import fmean
from typing import Self

from arena.positions import Policy, World
from referee.engine.game import Game, Outcome

KINDS = ("set", "deal", "round")
"""What can begin with a line of the log, the outermost first."""

SETTLED = 0.75
"""A kind of beginning is a horizon if the scores have moved in this share of what it separates."""

PLAYOUTS = 8
"""How many playouts to the end a horizon is measured with."""

SHARE = 0.1
"""The share of the time of a search in which these playouts begin."""

SHORT = 24
"""A match with so few decisions left, on average, is played to its end: what is done now may matter in later deals.

With more, what comes of these hides what comes of the move, and takes the time of other worlds.
"""

MOST_DECISIONS = 1000
"""After so many decisions a playout stops wherever it is."""


class Horizon:
    """Where playouts stop, and what the standings there are worth.

    until: the kind of beginning at which they stop: "set", "deal" or "round"; empty: the end of the match.
    spread: the standard deviation of what the rest of the match adds to the difference of two scores; 0: nothing.
    left: how many decisions the rest of the match had, on average, as this was measured; 0: it was not.
    """

    __slots__ = ("until", "spread", "left", "stops", "_others")

    def __init__(self, game: Game, seats: int, until: str = "", spread: float = 0.0, left: float = 0.0) -> None:
        self.until = until
        self.spread = spread
        self.left = left
        self._others = tuple([tuple([other for other in range(seats) if other != seat]) for seat in range(seats)])
        self.stops = beginnings(game, until) if until else frozenset()

    @classmethod
    def measure(
        cls,
        world: World,
        rng: Random,
        policies: Sequence[Policy | None] = (),
        has_used: Callable[[float], bool] = lambda share: False,
    ) -> Self:
        """Choose the horizon for playouts that begin in a world: by a few of them, to the end of the match.

        has_used: tells whether that share of the time is over; a tenth of it is spent on this.
        """
        game, left = world.game, 0.0
        for kind in (kind for kind in KINDS if beginnings(game, kind)):
            measured = _Measured()
            for number in range(PLAYOUTS):
                if number and has_used(SHARE):
                    break
                measured.play(world.copy(), kind, rng, policies)
            left = measured.decisions / len(measured.added)
            if measured.is_short:
                break
            if measured.is_settled:
                return cls(game, world.seats, kind, measured.spread(), left)
        return cls(game, world.seats, left=left)

    def is_reached(self, world: World, known: int) -> bool:
        """Tell whether playouts stop here.

        known: how many events there were before the last moves.
        """
        state = world.state
        if not state.asked:
            return True
        stops = self.stops
        if stops:
            for event in state.events[known:]:
                if event[0] in stops:
                    return True
        return False

    def values(self, world: World, seats: Sequence[int]) -> list[float]:
        """Return what the standings are worth to each of these seats: 0 to 1.

        It is the share of the others that it is ahead of, or can be expected to be in the end. Who is level with it, as
        its team mates are, counts half.
        """
        outcome = world.state.outcome()
        spread = self.spread if world.state.asked else 0.0
        return [_value(outcome, seat, self._others[seat], spread) for seat in seats]


def _value(outcome: Outcome, seat: int, others: Sequence[int], spread: float) -> float:
    if not others:
        return 0.5
    ranks, scores = outcome.ranks, outcome.scores
    rank, score = ranks[seat], scores[seat]
    total = 0.0
    for other in others:
        lead = ranks[other] - rank  # above 0: ahead
        if not lead:
            total += 0.5
        elif spread and (distance := abs(scores[other] - score)):  # the ranks know which way: few points may be better
            ahead = 0.5 * (1.0 + erf(distance / spread / _ROOT_2))
            total += ahead if lead > 0 else 1.0 - ahead
        else:
            total += 1.0 if lead > 0 else 0.0
    return total / len(others)


_ROOT_2 = sqrt(2)


class _Measured:
    """What playouts to the end show of one kind of beginning."""

    def __init__(self) -> None:
        self.decisions = 0
        self.parts = 0
        """Sets, deals or rounds that were played."""
        self.moved = 0
        """Those of them in which the scores changed."""
        self.added: list[tuple[int, ...]] = []
        """What came after the first of them, by playout and seat."""

    def play(self, world: World, kind: str, rng: Random, policies: Sequence[Policy | None]) -> None:
        """Play a world to the end of the match."""
        scores = world.scores
        first: tuple[int, ...] = ()
        decisions = 0
        while not world.is_over and decisions < MOST_DECISIONS:
            decisions += world.playout(rng, policies, until=kind, most=MOST_DECISIONS - decisions)
            before, scores = scores, world.scores
            self.parts += 1
            self.moved += scores != before
            first = first or scores
        self.decisions += decisions
        self.added.append(tuple([last - early for last, early in zip(scores, first, strict=True)]))

    @property
    def is_short(self) -> bool:
        """Whether the end of the match is near, or the part under way is its last."""
        playouts = len(self.added)
        return self.decisions <= SHORT * playouts or self.parts == playouts

    @property
    def is_settled(self) -> bool:
        """Whether the scores nearly always move from one beginning to the next."""
        return self.moved >= SETTLED * self.parts

    def spread(self) -> float:
        """Return the standard deviation of what came after the first beginning, in the difference of two scores."""
        squares = [(one - other) ** 2 for added in self.added for one, other in combinations(added, 2)]
        return sqrt(fmean(squares)) if squares else 0.0


@cache
def beginnings(game: Game, kind: str) -> frozenset[int]:
    """Return the numbers of the lines with which a set, deal or round of a game begins."""
    return frozenset(number for number, line in enumerate(game.lines) if line.begins == kind)
