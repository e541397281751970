"""The ranking: one row per bot, and the likelihood of superiority for each pair of bots."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np

from arena.ratings.anchor import Anchor, apply_anchor
from arena.ratings.connectivity import Bound
from arena.ratings.davidson import solve_with_ties
from arena.ratings.degeneracy import at_least_naive, is_degenerate
from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.multiple_testing import ALPHA, adjust_pairs, always_valid
from arena.ratings.repeats import Repeats
from arena.ratings.solver import Solution, solve
from arena.ratings.tally import Tally
from arena.ratings.totals import Totals
from arena.values.errors import RatingError

ELO_PER_NAT = 400 / log(10)
"""Elo per nat: 400 Elo are odds of 10 to 1."""

MIN_DEALS = 10
"""The fewest deals in which a bot must have met others for an interval."""

QUANTILE = 0.975
"""Two bots are separated if one is better with more than this probability (two-sided 95 % interval)."""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One bot of the ranking."""

    rank: int
    """The rank within the group, from 1; bots with equal Elo share a rank."""
    bot: str
    elo: float
    """The Elo, of which the mean of the group's reference (see `Connectivity.reference`) is 0."""
    bound: Bound
    """What `elo` is: ">" a lower bound; "<" an upper bound; "~" not determined by the results; "" none of these."""
    ci95: float | None
    """Half the width of the 95 % interval of the Elo; None if there are too few deals or `bound` is set."""
    score: float
    """The mean score per seat that it held."""
    score_ci95: float | None
    """Half the width of the 95 % interval of the score; None if there are too few deals, or all gave the same score."""
    expected_place: float
    """The mean place, 1 = best; tied seats share the mean of their places. If tables differ in size, places are scaled
    to the largest table."""
    matches: int
    """The matches that it played."""
    deals: int
    """The deals in which it met another bot."""
    group: int
    """The number of its group, from 0. Bots of different groups never met, directly or through others, and cannot be
    compared."""
    separated: bool | None
    """Whether the bot on the row above is better with 95 % confidence; None for a group's first, or if unknown."""
    ci95_by_set: float | None = None
    """As `ci95`, if each set of matches that repeats no other were an experiment, whatever its opening; None where sets
    have openings of their own, and as `ci95`."""


@dataclass(frozen=True)
class Ranking:
    """The ranking of a field. What has an entry for each pair of bots is computed when it is first read."""

    rows: tuple[RankingRow, ...]
    solution: Solution
    """The fit that it shows."""
    order: Ints
    """The position in `solution` of the bot of each row."""
    deals: int
    matches: int
    seats: int
    """The seats of the largest table; the scale of the expected places."""
    notes: tuple[str, ...]
    """Sentences that explain how to read the rows."""
    tie: float | None = None
    """Davidson's tie parameter, if it was fitted (see `arena.ratings.davidson`)."""
    repeats: Repeats | None = None
    """What was found of repeated matches, where it was looked for; `deals` counts experiments then."""

    @cached_property
    def los(self) -> Floats:
        """The probability that the bot of a row is better than that of a column, by `rows`; NaN if unknown."""
        return _likelihoods_of_superiority(self.solution, self.order[:, None], self.order)

    @cached_property
    def adjusted(self) -> Floats:
        """Two-sided p-values of all pairs, adjusted for their number (Holm), by `rows`; NaN if unknown."""
        return adjust_pairs(_two_sided(self.los), self.solution.connectivity.group[self.order])

    @cached_property
    def covariance(self) -> Floats:
        """The covariance of the Elos, by `rows`.

        For those with a `bound`, and those whose deals show no spread, the naive covariance is added.
        """
        return _total_covariance(self.solution)[np.ix_(self.order, self.order)] * ELO_PER_NAT**2

    @property
    def experiments(self) -> str:
        """The number of `deals` for people, who take no repeat for one."""
        noun = "deal" if self.repeats is None else "experiment"
        return f"{self.deals:,} {noun}{'s' * (self.deals != 1)}"

    @property
    def by_set(self) -> str:
        """The heading of the bars by set; empty where there are none."""
        if self.repeats is None or all(row.ci95_by_set is None for row in self.rows):
            return ""
        return f"± by {self.repeats.noun}"

    @property
    def superior(self) -> Bools:
        """Whether a row's bot is better than a column's, with a familywise error of `ALPHA` over all pairs."""
        result: Bools = (self.los > 0.5) & (self.adjusted <= ALPHA)
        return result


