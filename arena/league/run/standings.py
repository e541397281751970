"""The ratings of a league as its runner keeps them: what is stored is added, and snapshots are taken for draws."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.run.recent_play import RecentPlay
from arena.store import Store
from arena.store.league_rows import BatchRow, EntryRow


class LeagueStandings:
    """The ratings after all stored batches of a league.

    results: how many batches they hold. ratings: of the last `fit`; None before the first. recent: what entries did
    lately.
    """

    def __init__(self, store: Store, league: int) -> None:
        self.results = 0
        self.ratings: LeagueRatings | None = None
        self.recent = RecentPlay()
        self._store = store
        self._league = league
        self._fit = LeagueFit()

    def update(self, now: datetime) -> bool:
        """Add the batches that were stored since; return whether there were any."""
        known = self.results
        for result, ended, packed in self._store.batches.sums(self._league, after=known):
            self._fit.add(packed)
            self.results = result
            self.recent.add(datetime.fromisoformat(ended), packed)
        self.recent.forget(now)
        return self.results > known

    def fit(self, anchors: Iterable[int], *, intervals: bool) -> LeagueRatings:
        """Fit all results. anchors: numbers of entries. intervals: whether to compute these anew."""
        self.ratings = self._fit.fit(list(anchors), intervals=intervals)
        return self.ratings

    def snapshot(self, entries: Iterable[EntryRow], under_way: Iterable[BatchRow]) -> Snapshot:
        """Return what a draw knows of the entries that may play. under_way: batches whose deals count as played."""
        rows = self.ratings.by_entry() if self.ratings is not None else {}
        coming = Counter[int]()
        for batch in under_way:
            share = batch.matches // max(len(batch.entries), 1)
            coming.update(dict.fromkeys(batch.entries, share))
        return Snapshot(
            self.results,
            [self._rated(entry, rows, coming[entry.number]) for entry in entries],
        )

    def _rated(self, entry: EntryRow, rows: Mapping[int, EntryRating], coming: int) -> RatedEntry:
        row = rows.get(entry.number)
        deals = row.deals if row is not None else 0
        return RatedEntry(
            number=entry.number,
            owner=entry.owner,
            elo=round(row.elo) if row is not None else 0,
            ci95=round(row.ci95) if row is not None and row.ci95 is not None else None,
            deals=deals,
            recent_deals=self.recent.deals(entry.number) + coming,
            pending_deals=coming,
            cpu_us_per_deal=row.totals.charged_us // deals if row is not None and deals else 0,
            is_placing=entry.state == "placing",
        )
