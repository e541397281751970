"""Stored ratings for tests."""

from arena.league.results.board import pack_ratings
from arena.league.results.flags import Suspicion
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import EntryTotals
from arena.league.store.league_rows import LeagueRow, RatingsRow
from arena.league.store.leagues import Leagues
from arena.ratings.repeats import Repeats
from arena.store import Store


def store_ratings(
    store: Store,
    league: LeagueRow,
    number: int,
    when: str,
    elo: dict[int, float],
    above: dict[int, tuple[int, bool]] | None = None,
    forfeits: dict[int, int] | None = None,
    suspicions: tuple[Suspicion, ...] = (),
    repeats: Repeats | None = None,
) -> None:
    """Store ratings of entries with intervals of 10 Elo, each after 100 matches for every batch.

    above: of some entries, the next stronger one, and whether they are separated.
    """
    neighbours, forfeited = above or {}, forfeits or {}
    rows = [
        EntryRating(
            entry, value, "", 10.0, 50 * number, 1.0, 2, EntryTotals(100 * number, 1, 1, 10, 1000), {},
            forfeited.get(entry, 0), *neighbours.get(entry, (None, None)),
        )
        for entry, value in elo.items()
    ]  # fmt: skip
    played = 50 * number, 100 * number * len(rows)
    ratings = LeagueRatings(tuple(rows), (1, 2), *played, "exact", 0.0, suspicions, repeats)
    Leagues(store).save_ratings(league.id, RatingsRow(number, pack_ratings(ratings), when))
