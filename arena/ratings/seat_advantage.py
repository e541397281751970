"""Seat advantage: how much better a bot does in a seat than on average over all seats.

The seat is taken for a partner of the bot that sits on it: a team of a bot and a seat, as strong as its members on
average. The fit of teams then tells bots and seats apart, with bars clustered by deal; a share of one half each
only doubles the scale. In two-player games the difference of the two seats is what chess calls the advantage of White.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.errors import RatingError
from arena.ratings.ranking import ELO_PER_NAT, half_widths
from arena.ratings.result import Result
from arena.ratings.source import ResultSource
from arena.ratings.tally import Tally

_SEAT = "\0seat "
"""No bot is called so."""


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """One seat: what it is worth in Elo, and half the width of the 95 % interval, None from too few deals."""

    seat: int
    elo: float
    ci95: float | None


def seat_advantages(source: ResultSource) -> tuple[SeatAdvantage, ...]:
    """Estimate the advantage of each seat in Elo, in the order of the seats; their mean is 0.

    source: matches between bots that play alone, all with the same number of seats. They are read twice.

    Raises RatingError where tables differ in size or have teams, or where some seat won or lost everything.
    """
    sizes: set[int] = set()
    totals = Tally(each._replace(deal=0) for each in _with_seats(source.results(), sizes)).totals()
    if len(sizes) != 1:
        raise RatingError("what a seat is worth is told only where all tables have the same number of seats")
    solution = solve_in_chunks(totals, lambda: (_with_seats(portion, sizes) for portion in source.portions()))
    names = totals.lineup.bots
    places = [names.index(f"{_SEAT}{seat}") for seat in range(*sizes)]
    if not solution.connection.circle[np.ix_(places, places)].all():
        raise RatingError("what a seat is worth is not told yet: the results leave it open; play more rounds")
    seats = np.zeros((len(places), len(names)))
    seats[range(len(places)), places] = 1.0
    seats[:, places] -= 1 / len(places)
    elo = seats @ solution.strengths * ELO_PER_NAT / 2
    variance = np.diag(seats @ solution.covariance @ seats.T) / 4
    bars = half_widths(variance, solution.deals[places]) * ELO_PER_NAT
    return tuple(
        SeatAdvantage(seat, float(value), None if np.isnan(bar) else float(bar))
        for seat, (value, bar) in enumerate(zip(elo, bars, strict=True))
    )


def _with_seats(results: Iterable[Result], sizes: set[int]) -> Iterator[Result]:
    for result in results:
        if not all(isinstance(team, str) for team in result.teams):
            raise RatingError("what a seat is worth is told only where every seat is for itself")
        sizes.add(len(result.teams))
        teams = tuple((str(bot), f"{_SEAT}{seat}") for seat, bot in enumerate(result.teams))
        yield result._replace(teams=teams)
