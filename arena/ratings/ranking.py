"""The ranking: one row per bot, and the likelihood of superiority of every two."""

from dataclasses import dataclass
from math import log

import numpy as np

from arena.ratings.anchor import Anchor, apply_anchor
from arena.ratings.connectivity import Bound
from arena.ratings.davidson import solve_with_ties
from arena.ratings.errors import RatingError
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.solver import Solution, solve
from arena.ratings.tally import Tally
from arena.ratings.totals import Totals

ELO_PER_NAT = 400 / log(10)
"""Elo per nat: 400 Elo are odds of 10 to 1."""

MIN_DEALS = 10
"""Deals that a bot must have met others in before its rating gets a bar."""

QUANTILE = 0.975
"""Two bots are separated where the better one is better with this probability (95 % interval, both ends)."""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One bot of the ranking."""

    rank: int
    """From 1 within the group, equal where the Elo is."""
    bot: str
    elo: float
    """The mean of its group (of the bots without `bound`, where some have one) is 0."""
    bound: Bound
    """">": all that is known is that it is more; "<": less; "~": the results do not settle it; "": as it stands."""
    ci95: float | None
    """Half the width of the 95 % interval of the Elo; None from too few deals or where `bound` is set."""
    score: float
    """Mean score of a seat it held."""
    score_ci95: float | None
    """Half the width of the 95 % interval of the score; None from too few deals."""
    expected_place: float
    """Mean place, 1 = best; seats that tie share the mean of their places. Where tables differ in size, places are
    stretched from first to last onto the largest table's."""
    matches: int
    """Matches it sat in."""
    deals: int
    """Deals in which it met another bot."""
    group: int
    """Bots of different groups never met, directly or over others, and cannot be compared. From 0."""
    separated: bool | None
    """Whether the bot on the row above is surely better (95 %); None for a group's first, or where it is unknown."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of a field."""

    rows: tuple[RankingRow, ...]
    los: Floats
    """Probability that the bot of a row is better than that of a column, in the order of `rows`; NaN where unknown."""
    covariance: Floats
    """Of the Elos, in the order of `rows`; of those with a `bound`, with the model's own doubt."""
    deals: int
    matches: int
    seats: int
    """Of the largest table; the scale of the expected places."""
    notes: tuple[str, ...]
    """What a reader must know to read the rows rightly, in sentences."""
    tie: float | None = None
    """Davidson's tie parameter, where one was fitted (see `arena.ratings.davidson`)."""

    def unseparated(self) -> list[tuple[str, ...]]:
        """Return the runs of neighbours in the ranking of which each is not separated from the next."""
        runs: list[list[str]] = []
        for row in self.rows:
            if row.separated is False:
                runs[-1].append(row.bot)
            else:
                runs.append([row.bot])
        return [tuple(run) for run in runs if len(run) > 1]


def fit_ranking(
    tally: Tally, *, anchor: Anchor | None = None, davidson: bool = False, luck: Floats | None = None
) -> Ranking:
    """Fit the ratings of all bots of a tally jointly.

    anchor: what stands still; without one the mean of each group is 0. davidson: give ties a parameter of their own.
    luck: what is taken from the points of each pair of the tally (see `arena.ratings.solver.solve`), not with
        davidson.

    Raises RatingError for an anchor from which nothing can be measured, and for `davidson` where more than two met at a
    table, or where all matches were ties.
    """
    totals = tally.totals()
    seats = int(totals.places.size.max(initial=0))
    solution = _with_ties(totals, seats) if davidson and totals.played else solve(totals, luck)
    if anchor is not None:
        solution = apply_anchor(solution, totals.lineup.bots, anchor)
    elo = _elo(solution)
    bars = half_widths(np.diag(solution.covariance), solution.deals) * ELO_PER_NAT
    scores, score_bars = _scores(totals)
    places = _places(totals, seats)
    order = _order(solution, elo, totals.lineup.bots)
    los = _superiority(solution)[np.ix_(order, order)]
    apart = _apart(solution, order, los)

    rows: list[RankingRow] = []
    groups: list[int] = []
    for position, bot in enumerate(order):
        group, bound = int(solution.connection.group[bot]), solution.connection.bound[bot]
        if group not in groups:
            groups.append(group)
            head = position
        above = rows[-1] if position > head else None
        rows.append(
            RankingRow(
                rank=above.rank if above and above.elo == elo[bot] else position - head + 1,
                bot=totals.lineup.bots[bot],
                elo=float(elo[bot]),
                bound=bound,
                ci95=None if bound else _known(bars[bot]),
                score=float(scores[bot]),
                score_ci95=_known(score_bars[bot]),
                expected_place=float(places[bot]),
                matches=int(totals.matches[bot]),
                deals=int(solution.deals[bot]),
                group=len(groups) - 1,
                separated=apart[position],
            )
        )
    return Ranking(
        rows=tuple(rows),
        los=los,
        covariance=_doubt(solution)[np.ix_(order, order)] * ELO_PER_NAT**2,
        deals=len(np.unique(totals.sittings.deal)),
        matches=totals.played,
        seats=seats,
        notes=_notes(rows, anchor),
        tie=solution.tie,
    )


def separated_from_above(solution: Solution, bots: tuple[str, ...]) -> list[bool | None]:
    """Return what `Row.separated` says of each bot of a ranking, the best first."""
    order = _order(solution, _elo(solution), bots)
    return _apart(solution, order, _superiority(solution)[np.ix_(order, order)])


def _apart(solution: Solution, order: list[int], los: Floats) -> list[bool | None]:
    group = solution.connection.group[order]
    sure = [
        float(los[place - 1, place]) if place and group[place - 1] == group[place] else float("nan")
        for place in range(len(order))
    ]
    return [None if np.isnan(each) else each > QUANTILE for each in sure]


