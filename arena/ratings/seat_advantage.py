"""Seat advantage: how much better a bot does in a seat than on average over all seats.

The seat is modelled as a partner of the bot that holds it: a team of a bot and a seat has their mean strength. The fit
of teams then separates bots and seats, with intervals clustered by deal; the share of one half each only doubles the
scale. In two-player games the difference of the two seats is what chess calls the advantage of White.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.degeneracy import at_least_naive
from arena.ratings.ranking import ELO_PER_NAT, half_widths
from arena.ratings.source import ResultSource
from arena.ratings.tally import Tally
from arena.values.errors import RatingError
from arena.values.result import Result

_SEAT = "\0seat "
"""The prefix of a seat's name, which no bot's name has."""


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """The advantage of a seat in Elo, and half the width of its 95 % interval, None if there are too few deals."""

    seat: int
    elo: float
    ci95: float | None


def seat_advantages(source: ResultSource) -> tuple[SeatAdvantage, ...]:
    """Estimate the advantage of each seat in Elo, in the order of the seats; their mean is 0.

    source: matches between bots that play alone, all with the same number of seats. They are read twice.

    Raises RatingError if tables differ in size or have teams, or if a seat won or lost everything.
    """
    sizes: set[int] = set()
    totals = Tally(result._replace(deal=0) for result in _with_seats(source.results(), sizes)).totals()
    if len(sizes) != 1:
        raise RatingError("what a seat is worth is told only where all tables have the same number of seats")
    solution = solve_in_chunks(totals, lambda: (_with_seats(chunk, sizes) for chunk in source.chunks()))
    names = totals.lineup.bots
    seat_numbers = [names.index(f"{_SEAT}{seat}") for seat in range(*sizes)]
    if not solution.connectivity.same_component[np.ix_(seat_numbers, seat_numbers)].all():
        raise RatingError("what a seat is worth is not told yet: the results leave it open; play more rounds")
    contrasts = np.zeros((len(seat_numbers), len(names)))
    contrasts[range(len(seat_numbers)), seat_numbers] = 1.0
    contrasts[:, seat_numbers] -= 1 / len(seat_numbers)
    elo = contrasts @ solution.strengths * ELO_PER_NAT / 2
    variance, naive = (
        np.diag(contrasts @ covariance @ contrasts.T) / 4 for covariance in (solution.covariance, solution.naive)
    )
    deals = solution.deals[seat_numbers]
    intervals = half_widths(at_least_naive(variance, naive, deals), deals) * ELO_PER_NAT
    return tuple(
        SeatAdvantage(seat, float(value), None if np.isnan(interval) else float(interval))
        for seat, (value, interval) in enumerate(zip(elo, intervals, strict=True))
    )


def _with_seats(results: Iterable[Result], sizes: set[int]) -> Iterator[Result]:
    """Yield results with teams of a bot and its seat; add the sizes of the tables to `sizes`."""
    for result in results:
        if not all(isinstance(team, str) for team in result.teams):
            raise RatingError("what a seat is worth is told only where every seat is for itself")
        sizes.add(len(result.teams))
        teams = tuple((str(bot), f"{_SEAT}{seat}") for seat, bot in enumerate(result.teams))
        yield result._replace(teams=teams)
