"""A ranking as a table: for people, for notebooks and for data frames."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from arena.api.frames import Frame, make_frame
from arena.api.ranking_html import ranking_html
from arena.ratings import BotStats, Ranking
from arena.ratings.elo_text import elo_text
from arena.ratings.ranking import RankingRow
from arena.ratings.ranking_output import los_text, ranking_text

if TYPE_CHECKING:
    from arena.results.standings import Standings

_COLUMNS = {
    "rank": "int32",
    "bot": "string",
    "elo": "double",
    "elo_ci95": "double",
    "elo_ci95_by_set": "double",
    "bound": "string",
    "separated": "bool",
    "score": "double",
    "score_ci95": "double",
    "expected_place": "double",
    "matches": "int64",
    "deals": "int64",
    "group": "int32",
    "faults": "int64",
    "ms_per_decision": "double",
    "grants": "string",
    "clock": "string",
}
"""The columns of `RankingTable.to_frame`, with their Arrow types."""


class RankingTable:
    """The ranking of a tournament, best bot first; `str` of it, and a notebook, show it as a table.

    Its rows are `arena.ratings.ranking.RankingRow` objects (rank, bot, elo, ci95, score, score_ci95, expected_place,
    matches, deals, separated); iterate over it, or take one by the name of its bot: `ranking["mine"].elo`.

    How Elo, intervals and separation are computed, and what they promise, is explained in docs/ratings.md.
    """

    def __init__(self, standings: "Standings") -> None:
        """Make the table of a tournament; `Results.ranking` does."""
        self._table: Ranking = standings.table
        self._stats: Mapping[str, BotStats] = standings.conduct

    @property
    def rows(self) -> tuple[RankingRow, ...]:
        """The rows, best bot first."""
        return self._table.rows

    def __iter__(self) -> Iterator[RankingRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, bot: str) -> RankingRow:
        row = next((row for row in self.rows if row.bot == bot), None)
        if row is None:
            raise KeyError(f"{bot!r} (the bots are {', '.join(row.bot for row in self.rows)})")
        return row

    def to_frame(self) -> Frame:
        """Return one row per bot as a `pyarrow.Table`, see `Results.to_frame`.

        Columns: rank, bot, elo, elo_ci95 (half the width of the 95 % interval, null if unknown), elo_ci95_by_set
        (likewise, if openings made no experiments), bound, separated, score, score_ci95, expected_place, matches,
        deals, group, faults (of all kinds), ms_per_decision, grants (with blanks between them), clock (where bots have
        different ones, otherwise empty).

        Raises ArchiveError where pyarrow is not installed.
        """
        rows = []
        for row in self.rows:
            stats = self._stats.get(row.bot, BotStats())
            values = {name: getattr(row, name) for name in _COLUMNS if hasattr(row, name)}
            values |= {"elo_ci95": row.ci95, "elo_ci95_by_set": row.ci95_by_set, "faults": sum(stats.faults.values())}
            rows.append(
                values
                | {"ms_per_decision": stats.ms_per_decision, "grants": " ".join(stats.grants), "clock": stats.clock}
            )
        return make_frame(rows, _COLUMNS)

    def superiority(self) -> str:
        """Return the probability of each pair that one bot is better than the other, as text."""
        return los_text(self._table)

    def __str__(self) -> str:
        return ranking_text(self._table, self._stats)

    def __repr__(self) -> str:
        bots = ", ".join(f"{row.bot} {elo_text(row.elo, row.bound, 1)}" for row in self.rows)
        return f"<RankingTable: {bots}>"

    def _repr_html_(self) -> str:
        return ranking_html(self._table, self._stats)
