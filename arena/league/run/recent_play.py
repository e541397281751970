"""What entries of a league did lately: deals of a week, CPU time of a day, faults and pace of their last batches."""

from collections import Counter, defaultdict, deque
from datetime import date, datetime, timedelta
from typing import NamedTuple

from arena.league.results.league_sums import LeagueSums

WEEK = timedelta(days=7)

FAULT_BATCHES = 10
"""The last batches of an entry, of those of a week, in which its faults are counted."""


class _Share(NamedTuple):
    """What an entry did in a batch."""

    deals: int
    matches: int
    faults: int
    used_us: int
    """The time that it was charged for its answers, and took to get ready, in microseconds."""
    charged_us: int
    """The time that it was charged for its answers, in microseconds."""


class _Batch(NamedTuple):
    """What an entry did in one of its last batches."""

    when: datetime
    faults: int
    matches: int
    us_per_deal: int
    """The time that it was charged for its answers to a deal, in microseconds."""


class RecentPlay:
    """What entries did in batches, by their numbers. Deals are summed up by the hour, CPU time by the day (UTC)."""

    def __init__(self) -> None:
        self._deals: dict[datetime, Counter[int]] = defaultdict(Counter)
        self._total = Counter[int]()
        self._used_us: dict[date, Counter[int]] = defaultdict(Counter)
        self._last: dict[int, deque[_Batch]] = defaultdict(lambda: deque(maxlen=FAULT_BATCHES))

    def add(self, when: datetime, packed: bytes) -> None:
        """Add the packed sums of a batch that ended then (UTC)."""
        deals = self._deals[when.replace(minute=0, second=0, microsecond=0)]
        used_us = self._used_us[when.date()]
        for entry, share in _shares(packed).items():
            deals[entry] += share.deals
            self._total[entry] += share.deals
            used_us[entry] += share.used_us
            pace = share.charged_us // share.deals if share.deals else 0
            self._last[entry].append(_Batch(when, share.faults, share.matches, pace))

    def forget(self, now: datetime) -> None:
        """Forget hours that began a week ago or earlier, faults of more than a week ago, and CPU time of past days."""
        for hour in [hour for hour in self._deals if now - hour >= WEEK]:
            self._total.subtract(self._deals.pop(hour))
        for day in [day for day in self._used_us if day < now.date()]:
            del self._used_us[day]
        for last in self._last.values():
            while last and now - last[0].when >= WEEK:
                last.popleft()

    def deals(self, entry: int) -> int:
        """Return the deals of an entry within a week, without those of the hour in which the week began."""
        return self._total[entry]

    def us_per_deal(self, entry: int) -> int:
        """Return the time that an entry was charged for a deal in its last batch, in microseconds; 0: none is known."""
        last = self._last.get(entry)
        return last[-1].us_per_deal if last else 0

    def cpu_seconds(self, now: datetime) -> Counter[int]:
        """Return the seconds that entries were charged for their answers, and took to get ready, today (UTC)."""
        used_us = self._used_us.get(now.date(), Counter[int]())
        return Counter({entry: micros // 1_000_000 for entry, micros in used_us.items()})

    def faults(self, entry: int, after: datetime | None = None) -> tuple[int, int]:
        """Return the faults of an entry in its last batches, and its matches in these.

        after: only batches that ended later, as it was let in again then.
        """
        last = [batch for batch in self._last[entry] if after is None or batch.when > after]
        return sum(batch.faults for batch in last), sum(batch.matches for batch in last)


def _shares(packed: bytes) -> dict[int, _Share]:
    sums = LeagueSums().add(packed)
    deals = Counter[int]()
    for kinds in sums.kinds:
        for column in kinds.entries.T:
            for entry, count in zip(column.tolist(), kinds.deals.tolist(), strict=True):
                deals[entry] += count
    shares = {}
    for entry, total in sums.totals().items():
        faults = sum(sums.faults.get(entry, {}).values())
        shares[entry] = _Share(
            deals[entry], total.matches, faults, total.charged_us + sums.ready_us[entry], total.charged_us
        )
    return shares
