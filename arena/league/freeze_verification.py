"""Verification of the ratings at the end of a season: that its finalists were chosen by the newest results.

Two values of a snapshot are not recomputed, and neither of them has a say in who is a finalist: the deals of the last
seven days, as nobody stores the moment at which these were counted, and in large leagues the intervals, as these are
not computed anew after each batch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating
from arena.league.run.rating import QUICK_ENTRIES
from arena.league.run.standings import rated_entry
from arena.league.store.batches import Batches
from arena.league.store.league_rows import ACTIVE, BatchRow, EntryRow, EntryState
from arena.store import Store, StoreError
from arena.values.rows import DecisionRow

TOLERANCE = 0.52
"""Elo: by so much a rounded rating may differ from the one that is computed here."""

_STATE_AFTER: dict[str, EntryState] = {
    "enter": "placing",
    "readmit": "placing",
    "place": "standing",
    "suspend": "suspended",
    "retire": "retired",
}


class FreezeCheck:
    """Checks the snapshots by which the finalists of a league's seasons were chosen, the oldest season first."""

    def __init__(
        self,
        store: Store,
        league: int,
        entries: Sequence[EntryRow],
        log: Sequence[DecisionRow],
        batches: Sequence[BatchRow],
    ) -> None:
        """Prepare the check.

        entries, log, batches: of the league.
        """
        self._store = store
        self._league = league
        self._entries = {entry.number: entry for entry in entries}
        self._log = log
        self._batches = batches
        self._fit = LeagueFit()
        self._results = 0

    def problems(self, season: int, snapshot: Snapshot, stored_as: int, settled: int) -> Iterator[str]:
        """Yield a sentence for everything in a snapshot that does not follow from the batches and the log before it.

        stored_as: the number of the snapshot.
        settled: the number of the entry of the log by which the finalists were settled.

        Raises StoreError where sums of batches are damaged.
        """
        results = self._results_before(season)
        if snapshot.number != results:
            yield (
                f"its finalists were chosen by the ratings after {snapshot.number} batches, when {results} were stored"
            )
            return
        yield from self.rating_problems(snapshot, stored_as, settled, "by which its finalists were chosen")

    def rating_problems(self, snapshot: Snapshot, stored_as: int, decided: int, which: str) -> Iterator[str]:
        """Yield a sentence for each entry and rating of a snapshot that does not follow from the log and the results.

        The snapshot has at least as many results as that of the call before.

        stored_as: the number of the snapshot.
        decided: the number of the entry of the log that rests on it.
        which: says of what kind the snapshot is.

        Raises StoreError where sums of batches are damaged.
        """
        states = self.states_before(decided)
        if [entry.number for entry in snapshot.entries] != [
            number for number, state in states.items() if state in ACTIVE
        ]:
            yield f"snapshot {stored_as}, {which}, does not hold the entries that played"
            return
        ratings = self._ratings(snapshot.number)
        has_intervals = len(states) <= QUICK_ENTRIES
        for entry in snapshot.entries:
            row = replace(self._entries[entry.number], state=states[entry.number])
            expected = rated_entry(row, ratings.get(entry.number))
            if not _is_same(entry, expected, ratings.get(entry.number), has_intervals=has_intervals):
                yield f"the rating of entry {entry.number} in snapshot {stored_as} does not follow from the results"

    def _results_before(self, season: int) -> int:
        """Return how many rated batches were stored when the final was settled: all that were drawn before it."""
        after = (
            batch.number
            for batch in self._batches
            if batch.season > season or (batch.season == season and batch.kind == "final")
        )
        first = min(after, default=inf)
        return sum(batch.result is not None and batch.number < first for batch in self._batches)

    def states_before(self, settled: int) -> dict[int, EntryState]:
        """Return the states of all entries at an entry of the log, by number."""
        states: dict[int, EntryState] = {}
        for row in self._log[: settled - 1]:
            if row.kind in _STATE_AFTER:
                entry = self._entries.get(row.details["entry"])
                if entry is not None:  # that it is missing is found where the log is checked
                    states[entry.number] = "standing" if entry.is_anchor else _STATE_AFTER[row.kind]
        return dict(sorted(states.items()))

    def _ratings(self, results: int) -> dict[int, EntryRating]:
        """Return the ratings after the first batches, by entry.

        results: the number of these batches, at least as many as in the call before.
        """
        try:
            for _, _, packed in Batches(self._store).sums(self._league, self._results, up_to=results):
                self._fit.add(packed)
        except StoreError:  # it holds some of these batches, and the next season's would hold them twice
            self._fit, self._results = LeagueFit(), 0
            raise
        self._results = results
        if not results:
            return {}
        return self._fit.fit([entry.number for entry in self._entries.values() if entry.is_anchor]).by_entry()


def _is_same(stored: RatedEntry, expected: RatedEntry, row: EntryRating | None, *, has_intervals: bool) -> bool:
    """Compare an entry of a snapshot.

    row: its rating, not rounded.
    has_intervals: whether its intervals can be compared.
    """

    def facts(entry: RatedEntry) -> tuple[object, ...]:
        return entry.owner, entry.deals, entry.cpu_us_per_deal, entry.is_placing, entry.pending_deals

    if facts(stored) != facts(expected) or abs(stored.elo - (row.elo if row is not None else 0)) > TOLERANCE:
        return False
    if not has_intervals:
        return True
    interval = row.ci95 if row is not None else None
    if stored.ci95 is None or interval is None:
        return stored.ci95 is interval
    return abs(stored.ci95 - interval) <= TOLERANCE
