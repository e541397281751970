"""Variance reduction: how many matches rotations, common deals and a reference bot save."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from arena.ratings.chunked_fit import solve_in_chunks
from arena.ratings.control_variate import Reference
from arena.ratings.errors import RatingError
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import MIN_DEALS
from arena.ratings.ranking_output import as_csv
from arena.ratings.result import Result
from arena.ratings.solver import Solution, solve
from arena.ratings.source import ResultSource
from arena.ratings.text_table import TextTable

_NAMES = ("rotations", "common", "reference")


@dataclass(frozen=True, slots=True)
class VarianceReduction:
    """The variance reduction of one bot: the further independent matches that would give its Elo the same interval.

    matches: that it played. rotations: saved by playing each deal in several rotations. common: saved by deals that
    several tables had in common. reference: saved by a reference's play; None where there was none. Less than 0: it
    cost matches instead, as luck came back in the matches of a deal rather than being evened out.
    """

    bot: str
    matches: int
    rotations: float
    common: float
    reference: float | None

    @property
    def equivalent_matches(self) -> float:
        """The number of matches with independent deals that would give the same interval."""
        return self.matches + self.rotations + self.common + (self.reference or 0.0)


def variance_reductions(source: ResultSource, reference: Reference | None = None) -> tuple[VarianceReduction, ...]:
    """Compute the variance reduction of each bot, in the order of their names.

    source: the matches, which are read twice or three times. reference: whose play of the same deals is taken into
    account.

    Raises RatingError for results that are too few or too one-sided to tell, or do not fit the reference.
    """
    plain = source.tally().totals()
    if plain.played == 0:
        raise RatingError("there are no matches from which anything could be told")
    together = solve(plain)
    if any(together.connection.bound) or together.deals.min() < MIN_DEALS:
        raise RatingError(
            f"what was saved is told only where every bot has met others in {MIN_DEALS} deals or more, and took "
            "points as well as lost some"
        )
    alone = _variance(solve_in_chunks(plain, lambda: map(_apart, source.portions())))
    by_table = _variance(solve_in_chunks(plain, lambda: map(_by_table, source.portions())))
    needed = [alone / by_table, alone / _variance(together)]
    if reference is not None:
        needed.append(alone / _variance(solve(plain, reference.luck_of_pairs(source.results(), plain))))
    steps = (np.diff(np.array([np.ones(len(alone)), *needed]), axis=0) * plain.matches).T.tolist()
    return tuple(
        VarianceReduction(bot, int(matches), rotations, common, luck[0] if luck else None)
        for bot, matches, (rotations, common, *luck) in zip(plain.lineup.bots, plain.matches, steps, strict=True)
    )


def _variance(solution: Solution) -> Floats:
    return np.diag(solution.covariance)


def _apart(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results as if each match had a deal of its own."""
    for number, result in enumerate(results):
        yield result._replace(deal=number)


def _by_table(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results as if tables had no deals in common. A table is who sits there."""
    number = count()
    numbers: dict[tuple[int, tuple[Any, ...]], int] = {}
    for result in results:
        key = (result.deal, tuple(sorted(result.teams, key=str)))
        if key not in numbers:
            numbers[key] = next(number)
        yield result._replace(deal=numbers[key])


def reductions_text(found: Sequence[VarianceReduction], form: str = "text") -> str:
    """Return a line for each bot."""
    with_reference = any(saving.reference is not None for saving in found)
    headers = ["bot", "matches", "worth", "by rotations", "by common deals", *(["by reference"] * with_reference)]
    lines = [
        [
            saving.bot,
            saving.matches,
            f"{saving.equivalent_matches:.0f}",
            f"{saving.rotations:+.0f}",
            f"{saving.common:+.0f}",
            *([f"{saving.reference or 0:+.0f}"] * with_reference),
        ]
        for saving in found
    ]
    notes = [
        "Worth: the matches with a deal each that would give the bot's Elo the same bar; then what was saved by what. "
        "These are estimates: their own error is several per cent, and more from few deals."
    ]
    return TextTable(headers, lines, (0,), notes).render(form)


def reductions_json(found: Sequence[VarianceReduction]) -> list[dict[str, Any]]:
    """Return an object for each bot."""
    return [
        {"bot": each.bot, "matches": each.matches, "worth": round(each.equivalent_matches, 2)}
        | {name: None if (value := getattr(each, name)) is None else round(value, 2) for name in _NAMES}
        for each in found
    ]


def reductions_csv(found: Sequence[VarianceReduction]) -> str:
    """Return a line for each bot: bot, matches, worth, rotations, common, reference."""
    lines = [list(line.values()) for line in reductions_json(found)]
    return as_csv([["bot", "matches", "worth", *_NAMES], *lines])
