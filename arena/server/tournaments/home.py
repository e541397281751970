"""The home page: what goes on in leagues, the newest tournaments and their leaders, and the list of all tournaments."""

from typing import NamedTuple

from arena.ratings import RankingRow
from arena.ratings.elo_text import rank_text
from arena.server.access import Access
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena.values.rows import TournamentRow

NEWEST = 6
"""Tournaments that are shown with their leaders."""

LEADERS = 3


class _Leader(NamedTuple):
    """A bot among the first of a tournament."""

    row: RankingRow
    rank: str
    """Its rank as text."""
    low: float
    """The lower end of its interval."""
    high: float
    """The upper end of its interval."""


def show(store: Store, rankings: RankingCache, access: Access, leagues: PageParts) -> str:
    """Return the home page: leagues, the newest tournaments with their leaders, and all tournaments, newest first.

    access: on an empty site, organisers see a hint.
    leagues: what is shown of leagues; nothing where there are none.
    """
    rows = store.tournaments()[::-1]
    counts = {row.id: store.count(row.id) for row in rows}
    return TEMPLATES.page(
        "tournaments/home.html",
        rows=[(row, counts[row.id], options_text(row)) for row in rows],
        cards=[(row, counts[row.id], _leaders(rankings, row, counts[row.id])) for row in rows[:NEWEST]],
        organiser=access.organiser,
        parts=leagues,
        events="/leagues/events",
    )


def options_text(tournament: TournamentRow) -> str:
    """Say which options the game of a tournament has."""
    return ", ".join(f"{name}={value}" for name, value in sorted(tournament.options.items()))


def _leaders(rankings: RankingCache, row: TournamentRow, played: int) -> list[_Leader]:
    """Return the leaders; none while nobody is rated, or where the ranking is not at hand."""
    if not played or rankings.waiting(row):
        return []
    rows = rankings.of(row).standings.table.rows[:LEADERS]
    ends = [leader.ci95 or 0 for leader in rows]
    return [
        _Leader(leader, rank_text(leader.rank, leader.separated), leader.elo - end, leader.elo + end)
        for leader, end in zip(rows, ends, strict=True)
    ]
