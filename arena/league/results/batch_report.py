"""The results of one batch: how its entries did against each other in it alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating
from arena.league.store.batch_queries import MOST_EXPIRED, MOST_FAILED
from arena.league.store.batches import Batches
from arena.league.store.league_rows import AttemptRow, BatchRow, EntryRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.ratings.repeats import Repeats
from arena.store import NoSuchRow, Store


@dataclass(frozen=True, slots=True)
class BatchReport:
    """A batch with its entries, attempts and, once its results are there, what the ratings would be from it alone."""

    batch: BatchRow
    entries: dict[int, EntryRow]
    attempts: tuple[AttemptRow, ...]
    grants: dict[int, tuple[str, ...]]
    """What entries are granted in it, by number of the entry; until it is leased, what they had as it was drawn."""
    ratings: tuple[EntryRating, ...] = ()
    """The ratings from the batch alone, the strongest first; the mean of those that can be compared is 0."""
    los: dict[tuple[int, int], float] | None = None
    """The probability, by two entries, that the first is better, as far as the batch can tell."""
    repeats: Repeats | None = None
    """What was found of repeated matches in the batch."""


def report_batch(store: Store, league: LeagueRow, number: int) -> BatchReport:
    """Return what is known of a batch. Raises NoSuchRow if the league has no batch of that number."""
    batch = Batches(store).get(league.id, number)
    if batch is None:
        raise NoSuchRow(
            f"the league {league.name} has no batch {number}: arena league show {league.name} lists the last"
        )
    entries = {entry.number: entry for entry in Leagues(store).entries(league.id) if entry.number in batch.entries}
    attempts = tuple(Batches(store).attempts(league.id, number))
    grants = batch_grants(store, batch)
    if not batch.has_results:
        return BatchReport(batch, entries, attempts, grants)
    fit = LeagueFit()
    fit.add(Batches(store).packed_sums(batch))
    ratings = fit.fit(batch.entries)
    rows = ratings.rows
    pairs = ((one.entry, other.entry) for one in rows for other in rows if one is not other)
    los = {pair: probability for pair in pairs if (probability := fit.los(*pair)) is not None}
    return BatchReport(batch, entries, attempts, grants, rows, los, ratings.repeats)


def batch_grants(store: Store, batch: BatchRow) -> dict[int, tuple[str, ...]]:
    """Return what the entries of a batch are granted in it, by number; without those that get nothing."""
    granted = store.event(batch.event).definition.grants
    return {batch.entries[place]: words for place, words in granted.items()}


def void_reason(batch: BatchRow, attempts: Sequence[AttemptRow]) -> str:
    """Return why a batch is void, as the end of a sentence."""
    expired = sum(attempt.outcome == "expired" for attempt in attempts)
    if batch.failed < MOST_FAILED and expired < MOST_EXPIRED:
        return "it was dropped before it was played, as its season or league ended, or as a bot of it plays no more"
    if batch.kind == "trial":
        return "its attempts came to no result, although its entry met sample bots alone"
    return "its attempts came to no result, and each of its entries is tried alone"
