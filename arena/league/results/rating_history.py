"""The stored ratings of a league over time."""

import json
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, NamedTuple

from arena.league.results.flags import Suspicion
from arena.league.store.league_rows import RatingsRow
from arena.league.store.leagues import Leagues
from arena.ratings.repeats import Repeats
from arena.store import Store

STEPS = (60, 300, 900, 3600, 4 * 3600, 24 * 3600, 7 * 24 * 3600, 28 * 24 * 3600)
"""Seconds between the moments of a history; the first that gives no more than asked for."""

MOMENTS = 24
"""The most moments of a history."""

HOURS = 24
"""The most hours of which `RatingHistory.ended_hours` returns ratings."""

KEPT = 64
"""Ratings that are kept in memory: the moments of a history, the ended hours, the newest, and that of a day before."""

DAY = timedelta(days=1)


class Rated(NamedTuple):
    """What stored ratings say of an entry; as in `arena.league.results.league_ratings.EntryRating`."""

    elo: float
    bound: str
    ci95: float | None
    deals: int
    matches: int
    decisions: int
    charged_us: int
    faults: dict[str, int]
    forfeits: int
    above: int | None
    separated: bool | None


class StoredRatings(NamedTuple):
    """The ratings of a league as they were stored at a moment."""

    number: int
    """The number of results in them."""
    when: str
    """When they were made, in UTC as ISO 8601."""
    matches: int
    """The number of all rated matches."""
    deals: int
    """The number of all rated deals."""
    rows: dict[int, Rated]
    """The rating of each entry, by number of the entry."""
    suspicions: tuple[Suspicion, ...] = ()
    """What stood out in the last audit."""
    repeats: Repeats | None = None
    """What was found of repeated matches, as in `arena.league.results.league_ratings.LeagueRatings`, without shares."""


class RatingPoint(NamedTuple):
    """The Elo of an entry at a moment."""

    when: str
    elo: float
    bound: str
    ci95: float | None


class RatingHistory:
    """Reads the stored ratings of a league, and keeps those that were used last; several threads may ask it."""

    def __init__(self, store: Store, league: int) -> None:
        self._store = store
        self._league = league
        self._kept: OrderedDict[int, StoredRatings] = OrderedDict()
        self._lock = Lock()

    def newest(self) -> StoredRatings | None:
        """Return the newest ratings; None before the first."""
        times = Leagues(self._store).rating_times(self._league)
        return self._at(*times[-1]) if times else None

    def day_before(self) -> StoredRatings | None:
        """Return the last ratings that are at least a day older than the newest; None if there are none."""
        times = Leagues(self._store).rating_times(self._league)
        if not times:
            return None
        limit = (datetime.fromisoformat(times[-1][1]) - DAY).isoformat(timespec="seconds")
        older = [moment for moment in times if moment[1] <= limit]
        return self._at(*older[-1]) if older else None

    def moments(self, most: int = MOMENTS) -> list[StoredRatings]:
        """Return ratings at about equal distances, the newest and at most `most` others, the oldest first."""
        times = Leagues(self._store).rating_times(self._league)
        return [ratings for number, when in thinned(times, most) if (ratings := self._at(number, when)) is not None]

    def ended_hours(self, now: datetime) -> list[StoredRatings]:
        """Return the last ratings of each of the latest hours that are over, the oldest first."""
        last: dict[str, tuple[int, str]] = {}
        for number, when in Leagues(self._store).rating_times(self._league):
            last[when[:13]] = (number, when)
        last.pop(now.isoformat()[:13], None)
        chosen = list(last.values())[-HOURS:]
        return [ratings for number, when in chosen if (ratings := self._at(number, when)) is not None]

    def _at(self, number: int, when: str) -> StoredRatings | None:
        """Return the ratings of a number; None if they were dropped or replaced meanwhile."""
        with self._lock:
            known = self._kept.get(number)
            if known is not None and known.when == when:
                self._kept.move_to_end(number)
                return known
        row = Leagues(self._store).ratings(self._league, number)
        if row is None:
            return None
        ratings = unpack_ratings(row)
        with self._lock:
            self._kept[number] = ratings
            self._kept.move_to_end(number)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return ratings


def unpack_ratings(row: RatingsRow) -> StoredRatings:
    """Return ratings as `arena.league.results.board.pack_ratings` packed them."""
    values: dict[str, Any] = json.loads(row.packed)
    rows = {rated["entry"]: Rated(**{name: rated[name] for name in Rated._fields}) for rated in values["rows"]}
    suspicions = tuple(Suspicion(*suspicion) for suspicion in values["suspicions"])
    stored = values.get("repeats")
    repeats = None if stored is None else Repeats(shares={}, **stored)
    return StoredRatings(row.number, row.created, values["matches"], values["deals"], rows, suspicions, repeats)


def points_of(moments: Sequence[StoredRatings], entry: int) -> tuple[RatingPoint, ...]:
    """Return the Elo of an entry at those moments at which it had one."""
    return tuple(
        RatingPoint(ratings.when, row.elo, row.bound, row.ci95)
        for ratings in moments
        if (row := ratings.rows.get(entry)) is not None
    )


def thinned(times: Sequence[tuple[int, str]], most: int) -> list[tuple[int, str]]:
    """Return the last moment of each of at most `most` equal spans, and the newest.

    times: numbers of ratings and when they were made, the oldest first. Spans begin at fixed times, so that the same
        moments are chosen again.
    """
    if not times:
        return []
    seconds = [int(datetime.fromisoformat(when).timestamp()) for _, when in times]
    step = next((step for step in STEPS if (seconds[-1] - seconds[0]) // step < most - 1), STEPS[-1])
    last = {second // step: moment for second, moment in zip(seconds, times, strict=True)}
    return list(last.values())[-most:]
