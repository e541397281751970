"""Batches of leagues, as the API shows them."""

from collections.abc import Iterator

from msgspec import Struct

from arena.league.results.batch_report import BatchReport, report_batch
from arena.store import Store
from arena.store.league_rows import AttemptRow, BatchRow, LeagueRow


class BatchItem(Struct, frozen=True):
    """A batch. kind: placement, standing, final, trial or challenge. state: waiting, leased, stored or void.

    entries: numbers. matches: that it has or will have. seconds: of a core; None before it is stored. result: its place
    among the stored batches of the league.
    """

    batch: int
    kind: str
    state: str
    attempts: int
    entries: list[int]
    season: int
    day: int
    matches: int
    seconds: float | None
    created: str
    ended: str | None
    result: int | None


class BatchList(Struct, frozen=True):
    """Batches, the newest first. next: as for entries."""

    batches: list[BatchItem]
    next: str | None


class AttemptValue(Struct, frozen=True):
    """An attempt to play a batch. outcome: stored, released, expired or failed; None while it goes on."""

    attempt: int
    began: str
    ended: str | None
    outcome: str | None
    reason: str


class BatchRating(Struct, frozen=True):
    """How strong an entry is as far as one batch tells: the mean of those that can be compared is 0 Elo.

    bound: `<`, `>` or `~` where elo is no estimate. ci95: half the width of the interval; None without one. better: by
    the number of each other entry, the probability that this one is stronger.
    """

    entry: int
    elo: float
    bound: str
    ci95: float | None
    deals: int
    better: dict[str, float]


class BatchValue(Struct, frozen=True):
    """A batch with its attempts. first_match: the id of its first match; None until its matches are stored.

    grants: what entries are granted in it beyond others, by the number of the entry. ratings: from this batch alone,
    the strongest first; none until it is stored.
    """

    league: str
    batch: BatchItem
    first_match: int | None
    attempts: list[AttemptValue]
    grants: dict[str, list[str]] = {}
    ratings: list[BatchRating] = []


def batch_value(store: Store, league: LeagueRow, number: int) -> BatchValue:
    """Return a batch with its attempts. Raises NoSuchRow."""
    with store.snapshot():
        report = report_batch(store, league, number)
    row = report.batch
    return BatchValue(
        league=league.name,
        batch=batch_item(row),
        first_match=row.first_match if row.state == "stored" else None,
        attempts=list(map(attempt_value, report.attempts)),
        grants={str(entry): list(words) for entry, words in report.grants.items()},
        ratings=list(_ratings(report)),
    )


def _ratings(report: BatchReport) -> Iterator[BatchRating]:
    los = report.los or {}
    for row in report.ratings:
        better = {str(other): round(chance, 4) for (one, other), chance in los.items() if one == row.entry}
        ci95 = None if row.ci95 is None else round(row.ci95, 2)
        yield BatchRating(row.entry, round(row.elo, 2), row.bound, ci95, row.deals, better)


def batch_item(row: BatchRow) -> BatchItem:
    """Return a batch for a list."""
    return BatchItem(
        batch=row.number,
        kind=row.kind,
        state=row.state,
        attempts=row.attempt,
        entries=list(row.entries),
        season=row.season,
        day=row.day,
        matches=row.matches,
        seconds=row.seconds,
        created=row.created,
        ended=row.ended,
        result=row.result,
    )


def attempt_value(row: AttemptRow) -> AttemptValue:
    """Return an attempt, without the machine that made it."""
    return AttemptValue(row.attempt, row.began, row.ended, row.outcome, row.reason)
