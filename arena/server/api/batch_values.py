"""Batches of leagues, as the API shows them."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from arena.league.results.answer_time import answer_seconds
from arena.league.results.batch_report import BatchReport, report_batch
from arena.league.store.league_rows import AttemptRow, BatchRow, LeagueRow
from arena.league.store.league_runs import BatchProgress, LeagueRuns
from arena.server.api.match_values import RepeatsValue
from arena.store import Store


class BatchItem(Struct, frozen=True):
    """A batch of a league."""

    batch: int
    kind: str
    """The kind: placement, standing, final, trial or challenge."""
    state: str
    """The state: waiting, leased, stored or void."""
    attempts: int
    """How many attempts to play it there were."""
    entries: list[int]
    """The numbers of its entries."""
    season: int
    day: int
    matches: int
    """The number of matches that it has or will have."""
    seconds: float | None
    """How many seconds of a core it took; None before it is stored."""
    created: str
    ended: str | None
    result: int | None
    """Its place among the stored batches of the league, from 1; None if it is not stored."""
    hidden: bool = False
    """Whether it is stored, and its results are hidden until the season ends: it has no seconds and no result then."""
    played: int | None = None
    """How many of its matches have ended, as its runner says every ten seconds; None unless it is played."""
    expected_end: str | None = None
    """When it should end, as far as its runner knows; None unless it is played."""


class BatchList(Struct, frozen=True):
    """Batches, the newest first."""

    batches: list[BatchItem]
    next: str | None
    """The address of the following part; None for the last."""


class AttemptValue(Struct, frozen=True):
    """An attempt to play a batch."""

    attempt: int
    began: str
    ended: str | None
    outcome: str | None
    """The outcome: stored, released, expired or failed; None while the attempt goes on."""
    reason: str


class BatchRating(Struct, frozen=True):
    """How strong an entry is as far as one batch tells: the mean of those that can be compared is 0 Elo."""

    entry: int
    elo: float
    bound: str
    """`>` where `elo` is a lower bound, `<` where it is an upper bound, `~` where the results do not determine it;
    empty where it is an estimate.
    """
    ci95: float | None
    """Half the width of the 95 % interval; None without one."""
    deals: int
    better: dict[str, float]
    """The probability that this entry is stronger than each other one, by the number of the other."""


class BatchValue(Struct, frozen=True):
    """A batch with its attempts and results."""

    league: str
    batch: BatchItem
    first_match: int | None
    """The id of its first match; None until its matches are stored and shown."""
    attempts: list[AttemptValue]
    grants: dict[str, list[str]] = {}
    """What entries are granted in it beyond others, by the number of the entry."""
    answer_seconds: float | None = None
    """How long its slowest bot takes for its answers, in seconds, by what was known when it was drawn; None once it is
    stored.
    """
    ratings: list[BatchRating] = []
    """The ratings from this batch alone, the strongest first; none until it is stored."""
    repeats: RepeatsValue | None = None
    """What was found in it of matches that repeat others, in games in which they may; otherwise None."""


def batch_value(store: Store, league: LeagueRow, number: int) -> BatchValue:
    """Return a batch with its attempts. Raises NoSuchRow."""
    with store.snapshot():
        report = report_batch(store, league, number)
        [item] = batch_items(store, [report.batch])
    row = report.batch
    return BatchValue(
        league=league.name,
        batch=item,
        first_match=row.first_match if row.has_results else None,
        attempts=list(map(attempt_value, report.attempts)),
        grants={str(entry): list(words) for entry, words in report.grants.items()},
        answer_seconds=None if row.state == "stored" else round(answer_seconds(store, row), 3),
        ratings=list(_ratings(report)),
        repeats=None if report.repeats is None else RepeatsValue(**report.repeats.to_json()),
    )


def _ratings(report: BatchReport) -> Iterator[BatchRating]:
    los = report.los or {}
    for row in report.ratings:
        better = {str(other): round(chance, 4) for (one, other), chance in los.items() if one == row.entry}
        ci95 = None if row.ci95 is None else round(row.ci95, 2)
        yield BatchRating(row.entry, round(row.elo, 2), row.bound, ci95, row.deals, better)


def batch_items(store: Store, rows: Sequence[BatchRow]) -> list[BatchItem]:
    """Return batches of a league for a list."""
    leagues = {row.league for row in rows if row.state == "leased"}
    progress = {league: LeagueRuns(store).progress(league) for league in leagues}
    return [_batch_item(row, progress.get(row.league, {}).get(row.number)) for row in rows]


def _batch_item(row: BatchRow, progress: BatchProgress | None) -> BatchItem:
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
        hidden=row.is_hidden,
        played=None if progress is None else progress.played,
        expected_end=None if progress is None else progress.expected,
    )


def attempt_value(row: AttemptRow) -> AttemptValue:
    """Return an attempt, without the machine that made it."""
    return AttemptValue(row.attempt, row.began, row.ended, row.outcome, row.reason)
