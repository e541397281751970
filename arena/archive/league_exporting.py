"""Export the seasons of a league that have ended, so that anybody can verify them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from arena.archive.errors import ArchiveError
from arena.archive.exporting import pack_event, pack_match
from arena.archive.files import item_text
from arena.archive.league_lines import (
    FORMAT,
    AttemptLine,
    BatchLine,
    DecisionLine,
    EntryLine,
    LeagueLine,
    SeasonLine,
    SnapshotLine,
    line_text,
)
from arena.store import Store
from arena.store.league_rows import BatchRow, LeagueRow, SeasonRow
from arena.store.rows import DecisionRow
from arena.store.stored_definition import definition_text
from referee.v1.archive_pb2 import ArchiveItem


def last_season(store: Store, league: LeagueRow, number: int | None) -> int:
    """Return the season up to which a league is exported, by default the last that has ended.

    Raises ArchiveError if it has not ended: the secrets of its days are not public.
    """
    ended = [season.number for season in store.leagues.seasons(league.id) if season.ended is not None]
    if not ended or (number is not None and number not in ended):
        which = f"season {number}" if number is not None else "no season"
        has = "has not ended" if number is not None else "has ended"
        raise ArchiveError(
            f"{which} of the league {league.name} {has}, and secrets of days that go on stay secret: end one with "
            f"`arena league end-season {league.name}`"
        )
    return ended[-1] if number is None else number


def league_lines(store: Store, league: LeagueRow, season: int, *, notes: bool = False) -> Iterator[bytes]:
    """Yield the lines of a league up to the end of a season. notes: whether to tell those of bots."""
    log = _log_until(store.leagues.log(league.id), season)
    yield line_text(
        LeagueLine(
            FORMAT,
            league.name,
            league.game,
            league.definition.text,
            league.definition_hash,
            league.created,
            season,
            len(log),
            log[-1].digest if log else "",
        )
    )
    for row in store.leagues.seasons(league.id):
        if row.number <= season:
            yield line_text(_season(store, league, row))
    entered = {row.details["entry"] for row in log if row.kind == "enter"}
    for entry in store.leagues.stored_entries(league.id):
        if entry.number in entered:
            name, version = entry.submission
            content = store.submissions.version(name, version).content
            yield line_text(
                EntryLine(
                    entry.number,
                    entry.name,
                    name,
                    version,
                    content,
                    entry.owner,
                    entry.is_anchor,
                    entry.state,
                    entry.reason,
                    entry.entered,
                    entry.placed,
                )
            )
    for decision in log:
        yield line_text(DecisionLine(**{**decision.values(), "details": definition_text(decision.details)}))
    batches = [row for row in reversed(store.batches.of(league.id)) if row.season <= season]
    needed = {row.snapshot for row in batches}
    needed |= {
        row.final.snapshot
        for row in store.leagues.seasons(league.id)
        if row.final is not None and row.final.entries is not None and row.number <= season
    }
    snapshots = deque(sorted(needed))
    for batch in batches:
        while snapshots and snapshots[0] <= batch.snapshot:
            yield _snapshot(store, league, snapshots.popleft())
        yield from _batch_lines(store, batch, notes=notes)
    for number in snapshots:
        yield _snapshot(store, league, number)


def _snapshot(store: Store, league: LeagueRow, number: int) -> bytes:
    return line_text(SnapshotLine(number, store.leagues.snapshot(league.id, number).decode()))


def _log_until(log: list[DecisionRow], season: int) -> list[DecisionRow]:
    """Return the log up to the beginning of the season after this one."""
    following = (row.number for row in log if row.kind == "season" and row.details["season"] == season + 1)
    return log[: next(following, len(log) + 1) - 1]


def _season(store: Store, league: LeagueRow, row: SeasonRow) -> SeasonLine:
    standings = store.seasons.standings(league.id, row.number)
    assert row.ended is not None
    return SeasonLine(
        row.number,
        row.first_day,
        row.days,
        row.secret.hex(),
        row.commitment,
        row.entropy,
        row.ended,
        row.frozen,
        None if row.final is None else definition_text(row.final.to_json()),
        None if standings is None else standings.decode(),
    )


def _batch_lines(store: Store, row: BatchRow, *, notes: bool) -> Iterator[bytes]:
    if row.state not in ("stored", "void"):
        raise ArchiveError(f"batch {row.number} is still under way: export the league once it is over")
    yield line_text(
        BatchLine(
            row.number,
            row.season,
            row.day,
            row.kind,
            row.snapshot,
            row.entries,
            row.state,
            row.attempt,
            row.failed,
            row.created,
            row.ended or row.created,
            row.seconds,
            row.result,
            row.part,
        )
    )
    for each in store.batches.attempts(row.league, row.number):
        yield line_text(AttemptLine(each.attempt, each.began, each.ended, each.outcome, each.reason))
    event = pack_event(store.event(row.event))
    yield item_text(ArchiveItem(tournament=event), event)
    for record in store.batch_records(row.event):
        kept = record if notes else replace(record, notes=())
        yield item_text(ArchiveItem(match=pack_match(kept)), event)