def fit_ranking(
    tally: Tally, *, anchor: Anchor | None = None, davidson: bool = False, luck: Floats | None = None
) -> Ranking:
    """Fit the ratings of all bots of a tally jointly.

    anchor: the bot with a fixed Elo; without one the mean of each group is 0.
    davidson: whether to fit a tie parameter.
    luck: points to subtract from each pair of the tally (see `arena.ratings.solver.solve`); ignored with davidson.

    Raises RatingError for an anchor that cannot be used, and for `davidson` if more than two bots met at a table or all
    matches were ties.
    """
    totals = tally.totals()
    seats = int(totals.places.size.max(initial=0))
    solution = _solve_davidson(totals, seats) if davidson and totals.played else solve(totals, luck)
    if totals.repeats is not None:
        solution = replace(solution, naive=totals.repeats.inflate(solution.naive, totals.lineup.bots))
    if anchor is not None:
        solution = apply_anchor(solution, totals.lineup.bots, anchor)
    elo = _elo(solution)
    variances, naive = np.diag(solution.covariance), np.diag(solution.naive)
    spreadless = is_degenerate(variances, naive, solution.deals)
    intervals = half_widths(at_least_naive(variances, naive, solution.deals), solution.deals) * ELO_PER_NAT
    scores, score_intervals = _scores(totals)
    places = _places(totals, seats)
    order = _order(solution, elo, totals.lineup.bots)
    separated = _compare_neighbours(solution, order)

    by_set: dict[str, float | None] = {}
    if tally.by_set is not None and luck is None:
        by_set = {row.bot: row.ci95 for row in fit_ranking(tally.by_set, anchor=anchor, davidson=davidson).rows}

    rows: list[RankingRow] = []
    groups: list[int] = []
    for position, bot in enumerate(order.tolist()):
        group, bound = int(solution.connectivity.group[bot]), solution.connectivity.bound[bot]
        if group not in groups:
            groups.append(group)
            group_start = position
        above = rows[-1] if position > group_start else None
        rows.append(
            RankingRow(
                rank=above.rank if above and above.elo == elo[bot] else position - group_start + 1,
                bot=totals.lineup.bots[bot],
                elo=float(elo[bot]),
                bound=bound,
                ci95=None if bound else _number_or_none(intervals[bot]),
                score=float(scores[bot]),
                score_ci95=_number_or_none(score_intervals[bot]),
                expected_place=float(places[bot]),
                matches=int(totals.matches[bot]),
                deals=int(solution.deals[bot]),
                group=len(groups) - 1,
                separated=separated[position],
                ci95_by_set=by_set.get(totals.lineup.bots[bot]),
            )
        )
    return Ranking(
        rows=tuple(rows),
        solution=solution,
        order=order,
        deals=len(np.unique(totals.sittings.deal)),
        matches=totals.played,
        seats=seats,
        notes=_notes(
            rows, anchor, {totals.lineup.bots[bot] for bot in np.flatnonzero(spreadless).tolist()}, totals.repeats
        ),
        tie=solution.tie,
        repeats=totals.repeats,
    )


def separated_from_above(solution: Solution, bots: tuple[str, ...]) -> list[bool | None]:
    """Return `RankingRow.separated` of each bot of a ranking, the best first."""
    return _compare_neighbours(solution, _order(solution, _elo(solution), bots))


