"""The ratings of a league as its runner keeps them: what is stored is added, and snapshots are taken for draws."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime

from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.flags import Suspicion
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.stored_fit import load_fit
from arena.league.run.recent_play import WEEK, RecentPlay
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, EntryRow
from arena.league.store.total_sums import TotalSums
from arena.store import Store

SUMS_BATCHES = 500
"""Batches after which the sums of all are stored anew."""


class LeagueStandings:
    """The ratings after all stored batches of a league.

    results: how many batches the ratings hold.
    ratings: of the last `fit`; None before the first.
    recent: what entries did lately.
    """

    def __init__(self, store: Store, league: int) -> None:
        self.results = 0
        self.ratings: LeagueRatings | None = None
        self.recent = RecentPlay()
        self._store = store
        self._league = league
        self._fit = LeagueFit()
        self._is_loaded = False
        self._saved = 0
        self._suspicions: tuple[Suspicion, ...] = ()

    def update(self, now: datetime) -> None:
        """Add the batches that were stored since."""
        since = None
        if not self._is_loaded:
            since = (now - WEEK).isoformat(timespec="seconds")
            self.recent = RecentPlay()
            if not self.results:
                self._fit, self.results = load_fit(self._store, self._league)
                self._saved = self.results
        for result, ended, packed in Batches(self._store).sums(self._league, self.results, since):
            if result > self.results:
                self._fit.add(packed)
                self.results = result
            self.recent.add(datetime.fromisoformat(ended), packed)
        self._is_loaded = True
        self.recent.forget(now)
        if self.results - self._saved >= SUMS_BATCHES:
            TotalSums(self._store).save(self._league, self.results, self._fit.sums.to_bytes())
            self._saved = self.results

    def fit(self, anchors: Iterable[int], *, intervals: bool, active: Collection[int] | None = None) -> LeagueRatings:
        """Fit all results.

        anchors: numbers of entries.
        intervals: whether to compute these anew.
        active: the entries that are compared with the next stronger of them; None: all.
        """
        ratings = self._fit.fit(list(anchors), intervals=intervals, active=active)
        self.ratings = replace(ratings, suspicions=self._suspicions)
        return self.ratings

    def audit(self, anchors: Collection[int]) -> None:
        """Look for entries that play for each other, for the ratings from now on."""
        self._suspicions = self._fit.audit(anchors)

    def snapshot(
        self,
        entries: Iterable[EntryRow],
        under_way: Iterable[BatchRow],
        checked_us: Callable[[EntryRow], int] = lambda _: 0,
        *,
        lately: bool = False,
    ) -> Snapshot:
        """Return what a draw knows of the entries that may play.

        lately: whether an entry counts as slow as it was in its last batch, where that is slower than on average. One
            that turns slow after thousands of quick deals would else count as quick for many batches.
        under_way: batches whose deals count as played.
        checked_us: returns how long an entry takes for a deal by its check, in µs, for those that have not played yet.
        """
        rows = self.ratings.by_entry() if self.ratings is not None else {}
        coming = Counter[int]()
        for batch in under_way:
            share = batch.matches // max(len(batch.entries), 1)
            coming.update(dict.fromkeys(batch.entries, share))
        return Snapshot(
            self.results,
            [
                rated_entry(
                    entry,
                    rows.get(entry.number),
                    recent=self.recent.deals(entry.number),
                    coming=coming[entry.number],
                    checked_us=0 if entry.number in rows else checked_us(entry),
                    lately_us=self.recent.us_per_deal(entry.number) if lately else 0,
                )
                for entry in entries
            ],
        )


def rated_entry(
    entry: EntryRow,
    row: EntryRating | None,
    *,
    recent: int = 0,
    coming: int = 0,
    checked_us: int = 0,
    lately_us: int = 0,
) -> RatedEntry:
    """Return an entry as a snapshot has it.

    row: its rating; None if it has none.
    recent: its deals of the last week.
    coming: its deals under way.
    checked_us: how long it takes for a deal by its check, in µs, for as long as it has not played.
    lately_us: the least time for a deal that it has, in µs.
    """
    deals = row.deals if row is not None else 0
    return RatedEntry(
        number=entry.number,
        owner=entry.owner,
        elo=round(row.elo) if row is not None else 0,
        ci95=round(row.ci95) if row is not None and row.ci95 is not None else None,
        deals=deals,
        recent_deals=recent + coming,
        pending_deals=coming,
        cpu_us_per_deal=max(row.totals.charged_us // deals if row is not None and deals else checked_us, lately_us),
        is_placing=entry.state == "placing",
    )
