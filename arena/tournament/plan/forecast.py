"""What a tournament will be before it is played: its matches, who meets whom, and what it can tell apart."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from arena.ratings.keyed_sums import Ints
from arena.ratings.ranking import ELO_PER_NAT
from arena.store.rows import SpeedRow
from arena.tournament.plan.formats import Format

SURE = 1.96
"""Standard errors on each side of a 95 % interval."""

READ = 20_000
"""Matches of an earlier tournament that are looked at; one with more has taken so long that starts do not matter."""

_SLOW_START = 1.5
"""Seconds for each start of a process at the most: what took longer was an interruption."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A plan in numbers.

    matches, deals. tables: of a round. rotations: of each deal. processes: that a phase starts; starts: that all do.
    meetings: by bot (row and column), the matches in which the two are opponents.
    successors: by bot, how often the column's bot sits right after the row's.
    resolves: the Elo difference at which two bots are told apart with 95 %, about; None where nobody meets.
    exact: whether all of it is known before the first match.
    """

    matches: int
    deals: int
    tables: int
    rotations: int
    processes: int
    starts: int
    meetings: Ints
    successors: Ints
    resolves: float | None
    exact: bool


def forecast(course: Format) -> Forecast:
    """Return what an event will come to; with stages, what is known of the first."""
    first = course.plan(0, lambda numbers: ())
    assert first is not None
    exact = course.matches == first.matches
    bots = first.bots
    meetings = np.zeros((bots, bots), np.int64)
    successors = np.zeros((bots, bots), np.int64)
    deals = set[int]()
    for deal in first.deals():
        deals.add(deal.number)
        seated = [player.entrant for player in deal.players]
        for one, other in combinations(seated, 2):
            if one != other:
                meetings[one, other] += first.rotations
                meetings[other, one] += first.rotations
        for one, other in zip(seated, [*seated[1:], seated[0]], strict=True):
            if one != other:
                successors[one, other] += first.rotations
    stages = round(course.matches / first.matches, 9)
    return Forecast(
        matches=course.matches,
        deals=len(deals) if exact else round(len(deals) * stages),
        tables=first.tables,
        rotations=first.rotations,
        processes=first.processes,
        starts=round(first.phases * first.processes * stages),
        meetings=meetings,
        successors=successors,
        resolves=resolves(meetings * (course.matches / first.matches), first.places),
        exact=exact,
    )


def duration(plan: Forecast, before: SpeedRow, cores: int) -> float:
    """Return the seconds that a plan will take, if an earlier tournament is a guide.

    What that took without playing went into starts of processes, of which there are as many whether the rounds are few
    or many. cores: that play at the same time, then and now.
    """
    if before.playing is None:
        return plan.matches * before.seconds / before.matches
    playing = before.playing / cores
    starting = min(max(before.seconds - playing, 0.0), _SLOW_START * before.starts)
    return plan.matches * playing / before.matches + plan.starts * starting / before.starts


def resolves(meetings: npt.NDArray[np.floating], places: int) -> float | None:
    """Return the difference in Elo that will be told apart between two bots of about equal strength.

    With equal strengths a meeting has the information 1/4; the comparisons of one match with k at the table hang
    together, which makes the variance (k + 1) / 3 times that of as many matches of two. What duplicate deals save is
    left out, so a tournament usually does better. The median over all pairs.
    """
    weights = meetings / 4
    if not weights.any():
        return None
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    spread = np.diag(inverse)
    variance = spread[:, None] + spread - 2 * inverse
    pairs = variance[np.triu_indices(len(weights), 1)]
    return float(SURE * ELO_PER_NAT * np.sqrt(np.median(pairs) * (places + 1) / 3))