def jointly_separated_from_above(
    solution: Solution, bots: tuple[str, ...], looks: float, alpha: float
) -> list[bool | None]:
    """Return whether each bot of a ranking is separated from the one above, jointly over all pairs and looks.

    The probability that this is ever said of two bots of which the upper one is not better, of any pair of the field
    and at any look, is at most alpha.

    None as in `RankingRow.separated`.

    looks: as in `always_valid`.
    """
    order = _order(solution, _elo(solution), bots)
    group = solution.connectivity.group[order]
    p_values = _two_sided(_likelihoods_of_superiority(solution, order[:, None], order))
    adjusted = np.diag(adjust_pairs(always_valid(p_values, looks), group), 1).tolist()
    return [None, *(None if np.isnan(p_value) else p_value <= alpha for p_value in adjusted)][: len(order)]


def _two_sided(los: Floats) -> Floats:
    """Return the two-sided p-value of each pair."""
    p_values: Floats = 2 * np.minimum(los, los.T)
    return p_values


def _compare_neighbours(solution: Solution, order: Ints) -> list[bool | None]:
    above, below = order[:-1], order[1:]  # of different groups, nothing is known
    probabilities = _likelihoods_of_superiority(solution, above, below).tolist()
    separated = [None if np.isnan(probability) else probability > QUANTILE for probability in probabilities]
    return [None, *separated][: len(order)]


def _elo(solution: Solution) -> Floats:
    elo: Floats = np.round(solution.strengths * ELO_PER_NAT + solution.offset, 6) + 0.0
    return elo  # rounded so that bots that differ by rounding errors are equal; + 0.0 turns -0 into 0


def _order(solution: Solution, elo: Floats, bots: tuple[str, ...]) -> Ints:
    """Return the positions of the bots, the largest group first, then by its number, and the best first in each."""
    group = solution.connectivity.group
    sizes = np.bincount(group)[group]
    keys = list(zip((-sizes).tolist(), group.tolist(), (-elo).tolist(), bots, strict=True))
    return np.array(sorted(range(len(elo)), key=keys.__getitem__), np.int64)


def _solve_davidson(totals: Totals, seats: int) -> Solution:
    if seats > 2:
        raise RatingError(f"Davidson's tie parameter is defined for two at a table; here up to {seats} met")
    solution = solve_with_ties(totals)
    if solution is None:
        raise RatingError("all matches were ties: there is nothing from which Davidson's tie parameter could be told")
    return solution


def _number_or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def half_widths(variance: Floats, deals: Ints) -> Floats:
    """Return the half-widths of 95 % intervals by Student's t; NaN from fewer than `MIN_DEALS` deals."""
    from scipy.special import stdtrit

    quantile = np.asarray(stdtrit(np.maximum(deals - 1, 1), QUANTILE), np.float64)
    return np.where(deals >= MIN_DEALS, quantile * np.sqrt(np.maximum(variance, 0.0)), np.nan)


def _scores(totals: Totals) -> tuple[Floats, Floats]:
    """Return each bot's mean score per seat, and the half-width of its 95 % interval, clustered by deal.

    Where all deals gave a bot the same score there is no interval: how far scores may differ cannot be told.
    """
    sittings, bots = totals.sittings, len(totals.lineup.bots)
    seats = np.bincount(sittings.bot, sittings.count, bots)
    mean = np.bincount(sittings.bot, sittings.score, bots) / seats
    residuals = sittings.score - sittings.count * mean[sittings.bot]
    deals = np.bincount(sittings.bot, minlength=bots)
    variance = np.bincount(sittings.bot, residuals**2, bots) / seats**2 * deals / np.maximum(deals - 1, 1)
    widths = half_widths(variance, deals)
    return mean, np.where(widths > 1e-9 * np.maximum(np.abs(mean), 1.0), widths, np.nan)


