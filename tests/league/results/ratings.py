"""Stored ratings for tests."""

from arena.league.results.board import pack_ratings
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import EntryTotals
from arena.store import Store
from arena.store.league_rows import LeagueRow, RatingsRow


def store_ratings(store: Store, league: LeagueRow, number: int, when: str, elo: dict[int, float]) -> None:
    """Store ratings of entries with intervals of 10 Elo, each after 100 matches for every batch."""
    rows = [
        EntryRating(entry, value, "", 10.0, 50 * number, 1.0, 2, EntryTotals(100 * number, 1, 1, 10, 1000), {})
        for entry, value in elo.items()
    ]
    ratings = LeagueRatings(tuple(rows), (1, 2), 50 * number, 100 * number * len(rows), "exact", 0.0)
    store.leagues.save_ratings(league.id, RatingsRow(number, pack_ratings(ratings), when))
