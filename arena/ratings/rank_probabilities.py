"""Rank probabilities: how likely each bot is the best, and which ranks are plausible, by Monte Carlo.

Elos are drawn jointly from a multivariate Student's t distribution with the covariance of the fit and the degrees of
freedom of the fewest deals, from a fixed seed. For two bots the result is the LOS; for more it cannot be derived from
the intervals, as the Elos are correlated.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import MIN_DEALS, Ranking, RankingRow
from arena.ratings.ranking_output import as_csv, per_cent
from arena.ratings.text_table import TextTable

DRAWS = 50_000
"""Drawn fields: one in a hundred is then known to 0.1 %, give or take."""

_CHUNK = 1 << 22
"""Elos that are drawn at once."""

_PODIUM = 3


@dataclass(frozen=True, slots=True)
class RankProbabilities:
    """The rank probabilities of one bot.

    rank: in the ranking. first: the probability that it is the best of its group. podium: that it is one of the best
    three. best, worst: the bounds of the 95 % interval of its rank. All are None where too little is known of the bot.
    """

    rank: int
    bot: str
    elo: float
    first: float | None = None
    podium: float | None = None
    best: int | None = None
    worst: int | None = None


def rank_probabilities(table: Ranking) -> tuple[RankProbabilities, ...]:
    """Return the rank probabilities of all bots, in the order of the ranking."""
    found: dict[int, RankProbabilities] = {}
    for group in dict.fromkeys(row.group for row in table.rows):
        known = [place for place, row in enumerate(table.rows) if row.group == group and _known(row)]
        if len(known) > 1:
            rows = [table.rows[place] for place in known]
            places = _places(
                np.array([row.elo for row in rows]),
                table.covariance[np.ix_(known, known)],
                min(row.deals for row in rows) - 1,
            )
            found |= {place: _chance(row, of) for place, row, of in zip(known, rows, places, strict=True)}
    return tuple(
        found.get(place, RankProbabilities(row.rank, row.bot, row.elo)) for place, row in enumerate(table.rows)
    )


def _known(row: RankingRow) -> bool:
    return row.deals >= MIN_DEALS and row.bound != "~"


def _places(elo: Floats, covariance: Floats, freedom: int) -> Floats:
    """Return for each bot (row) the probability of each place."""
    draw = np.random.default_rng(0)
    bots = len(elo)
    size, root = np.linalg.eigh(covariance)
    root = root * np.sqrt(np.maximum(size, 0.0))
    counts = np.zeros(bots * bots)
    step = max(1, _CHUNK // bots)
    for start in range(0, DRAWS, step):
        count = min(step, DRAWS - start)
        wider = np.sqrt(freedom / draw.chisquare(freedom, count))
        drawn = elo + draw.standard_normal((count, bots)) @ root.T * wider[:, None]
        drawn += draw.random((count, bots)) * 1e-6  # lots between bots that are equal to the last digit
        places = np.argsort(np.argsort(-drawn, axis=1), axis=1)
        counts += np.bincount((np.arange(bots) * bots + places).ravel(), minlength=bots * bots)
    return counts.reshape(bots, bots) / DRAWS


def _chance(row: RankingRow, places: Floats) -> RankProbabilities:
    below = np.cumsum(places)
    return RankProbabilities(
        row.rank,
        row.bot,
        row.elo,
        first=float(places[0]),
        podium=float(places[:_PODIUM].sum()),
        best=int(np.searchsorted(below, 0.025, "right")) + 1,
        worst=int(np.searchsorted(below, 0.975)) + 1,
    )


def probabilities_text(found: tuple[RankProbabilities, ...], form: str = "text") -> str:
    """Return the rank probabilities as a table in one of `text_table.FORMATS`."""
    lines = [
        [
            each.rank,
            each.bot,
            f"{each.elo:+.1f}",
            _shown(each.first),
            _shown(each.podium),
            "?" if each.best is None else f"{each.best}" if each.best == each.worst else f"{each.best}-{each.worst}",
        ]
        for each in found
    ]
    notes = ["Probability in % to be the best, and one of the best three; and the places in 95 of 100 draws."]
    if any(each.first is None for each in found):
        notes.append(
            f"?: fewer than {MIN_DEALS} deals, or results that do not settle its Elo, or nobody to compare with."
        )
    headers = ["rank", "bot", "Elo", "first", f"first {_PODIUM}", "places"]
    return TextTable(headers, lines, (1,), notes if lines else ["There are no matches to rate."]).render(form)


def probabilities_json(found: tuple[RankProbabilities, ...]) -> list[dict[str, Any]]:
    """Return one object for each bot: null where too little is known."""
    return [
        {
            "bot": each.bot,
            "first": None if each.first is None else round(each.first, 4),
            "podium": None if each.podium is None else round(each.podium, 4),
            "best": each.best,
            "worst": each.worst,
        }
        for each in found
    ]


def probabilities_csv(found: tuple[RankProbabilities, ...]) -> str:
    """Return the same as CSV with a heading."""
    names = ["bot", "first", "podium", "best", "worst"]
    return as_csv([names, *(entry.values() for entry in probabilities_json(found))])


def _shown(value: float | None) -> str:
    return "?" if value is None else per_cent(value)
