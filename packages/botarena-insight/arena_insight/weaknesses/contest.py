"""The seats that a bot and its opponents held in the matches of a tournament or a league, by deal.

Matches of one deal have the same cards or dice, so whoever else held the same seat in the same deal shows what could
be made of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arena_insight.weaknesses.frequencies import MIN_DEALS


class Place(NamedTuple):
    """A seat in a deal: whoever holds it has the same cards."""

    deal: tuple[bytes, int]
    """The seed of the deal, with the number of seats."""
    seat: int


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """A seat that a bot held in a match."""

    match: int
    """The id of the match."""
    deal: int
    """The number of the deal in its tournament or batch."""
    place: Place
    bot: int
    """The number of the bot: its place in the field of a tournament, or its entry in a league."""
    score: float
    """The score of the seat, in the game's unit."""
    points: float
    """The mean of the points against its rivals, from 0 to 1."""
    rivals: tuple[tuple[int, float], ...]
    """The numbers of the bots in the seats of other teams, each with the points against it: 1, 0.5 for a tie, or 0."""
    decisions: int
    """The number of decisions of all seats of the match."""
    faults: Mapping[str, int]
    """The number of faults of the seat, by kind."""
    forfeit: bool


class Interval(NamedTuple):
    """A mean with half the width of its 95 % interval; None where the deals are too few, or too alike, to tell."""

    mean: float
    ci95: float | None


@dataclass
class Contest:
    """A bot, and all who played the deals that it played."""

    game: str
    """The name of the game."""
    names: Mapping[int, str]
    """The names of the bots, by their numbers."""
    elo: Mapping[int, float]
    """The ratings of those bots that have one, by their numbers."""
    bot: int
    """The number of the bot whose losses are to be explained."""
    sittings: Sequence[Sitting] = field(default_factory=list)
    """The sittings of all bots in the deals that the bot played."""

    @cached_property
    def better(self) -> frozenset[int]:
        """The bots with a higher rating that held one of its seats in the same deal; of the best bot all others."""
        met = {sitting.bot for places in self.others.values() for sitting in places}
        own = self.elo.get(self.bot)
        higher = {bot for bot in met if own is not None and self.elo.get(bot, own) > own}
        return frozenset(higher or met)

    @property
    def is_best(self) -> bool:
        """Whether nobody of those has a higher rating."""
        own = self.elo.get(self.bot)
        return own is None or all(self.elo.get(bot, own) <= own for bot in self.better)

    @cached_property
    def own(self) -> list[Sitting]:
        """The seats that the bot held, in the order of the matches."""
        return sorted(
            (sitting for sitting in self.sittings if sitting.bot == self.bot),
            key=lambda sitting: (sitting.match, sitting.place),
        )

    @cached_property
    def others(self) -> dict[Place, list[Sitting]]:
        """By the seats of deals that the bot held, the other bots that held them."""
        places = {sitting.place for sitting in self.own}
        found: dict[Place, list[Sitting]] = defaultdict(list)
        for sitting in self.sittings:
            if sitting.bot != self.bot and sitting.place in places:
                found[sitting.place].append(sitting)
        return found

    def shortfall(self, sitting: Sitting) -> float | None:
        """Return how many points better bots made of the seat beyond those of the bot; None if none held it."""
        points = [rival.points for rival in self.others.get(sitting.place, ()) if rival.bot in self.better]
        return sum(points) / len(points) - sitting.points if points else None


def mean_by_deal(values: Iterable[tuple[tuple[bytes, int], float]]) -> Interval:
    """Return the mean of values, each with its deal, and its 95 % interval; values of one deal may depend on another.

    The interval is Student's for a ratio of sums over deals (linearised). Some deals that happen to be alike would make
    it 0, so it takes `MIN_DEALS`, and a difference between them.
    """
    from scipy.special import stdtrit

    sums: dict[tuple[bytes, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for deal, value in values:
        sums[deal][0] += value
        sums[deal][1] += 1
    if not sums:
        return Interval(0.0, None)
    totals = np.array(list(sums.values()))
    mean = float(totals[:, 0].sum() / totals[:, 1].sum())
    deals = len(totals)
    if deals < MIN_DEALS:
        return Interval(mean, None)
    residuals = totals[:, 0] - mean * totals[:, 1]
    error = float(np.sqrt(deals / (deals - 1) * (residuals**2).sum()) / totals[:, 1].sum())
    return Interval(mean, float(stdtrit(deals - 1, 0.975)) * error if error > 1e-9 else None)
