"""Rank probabilities: how likely each bot is the best, and which ranks are plausible, by Monte Carlo.

Elos are drawn jointly from a multivariate Student's t distribution with the covariance of the fit and the degrees of
freedom of the fewest deals, from a fixed seed. For two bots the result is the LOS; for more it cannot be derived from
the intervals, as the Elos are correlated.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.ratings.elo_text import elo_text
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import MIN_DEALS, Ranking, RankingRow
from arena.ratings.ranking_output import as_csv, per_cent
from arena.values.text_table import Column, TextTable, text_column

DRAWS = 50_000
"""Number of draws: a probability of 1 % then has a standard error below 0.1 %."""

_CHUNK = 1 << 22
"""Elos that are drawn at a time."""

_PODIUM = 3


@dataclass(frozen=True, slots=True)
class RankProbabilities:
    """The rank probabilities of one bot; None where the results do not suffice."""

    rank: int
    """The rank in the ranking."""
    bot: str
    elo: float
    first: float | None = None
    """The probability that it is the best of its group."""
    podium: float | None = None
    """The probability that it is one of the best three of its group."""
    best: int | None = None
    """The best rank within the 95 % interval."""
    worst: int | None = None
    """The worst rank within the 95 % interval."""


def rank_probabilities(table: Ranking) -> tuple[RankProbabilities, ...]:
    """Return the rank probabilities of all bots, in the order of the ranking."""
    by_row: dict[int, RankProbabilities] = {}
    for group in dict.fromkeys(row.group for row in table.rows):
        rated = [position for position, row in enumerate(table.rows) if row.group == group and _is_rated(row)]
        if len(rated) > 1:
            rows = [table.rows[position] for position in rated]
            ranks = _draw_ranks(
                np.array([row.elo for row in rows]),
                table.covariance[np.ix_(rated, rated)],
                min(row.deals for row in rows) - 1,
            )
            by_row |= {
                position: _summarise(row, row_ranks)
                for position, row, row_ranks in zip(rated, rows, ranks, strict=True)
            }
    return tuple(
        by_row.get(position, RankProbabilities(row.rank, row.bot, row.elo)) for position, row in enumerate(table.rows)
    )


def _is_rated(row: RankingRow) -> bool:
    return row.deals >= MIN_DEALS and row.bound != "~"


def _draw_ranks(elo: Floats, covariance: Floats, freedom: int) -> Floats:
    """Return for each bot (row) the probability of each rank."""
    generator = np.random.default_rng(0)
    bots = len(elo)
    eigenvalues, root = np.linalg.eigh(covariance)
    root = root * np.sqrt(np.maximum(eigenvalues, 0.0))
    counts = np.zeros(bots * bots)
    step = max(1, _CHUNK // bots)
    for start in range(0, DRAWS, step):
        count = min(step, DRAWS - start)
        scale = np.sqrt(freedom / generator.chisquare(freedom, count))
        elos = elo + generator.standard_normal((count, bots)) @ root.T * scale[:, None]
        elos += generator.random((count, bots)) * 1e-6  # break exact ties at random
        ranks = np.argsort(np.argsort(-elos, axis=1), axis=1)
        counts += np.bincount((np.arange(bots) * bots + ranks).ravel(), minlength=bots * bots)
    return counts.reshape(bots, bots) / DRAWS


def _summarise(row: RankingRow, probabilities: Floats) -> RankProbabilities:
    cumulative = np.cumsum(probabilities)
    return RankProbabilities(
        row.rank,
        row.bot,
        row.elo,
        first=float(probabilities[0]),
        podium=float(probabilities[:_PODIUM].sum()),
        best=int(np.searchsorted(cumulative, 0.025, "right")) + 1,
        worst=int(np.searchsorted(cumulative, 0.975)) + 1,
    )


def probabilities_text(entries: tuple[RankProbabilities, ...], form: str = "text", width: int | None = None) -> str:
    """Return the rank probabilities as a table in one of `text_table.FORMATS`."""
    lines = [
        [
            entry.rank,
            entry.bot,
            elo_text(entry.elo, decimals=1),
            _percentage(entry.first),
            _percentage(entry.podium),
            "?"
            if entry.best is None
            else f"{entry.best}"
            if entry.best == entry.worst
            else f"{entry.best}-{entry.worst}",
        ]
        for entry in entries
    ]
    notes = ["Probability in % to be the best, and one of the best three; and the places in 95 of 100 draws."]
    if any(entry.first is None for entry in entries):
        notes.append(
            f"?: fewer than {MIN_DEALS} deals, or results that do not settle its Elo, or nobody to compare with."
        )
    columns = [
        Column("rank"),
        text_column("bot"),
        Column("Elo"),
        Column("first"),
        Column(f"first {_PODIUM}"),
        Column("places"),
    ]
    return TextTable(columns, lines, notes if lines else ["There are no matches to rate."]).render(form, width)


def probabilities_json(entries: tuple[RankProbabilities, ...]) -> list[dict[str, Any]]:
    """Return one object for each bot: null if the results do not suffice."""
    return [
        {
            "bot": entry.bot,
            "first": None if entry.first is None else round(entry.first, 4),
            "podium": None if entry.podium is None else round(entry.podium, 4),
            "best": entry.best,
            "worst": entry.worst,
        }
        for entry in entries
    ]


def probabilities_csv(entries: tuple[RankProbabilities, ...]) -> str:
    """Return the rank probabilities as CSV with a heading."""
    names = ["bot", "first", "podium", "best", "worst"]
    return as_csv([names, *(entry.values() for entry in probabilities_json(entries))])


def _percentage(value: float | None) -> str:
    return "?" if value is None else per_cent(value)
