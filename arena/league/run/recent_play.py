"""What entries of a league did lately: deals of a week, CPU time of a day, faults of their last batches."""

from collections import Counter, defaultdict, deque
from datetime import datetime, timedelta
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
    charged_us: int


class RecentPlay:
    """What entries did in batches, by their numbers."""

    def __init__(self) -> None:
        self._week: deque[tuple[datetime, dict[int, _Share]]] = deque()
        self._deals = Counter[int]()
        self._last: dict[int, deque[tuple[datetime, _Share]]] = defaultdict(lambda: deque(maxlen=FAULT_BATCHES))

    def add(self, when: datetime, packed: bytes) -> None:
        """Add the packed sums of a batch that ended then."""
        shares = _shares(packed)
        for entry, share in shares.items():
            self._last[entry].append((when, share))
            self._deals[entry] += share.deals
        self._week.append((when, shares))

    def forget(self, now: datetime) -> None:
        """Forget batches of more than a week ago."""
        while self._week and now - self._week[0][0] >= WEEK:
            when, shares = self._week.popleft()
            for entry, share in shares.items():
                self._deals[entry] -= share.deals
                last = self._last[entry]
                if last and last[0][0] == when:
                    last.popleft()

    def deals(self, entry: int) -> int:
        """Return the deals of an entry within a week."""
        return self._deals[entry]

    def cpu_seconds(self, now: datetime) -> Counter[int]:
        """Return the seconds that entries were charged today (UTC)."""
        seconds = Counter[int]()
        for when, shares in reversed(self._week):
            if when.date() != now.date():
                break
            for entry, share in shares.items():
                seconds[entry] += share.charged_us
        return Counter({entry: micros // 1_000_000 for entry, micros in seconds.items()})

    def faults(self, entry: int, after: datetime | None = None) -> tuple[int, int]:
        """Return the faults of an entry in its last batches, and its matches in these.

        after: only batches that ended later, as it was let in again then.
        """
        shares = [share for when, share in self._last[entry] if after is None or when > after]
        return sum(share.faults for share in shares), sum(share.matches for share in shares)


def _shares(packed: bytes) -> dict[int, _Share]:
    sums = LeagueSums().add(packed)
    deals = Counter[int]()
    for kinds in sums.kinds.values():
        for column in kinds.entries.T:
            for entry, count in zip(column.tolist(), kinds.deals.tolist(), strict=True):
                deals[entry] += count
    return {
        entry: _Share(deals[entry], total.matches, sum(sums.faults.get(entry, {}).values()), total.charged_us)
        for entry, total in sums.totals().items()
    }
