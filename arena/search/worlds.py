"""Worlds for a search, as many as its limits allow."""

from collections.abc import Callable, Iterator
from math import inf, sqrt
from random import Random

from arena.positions import Belief, NoWorld, World
from arena.search.source import Position
from arena.search.thinking_time import Allowance

MOST_REPEATS = 16
"""How often a world is used at most."""

CANDIDATES = 4
"""Of so many worlds one is chosen by their weights, where there is a belief and no time has been measured."""

MOST_CANDIDATES = 16
"""Of how many at most."""

Clock = Callable[[], float]


class WorldSupply:
    """Draws worlds until the time is over, and says how often each is worth using.

    Where it takes long to draw a world compared with playing it on, each is used several times. What comes of one
    world depends on it, so a world less counts more than a playout less: with a world that costs as much as n playouts
    the square root of n is best if worlds differ as much as playouts of one world do (two-stage sampling).

    Where a belief weighs the worlds, most of them hardly count, and it takes longer to play them on than to draw them.
    So one of several is chosen, with a probability that is proportional to its weight, and has the mean of their
    weights (sampling, importance resampling: Rubin 1988). With k of them, which take d to draw and p to play on each,
    the weights of those chosen vary by 1/k of the variance v of all of them, in squares of their mean, so that
    k = sqrt(v p / d) is best.

    drawn: the number of worlds so far.
    reason: why there are no more: "time" or "worlds"; empty as long as there are.
    """

    def __init__(
        self,
        position: Position,
        worlds: int | None,
        seconds: float | Allowance | None,
        clock: Clock,
        belief: Belief | None = None,
        rng: Random | None = None,
    ) -> None:
        """Start the clock.

        worlds: the most worlds; None: any number.
        seconds: the time; None: any.
        belief: how others choose, which gives the worlds their weights; None: all have the same.
        rng: chooses by weight; None: a new one.

        Raises ValueError where nothing limits the search.
        """
        if worlds is not None and worlds < 1:
            raise ValueError(f"{worlds} worlds: a search needs one at least")
        if worlds is None and seconds is None:
            raise ValueError("give `worlds` or `seconds`, or both: the search ends at whichever comes first")
        self.drawn = 0
        self.reason = ""
        self._position = position
        self._belief = belief
        self._most = worlds
        self._rng = rng or Random()
        self._candidates = 0
        """How many worlds were drawn to choose from, the sum of their weights and that of the squares of these."""
        self._weights = 0.0
        self._squares = 0.0
        if seconds is None:
            seconds = inf
        self._allowance = seconds if isinstance(seconds, Allowance) else Allowance(seconds, seconds)
        self._is_timed = self._allowance.most < inf
        self._clock = clock
        self._started = clock()
        self._drawing = 0.0
        self._playing = 0.0
        self._used = 0

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return self._clock() - self._started

    @property
    def most_seconds(self) -> float:
        """When the search ends in any case, in seconds after its start."""
        return self._allowance.most

    def is_late(self) -> bool:
        """Tell whether the search must end in any case."""
        return self._is_timed and self.elapsed >= self._allowance.most

    def has_used(self, share: float) -> bool:
        """Tell whether a share of the time is over."""
        return self._is_timed and self.elapsed >= share * self._allowance.seconds

    def rest(self) -> float:
        """Return how much is left of time and worlds, as a multiple of what was used."""
        rest = inf if self._most is None else self._most / self.drawn - 1
        if self._is_timed and (elapsed := self.elapsed):
            rest = min(rest, self._allowance.seconds / elapsed - 1)
        return rest

    def is_over(self, is_clear: Callable[[], bool]) -> bool:
        """Tell whether the time is over.

        is_clear: tells whether the search knows which move is best; it goes on for longer otherwise, where it may.
        """
        elapsed = self.elapsed
        over = elapsed >= self._allowance.most or (elapsed >= self._allowance.seconds and is_clear())
        if over:
            self.reason = "time"
        return over

    def draw(self) -> Iterator[tuple[World, int]]:
        """Yield worlds, and how often to use each, until there are as many as were asked for, or no other is found.

        Raises NoWorld where there is none at all.
        """
        while self._most is None or self.drawn < self._most:
            before = self._clock()
            try:
                world = self._one()
            except NoWorld:
                if not self.drawn:
                    raise
                break
            del world.state.events[:]  # rules read none of them, and each copy would copy them
            after = self._clock()
            self.drawn += 1
            self._drawing += after - before
            repeats = self._repeats()
            yield world, repeats
            self._playing += self._clock() - after
            self._used += repeats
        self.reason = "worlds"

    def _one(self) -> World:
        """Return a world: where a belief weighs them, one of several. Raises NoWorld."""
        if self._belief is None:
            return self._position.world()
        worlds = [self._position.world(self._belief) for _ in range(self._choices())]
        weights = [world.weight for world in worlds]
        self._candidates += len(worlds)
        self._weights += (total := sum(weights))
        self._squares += sum([weight * weight for weight in weights])
        if not total:
            return worlds[0]
        (world,) = self._rng.choices(worlds, weights)
        world.weight = total / len(worlds)
        return world

    def _choices(self) -> int:
        """Return of how many worlds to choose one. A search without a clock always of as many, to be repeatable."""
        if not self._is_timed or not self._used or not self._drawing or not self._weights:
            return CANDIDATES
        variance = self._candidates * self._squares / self._weights**2 - 1
        price = (self._playing / self.drawn) / (self._drawing / self._candidates)
        return max(1, min(MOST_CANDIDATES, round(sqrt(max(0.0, variance) * price))))

    def _repeats(self) -> int:
        """Return how often to use a world. A search without a clock uses each once, so that it can be repeated."""
        if not self._is_timed or not self._used or not self._playing:
            return 1
        price = (self._drawing / self.drawn) / (self._playing / self._used)
        return max(1, min(MOST_REPEATS, round(sqrt(price))))
