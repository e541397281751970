"""Export the seasons of a league that have ended, so that anybody can verify them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from arena.league.archive.lines import (
    LEAGUE,
    VERSION,
    AttemptLine,
    BatchLine,
    DecisionLine,
    EntryLine,
    LeagueLine,
    Line,
    SeasonLine,
    SnapshotLine,
    of_row,
)
from arena.league.divisions.decisions import DIVIDE
from arena.league.results.league_sums import LeagueSums
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.results.archive.errors import ArchiveError
from arena.results.archive.exporting import archived_log, pack_event, pack_match
from arena.results.archive.files import ArchiveWriter
from arena.store import Store
from arena.values.canonical_json import canonical_json
from arena.values.rows import NO_LOG, DecisionRow, LogEnd
from referee.v1.archive_pb2 import ArchiveItem


def last_season(store: Store, league: LeagueRow, number: int | None) -> int:
    """Return the season up to which a league is exported, by default the last that has ended.

    Raises ArchiveError if it has not ended: the secrets of its days are not public.
    """
    ended = [season.number for season in Leagues(store).seasons(league.id) if season.ended is not None]
    if not ended or (number is not None and number not in ended):
        which = f"season {number}" if number is not None else "no season"
        has = "has not ended" if number is not None else "has ended"
        raise ArchiveError(
            f"{which} of the league {league.name} {has}, and secrets of days that go on stay secret: end one with "
            f"`arena league end-season {league.name}`"
        )
    return ended[-1] if number is None else number


def league_lines(store: Store, league: LeagueRow, season: int, *, notes: bool = False) -> Iterator[bytes]:
    """Yield the lines of a league up to the end of a season.

    notes: whether to tell the notes of bots.
    """
    writer = ArchiveWriter(LEAGUE)
    for line in _lines(store, league, season, notes=notes):
        yield writer.line(line)
    yield writer.end()


def _lines(store: Store, league: LeagueRow, season: int, *, notes: bool) -> Iterator[Line | ArchiveItem]:
    signed = _log_until(Leagues(store).signed_log(league.id), season)
    written = LogEnd(len(signed), signed[-1].digest) if signed else NO_LOG
    hashed = league.definition_hash
    log, end = archived_log(signed, Leagues(store).log(league.id)[: len(signed)], written, hashed, hashed)
    yield of_row(
        LeagueLine,
        league,
        format=VERSION,
        definition=canonical_json(league.definition),
        season=season,
        log_entries=end.entries,
        log_hash=end.digest,
        published_log_hash="" if end == written else written.digest,
    )
    for row in Leagues(store).seasons(league.id):
        if row.number <= season:
            yield _season(store, league, row)
    entered = {row.details["entry"] for row in log if row.kind == "enter"}
    for stored, entry in zip(Leagues(store).stored_entries(league.id), Leagues(store).entries(league.id), strict=True):
        if entry.number in entered:
            content = store.submissions.version(*stored.submission).content
            name, version = entry.submission
            yield of_row(EntryLine, entry, bot=name, version=version, content=content)
    for decision in log:
        yield of_row(DecisionLine, decision, details=canonical_json(decision.details))
    batches = [row for row in reversed(Batches(store).of(league.id)) if row.season <= season]
    needed = {row.snapshot for row in batches}
    needed |= {
        row.final.snapshot
        for row in Leagues(store).seasons(league.id)
        if row.final is not None and row.final.entries is not None and row.number <= season
    }
    needed |= {row.details["snapshot"] for row in log if row.kind == DIVIDE}
    snapshots = deque(sorted(needed))
    for batch in batches:
        while snapshots and snapshots[0] <= batch.snapshot:
            yield _snapshot(store, league, snapshots.popleft())
        yield from _batch_lines(store, batch, notes=notes)
    for number in snapshots:
        yield _snapshot(store, league, number)


def _snapshot(store: Store, league: LeagueRow, number: int) -> SnapshotLine:
    return SnapshotLine(number, Leagues(store).snapshot(league.id, number))


def _log_until(log: list[DecisionRow], season: int) -> list[DecisionRow]:
    """Return the log up to the beginning of the season after this one."""
    following = (row.number for row in log if row.kind == "season" and row.details["season"] == season + 1)
    return log[: next(following, len(log) + 1) - 1]


def _season(store: Store, league: LeagueRow, row: SeasonRow) -> SeasonLine:
    standings = Seasons(store).standings(league.id, row.number)
    return of_row(
        SeasonLine,
        row,
        secret=row.secret.hex(),
        final=None if row.final is None else canonical_json(row.final.to_json()),
        standings=None if standings is None else standings.decode(),
    )


def _batch_lines(store: Store, row: BatchRow, *, notes: bool) -> Iterator[Line | ArchiveItem]:
    if row.state not in ("stored", "void"):
        raise ArchiveError(f"batch {row.number} is still under way: export the league once it is over")
    has_experiments = row.state == "stored" and bool(LeagueSums().add(Batches(store).packed_sums(row)).experiments)
    yield of_row(BatchLine, row, ended=row.ended or row.created, experiments=has_experiments)
    for attempt in Batches(store).attempts(row.league, row.number):
        yield of_row(AttemptLine, attempt)
    yield ArchiveItem(tournament=pack_event(store.event(row.event)))
    for record in store.batch_records(row.event):
        exported = record if notes else replace(record, notes=())
        yield ArchiveItem(match=pack_match(exported))
