"""Variance reduction: the number of matches that rotations, common deals and a reference bot save."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.control_variate import Reference
from arena.ratings.degeneracy import is_degenerate
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import MIN_DEALS
from arena.ratings.ranking_output import as_csv
from arena.ratings.solver import Solution, solve
from arena.ratings.source import ResultSource
from arena.values.errors import RatingError
from arena.values.result import Result
from arena.values.text_table import Column, TextTable, text_column

_NAMES = ("rotations", "common", "reference")


@dataclass(frozen=True, slots=True)
class VarianceReduction:
    """The variance reduction of one bot: the further independent matches that would give its Elo the same interval.

    A negative number is a cost: the luck of a deal recurred in its matches instead of cancelling out.
    """

    bot: str
    matches: int
    """The number of matches that it played."""
    rotations: float
    """The matches saved by playing each deal in several rotations."""
    common: float
    """The matches saved by playing the same deals at several tables."""
    reference: float | None
    """The matches saved by the results of a reference; None without a reference."""

    @property
    def equivalent_matches(self) -> float:
        """The number of matches with independent deals that would give the same interval."""
        return self.matches + self.rotations + self.common + (self.reference or 0.0)


def variance_reductions(source: ResultSource, reference: Reference | None = None) -> tuple[VarianceReduction, ...]:
    """Compute the variance reduction of each bot, in the order of their names.

    source: the matches, which are read twice or three times.
    reference: the control variate for the same deals.

    Raises RatingError for results that are too few or too one-sided, or do not fit the reference.
    """
    totals = source.tally().totals()
    if totals.played == 0:
        raise RatingError("there are no matches from which anything could be told")
    solution = solve(totals)
    if any(solution.connectivity.bound) or solution.deals.min() < MIN_DEALS:
        raise RatingError(
            f"what was saved is told only where every bot has met others in {MIN_DEALS} deals or more, and took "
            "points as well as lost some"
        )
    by_match = solve_in_chunks(totals, lambda: map(_split_deals, source.chunks()))
    of_table = solve_in_chunks(totals, lambda: map(_split_tables, source.chunks()))
    for fit in (solution, by_match, of_table):
        if is_degenerate(_variance(fit), np.diag(fit.naive), fit.deals).any():
            raise RatingError("what was saved is not told where all deals of a bot ended alike: their error is unknown")
    independent, by_table = _variance(by_match), _variance(of_table)
    ratios = [independent / by_table, independent / _variance(solution)]
    if reference is not None:
        ratios.append(independent / _variance(solve(totals, reference.luck_of_pairs(source.results(), totals))))
    steps = (np.diff(np.array([np.ones(len(independent)), *ratios]), axis=0) * totals.matches).T.tolist()
    return tuple(
        VarianceReduction(bot, int(matches), rotations, common, luck[0] if luck else None)
        for bot, matches, (rotations, common, *luck) in zip(totals.lineup.bots, totals.matches, steps, strict=True)
    )


def _variance(solution: Solution) -> Floats:
    return np.diag(solution.covariance)


def _split_deals(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results with a different deal for each match."""
    for number, result in enumerate(results):
        yield result._replace(deal=number)


def _split_tables(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results with different deals for each table, that is, each set of teams."""
    number = count()
    numbers: dict[tuple[int, tuple[Any, ...]], int] = {}
    for result in results:
        key = (result.deal, tuple(sorted(result.teams, key=str)))
        if key not in numbers:
            numbers[key] = next(number)
        yield result._replace(deal=numbers[key])


def reductions_text(reductions: Sequence[VarianceReduction], form: str = "text", width: int | None = None) -> str:
    """Return a line for each bot."""
    with_reference = any(reduction.reference is not None for reduction in reductions)
    columns = [
        text_column("bot"),
        Column("matches"),
        Column("worth"),
        Column("by rotations"),
        Column("by common deals"),
    ]
    columns += [Column("by reference")] * with_reference
    lines = [
        [
            reduction.bot,
            reduction.matches,
            f"{reduction.equivalent_matches:.0f}",
            f"{reduction.rotations:+.0f}",
            f"{reduction.common:+.0f}",
            *([f"{reduction.reference or 0:+.0f}"] * with_reference),
        ]
        for reduction in reductions
    ]
    notes = [
        "Worth: the matches with a deal each that would give the bot's Elo the same bar; then what was saved by what. "
        "These are estimates: their own error is several per cent, and more from few deals."
    ]
    return TextTable(columns, lines, notes).render(form, width)


def reductions_json(reductions: Sequence[VarianceReduction]) -> list[dict[str, Any]]:
    """Return an object for each bot."""
    return [
        {"bot": reduction.bot, "matches": reduction.matches, "worth": round(reduction.equivalent_matches, 2)}
        | {name: None if (value := getattr(reduction, name)) is None else round(value, 2) for name in _NAMES}
        for reduction in reductions
    ]


def reductions_csv(reductions: Sequence[VarianceReduction]) -> str:
    """Return a line for each bot: bot, matches, worth, rotations, common, reference."""
    lines = [list(line.values()) for line in reductions_json(reductions)]
    return as_csv([["bot", "matches", "worth", *_NAMES], *lines])