def _elo(solution: Solution) -> Floats:
    elo: Floats = np.round(solution.strengths * ELO_PER_NAT + solution.offset, 6) + 0.0
    return elo  # bots equal but for rounding are equal, and none is -0


def _order(solution: Solution, elo: Floats, bots: tuple[str, ...]) -> list[int]:
    return sorted(range(len(elo)), key=lambda bot: (_group_order(solution, bot), -elo[bot], bots[bot]))


def _with_ties(totals: Totals, seats: int) -> Solution:
    if seats > 2:
        raise RatingError(f"Davidson's tie parameter is defined for two at a table; here up to {seats} met")
    solution = solve_with_ties(totals)
    if solution is None:
        raise RatingError("all matches were ties: there is nothing from which Davidson's tie parameter could be told")
    return solution


def _group_order(solution: Solution, bot: int) -> tuple[int, int]:
    """Largest group first, then by its first bot."""
    group = solution.connection.group
    return (-int((group == group[bot]).sum()), int(group[bot]))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def half_widths(variance: Floats, deals: Ints) -> Floats:
    """Return the half-widths of 95 % intervals by Student's t; NaN from fewer than `MIN_DEALS` deals."""
    from scipy.special import stdtrit

    quantile = np.asarray(stdtrit(np.maximum(deals - 1, 1), QUANTILE), np.float64)
    return np.where(deals >= MIN_DEALS, quantile * np.sqrt(np.maximum(variance, 0.0)), np.nan)


def _scores(totals: Totals) -> tuple[Floats, Floats]:
    """Return each bot's mean score of a seat, and its bar, clustered by deal as the Elo's."""
    sittings, bots = totals.sittings, len(totals.lineup.bots)
    seats = np.bincount(sittings.bot, sittings.count, bots)
    mean = np.bincount(sittings.bot, sittings.score, bots) / seats
    surplus = sittings.score - sittings.count * mean[sittings.bot]
    deals = np.bincount(sittings.bot, minlength=bots)
    variance = np.bincount(sittings.bot, surplus**2, bots) / seats**2 * deals / np.maximum(deals - 1, 1)
    return mean, half_widths(variance, deals)


def _places(totals: Totals, seats: int) -> Floats:
    """Return each bot's mean place, stretched onto tables of `seats`."""
    places, bots = totals.places, len(totals.lineup.bots)
    # A seat's place p at a table of k lies (p - 1) / (k - 1) of the way from the first place to the last.
    way = (places.place - 2 * places.count) / 2 / (places.size - 1)
    return 1 + (seats - 1) * np.bincount(places.bot, way, bots) / np.bincount(places.bot, places.count, bots)


def _superiority(solution: Solution) -> Floats:
    """Return the probability that each bot (row) is better than each other."""
    from scipy.special import ndtr, stdtr

    connection, deals = solution.connection, solution.deals
    difference = solution.strengths[:, None] - solution.strengths
    variance = _of_differences(solution.covariance)
    # Where all points went one way the deals show no spread, however few they were; the model's own doubt remains,
    # which is not estimated from deals and so asks for no Student's t.
    doubt = np.maximum(variance, _of_differences(solution.naive))
    variance = np.where(connection.circle, variance, doubt)
    fewer = np.minimum(deals[:, None], deals)
    difference[np.abs(difference) < 1e-9] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(difference == 0, 0.0, difference / np.sqrt(variance))
    los = np.where(connection.circle, stdtr(np.maximum(fewer - 1, 1), ratio), ndtr(ratio))
    known = (connection.reach | connection.reach.T) & (fewer >= MIN_DEALS) & ~np.eye(len(deals), dtype=np.bool_)
    return np.where(known, los, np.nan)


def _doubt(solution: Solution) -> Floats:
    """Return the covariance of the strengths, with what the deals cannot show of bots that only won or lost."""
    bound = np.array([mark != "" for mark in solution.connection.bound], np.float64)
    doubt: Floats = solution.covariance + solution.naive * np.outer(bound, bound)
    return doubt


def _of_differences(covariance: Floats) -> Floats:
    variance = np.diag(covariance)
    return np.maximum(variance[:, None] + variance - covariance - covariance.T, 0.0)


def _notes(rows: list[RankingRow], anchor: Anchor | None) -> tuple[str, ...]:
    if not rows:
        return ("There are no matches to rate.",)
    notes = []
    if anchor is not None:
        notes.append(f"Elo and bars are measured from {anchor.bot}, which stands at {anchor.elo:g}.")
    groups = len({row.group for row in rows})
    if len(rows) == 1:
        notes.append(f"{rows[0].bot} met no other bot, so there is nothing to compare it with.")
    elif groups > 1:
        notes.append(
            f"The field falls into {groups} groups of bots that never met each other, directly or over others: "
            "ranks and Elo compare within a group only."
        )
    few = [row.bot for row in rows if row.deals < MIN_DEALS]
    if few and len(rows) > 1:
        who = "No error bars" if len(few) == len(rows) else f"No error bars for {', '.join(few)}"
        notes.append(f"{who}: fewer than {MIN_DEALS} deals cannot show how far luck carries.")
    if any(row.bound for row in rows):
        notes.append(
            'Elo marked ">" or "<" is open to that side, as all comparisons with the bots below or above went one way: '
            "shown is what one more with each of them, and that a tie, would make of it."
        )
    if any(row.bound == "~" for row in rows):
        notes.append('Elo marked "~" is one of many that fit the results: more matches against the others are needed.')
    return tuple(notes)
