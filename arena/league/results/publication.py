"""Which secrets of a season are public: those of past days, once none of their batches is left to be played."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from arena.league.plan.secret_chain import day_of, day_secret
from arena.league.store.batches import Batches
from arena.league.store.league_rows import SeasonRow
from arena.store import Store

DELAY = timedelta(minutes=10)
"""After the end of a day, before its secret is public: the clocks of runners differ."""


class PublishedSecret(NamedTuple):
    """The secret of the last public day of a season; those of the days before follow from it by SHA-256."""

    day: int
    """The day of the season, from 0."""
    secret: str
    """The secret of that day in hex."""


def published_secret(store: Store, league: int, season: SeasonRow) -> PublishedSecret | None:
    """Return the newest public secret of a season; None while there is none."""
    today = (datetime.now(UTC) - DELAY).date()
    unplayed = [row.day for row in Batches(store).unplayed(league) if row.season == season.number]
    last = season.days - 1 if season.ended is not None else day_of(season, today) - 1
    day = min([last, *(day - 1 for day in unplayed)])
    return PublishedSecret(day, day_secret(season, day).hex()) if day >= 0 else None