def _places(totals: Totals, seats: int) -> Floats:
    """Return each bot's mean place, scaled to tables of `seats`."""
    places, bots = totals.places, len(totals.lineup.bots)
    # Place p at a table of k seats becomes the fraction (p - 1) / (k - 1), from first to last.
    fractions = (places.place - 2 * places.count) / 2 / (places.size - 1)
    return 1 + (seats - 1) * np.bincount(places.bot, fractions, bots) / np.bincount(places.bot, places.count, bots)


def _likelihoods_of_superiority(solution: Solution, one: Ints, other: Ints) -> Floats:
    """Return the probability that each bot of `one` is better than its opposite in `other`; NaN where it is unknown.

    one, other: positions in the solution, which are broadcast: a column and a row give a matrix.
    """
    from scipy.special import ndtr, stdtr

    reach, deals = solution.connectivity.reach, solution.deals
    better, worse = reach[one, other], reach[other, one]
    same_component = better & worse
    difference = solution.strengths[one] - solution.strengths[other]
    variance = _difference_variances(solution.covariance, one, other)
    min_deals = np.minimum(deals[one], deals[other])
    # If all points went one way, deals have no variance, however few they are. Then the naive variance is used, which
    # is not estimated from deals and so needs no Student's t.
    naive = _difference_variances(solution.naive, one, other)
    variance = np.where(same_component, at_least_naive(variance, naive, min_deals), np.maximum(variance, naive))
    difference[np.abs(difference) < 1e-9] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(difference == 0, 0.0, difference / np.sqrt(variance))
    los = np.where(same_component, stdtr(np.maximum(min_deals - 1, 1), ratio), ndtr(ratio))
    is_known = (better | worse) & (min_deals >= MIN_DEALS) & (one != other)
    return np.where(is_known, los, np.nan)


def _total_covariance(solution: Solution) -> Floats:
    """Return the covariance of the strengths, plus the naive one for bots with a bound or without spread."""
    has_bound = np.array([bound != "" for bound in solution.connectivity.bound], np.bool_)
    spreadless = is_degenerate(np.diag(solution.covariance), np.diag(solution.naive), solution.deals)
    added = (has_bound | spreadless).astype(np.float64)
    covariance: Floats = solution.covariance + solution.naive * np.outer(added, added)
    return covariance


def _difference_variances(covariance: Floats, one: Ints, other: Ints) -> Floats:
    variance = np.diag(covariance)
    both = covariance[one, other] + covariance[other, one]
    return np.maximum(variance[one] + variance[other] - both, 0.0)


def _notes(
    rows: list[RankingRow], anchor: Anchor | None, spreadless: set[str], repeats: Repeats | None
) -> tuple[str, ...]:
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
    notes.extend(repeats.notes if repeats is not None else ())
    few = [row.bot for row in rows if row.deals < MIN_DEALS]
    if few and len(rows) > 1:
        who = "No error bars" if len(few) == len(rows) else f"No error bars for {', '.join(few)}"
        notes.append(f"{who}: fewer than {MIN_DEALS} deals cannot show how far luck carries.")
    alike = [row.bot for row in rows if row.bot in spreadless and row.ci95 is not None]
    if alike:
        whose = "All deals" if len(alike) == len(rows) else f"Deals of {', '.join(alike)}"
        notes.append(
            f"{whose} ended alike, but for one at most, which proves little: bars are those of as many independent "
            "comparisons." + ("" if repeats is not None else " Perhaps deterministic bots repeat their matches.")
        )
    if any(row.bound for row in rows):
        notes.append(
            'Elo marked ">" or "<" is open to that side, as all comparisons with the bots below or above went one way: '
            "shown is what one more with each of them, and that a tie, would make of it."
        )
    if any(row.bound == "~" for row in rows):
        notes.append('Elo marked "~" is one of many that fit the results: more matches against the others are needed.')
    return tuple(notes)
