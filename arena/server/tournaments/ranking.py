"""The table of a ranking, with error bars."""

from collections.abc import Mapping, Sequence

from arena.ratings import BotStats, Ranking, RankingRow
from arena.ratings.elo_text import UNSEPARATED, rank_text
from arena.ratings.ranking_output import ELO_WITH_ODDS, GRANTS_LEGEND, ODDS_LEGEND, grants_text, has_odds
from arena.replay.html import Element
from arena.server.templates import TEMPLATES

_PARTS = "tournaments/ranking.html"

Links = Sequence[tuple[str, str]]
"""Links, each with address and text."""


def ranking(ranked: Ranking, conduct: Mapping[str, BotStats], reports: Mapping[str, Links] = {}) -> Element:
    """Return the ranking as a table, with its notes below.

    reports: of packages, by the name of the bot.
    """
    unsure = any(row.separated is False for row in ranked.rows)
    notes = [UNSEPARATED] if unsure else []
    notes += [GRANTS_LEGEND] if _has_grants(ranked.rows, conduct) else []
    notes += [ODDS_LEGEND] if has_odds(ranked.rows, conduct) else []
    table = ranking_table(ranked, ranked.rows, conduct, reports)
    return TEMPLATES.macro(_PARTS, "ranking")(table, [*notes, *ranked.notes])


def ranking_table(
    ranked: Ranking, shown: Sequence[RankingRow], conduct: Mapping[str, BotStats], reports: Mapping[str, Links] = {}
) -> Element:
    """Return some rows of a ranking as a table. The intervals are drawn on a scale on which all rows have room.

    reports: as in `ranking`.
    """
    low = min((row.elo - (row.ci95 or 0) for row in ranked.rows), default=0)
    high = max((row.elo + (row.ci95 or 0) for row in ranked.rows), default=0)
    rows = [
        (row, rank_text(row.rank, row.separated), stats, grants_text(stats.grants), reports.get(row.bot, ()))
        for row, stats in ((row, conduct.get(row.bot, BotStats())) for row in shown)
    ]
    has_failures = any(any(stats.process_failures.values()) for stats in conduct.values())
    has_grants = _has_grants(ranked.rows, conduct)
    odds = ELO_WITH_ODDS if has_odds(ranked.rows, conduct) else ""
    table = TEMPLATES.macro(_PARTS, "rows_table")
    return table(rows, low, high, has_failures, has_grants, bool(reports), odds, ranked.by_set)


def _has_grants(rows: Sequence[RankingRow], conduct: Mapping[str, BotStats]) -> bool:
    return any(row.bot in conduct and conduct[row.bot].grants for row in rows)
