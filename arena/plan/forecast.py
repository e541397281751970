"""Forecast of a tournament: its matches, its duration, who meets whom, and which Elo differences it can resolve."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from arena.language.message import Message
from arena.plan.formats import Format
from arena.ratings.keyed_sums import Ints
from arena.ratings.ranking import ELO_PER_NAT
from arena.values.rows import SpeedRow

Z_95 = 1.96
"""Standard errors on each side of a 95 % interval."""

MAX_SPEED_MATCHES = 20_000
"""The most matches of an earlier tournament to measure its speed by; with more, starts no longer matter."""

_SLOW_START = 1.5
"""The most seconds that starting a process can take; a longer time is an interruption of the tournament."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a tournament will be like."""

    matches: int
    deals: int
    tables: int
    """The number of tables in each round."""
    rotations: int
    """The number of rotations of each deal."""
    processes: int
    """The number of bot processes in each phase."""
    starts: int
    """The number of process starts in all phases."""
    meetings: Ints
    """The number of matches in which two bots are opponents, by bot (row and column)."""
    successors: Ints
    """How often the column's bot sits right after the row's."""
    resolution: float | None
    """About the Elo difference from which two bots are separated at 95 %; None if nobody meets."""
    exact: bool
    """Whether all of this is known before the first match."""
    stage: Message | None = None
    """What the first stage is called, which `meetings` and `successors` are of; None in formats without stages."""


def forecast(format: Format) -> Forecast:
    """Return the forecast of an event; if it is multi-stage, its meetings are those of the first stage."""
    first = format.plan(0, lambda numbers: ())
    assert first is not None
    exact = format.matches == first.matches
    bots = first.bots
    meetings = np.zeros((bots, bots), np.int64)
    successors = np.zeros((bots, bots), np.int64)
    deals = set[int]()
    for deal in first.iter_deals():
        deals.add(deal.number)
        bots_at_table = [player.entrant for player in deal.players]
        for one, other in combinations(bots_at_table, 2):
            if one != other:
                meetings[one, other] += first.rotations
                meetings[other, one] += first.rotations
        for one, other in zip(bots_at_table, [*bots_at_table[1:], bots_at_table[0]], strict=True):
            if one != other:
                successors[one, other] += first.rotations
    stages = round(format.matches / first.matches, 9)
    return Forecast(
        matches=format.matches,
        deals=len(deals) if exact else round(len(deals) * stages),
        tables=first.tables,
        rotations=first.rotations,
        processes=first.processes,
        starts=round(first.phases * first.processes * stages),
        meetings=meetings,
        successors=successors,
        resolution=elo_resolution(meetings * (format.matches / first.matches), first.table_size),
        exact=exact,
        stage=format.stage_name(0, lambda numbers: ()),
    )


def estimate_duration(plan: Forecast, earlier: SpeedRow, cores: int) -> float:
    """Estimate the duration of a tournament in seconds from the speed of an earlier one.

    The time of the earlier tournament in which no matches were played is attributed to process starts: their number
    does not grow with the rounds of a block.

    cores: how many are used at the same time, in both tournaments.
    """
    if earlier.playing is None:
        return plan.matches * earlier.seconds / earlier.matches
    playing = earlier.playing / cores
    starting = min(max(earlier.seconds - playing, 0.0), _SLOW_START * earlier.starts)
    return plan.matches * playing / earlier.matches + plan.starts * starting / earlier.starts


def elo_resolution(meetings: npt.NDArray[np.floating], table_size: int) -> float | None:
    """Return the Elo difference at which two bots of about equal strength are separated at 95 %.

    It is the median over all pairs. Between equal bots a meeting has Fisher information 1/4. The comparisons within
    one match of k bots are correlated, so their variance is (k + 1) / 3 times that of as many matches of two.
    Duplicate deals reduce the variance further, which is ignored: a tournament usually does better.

    meetings: by bot (row and column), the number of matches in which the two are opponents.
    """
    weights = meetings / 4
    if not weights.any():
        return None
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    diagonal = np.diag(inverse)
    variance = diagonal[:, None] + diagonal - 2 * inverse
    pairs = variance[np.triu_indices(len(weights), 1)]
    return float(Z_95 * ELO_PER_NAT * np.sqrt(np.median(pairs) * (table_size + 1) / 3))
