"""The board of a league: its entries by their ratings, from what is stored."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from arena.league.results.flags import Flag, flags_by_entry, forfeit_flags
from arena.league.results.league_ratings import LeagueRatings
from arena.league.results.played_batches import PlayedBatches
from arena.league.results.rating_history import (
    Rated,
    RatingHistory,
    RatingPoint,
    StoredRatings,
    points_of,
)
from arena.league.store.league_rows import EntryRow, LeagueRow, PlayedBatch
from arena.league.store.leagues import Leagues
from arena.ratings.repeats import Repeats
from arena.store import Store

ALL_FOR = timedelta(hours=1)
HOURLY_FOR = timedelta(days=2)
"""For so long all ratings are kept, and then the last of each hour; of older ones the last of each day."""


def pack_ratings(ratings: LeagueRatings) -> bytes:
    """Return ratings as JSON, from which `unpack_ratings` reads them."""
    rows = [
        {
            "entry": row.entry,
            "elo": round(row.elo, 2),
            "bound": row.bound,
            "ci95": None if row.ci95 is None else round(row.ci95, 2),
            "deals": row.deals,
            "matches": row.totals.matches,
            "points": row.points,
            "comparisons": row.comparisons,
            "score": row.totals.score,
            "seats": row.totals.seats,
            "decisions": row.totals.decisions,
            "charged_us": row.totals.charged_us,
            "faults": dict(row.faults),
            "forfeits": row.forfeits,
            "above": row.above,
            "separated": row.separated,
        }
        for row in ratings.rows
    ]
    values = {
        "rows": rows,
        "zero": ratings.zero,
        "matches": ratings.matches,
        "deals": ratings.deals,
        "interval_method": ratings.interval_method,
        "interval_error": ratings.interval_error,
        "suspicions": ratings.suspicions,
        "repeats": None
        if ratings.repeats is None
        else ratings.repeats.to_json()
        | {"largest": ratings.repeats.largest, "is_estimate": ratings.repeats.is_estimate},
    }
    return json.dumps(values, separators=(",", ":")).encode()


def superseded(freezes: Sequence[tuple[int, str]], now: datetime, last: int | None = None) -> list[int]:
    """Return the numbers of the stored ratings that are no longer kept.

    freezes: numbers of ratings, with their times in ISO 8601, the oldest first.
    last: how many results visitors see while the others are hidden, whose ratings are kept; None: they see all.
    """
    shown = max((number for number, _ in freezes if last is not None and number <= last), default=None)
    times = [(number, datetime.fromisoformat(when)) for number, when in freezes]
    return [
        number
        for (number, when), (_, following) in pairwise(times)
        if now - when > ALL_FOR and _period(when, now) == _period(following, now) and number != shown
    ]


def _period(when: datetime, now: datetime) -> tuple[object, ...]:
    """Return what is equal for times of which only the last is kept."""
    return (when.date(),) if now - when > HOURLY_FOR else (when.date(), when.hour)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """An entry on the board.

    bound, ci95: as in `EntryRating`.
    deals, matches, decisions, charged_us: of all its matches.
    """

    rank: int | None
    """The rank among active entries with a rating, from 1; None of others."""
    entry: EntryRow
    elo: float | None = None
    """The Elo as in `EntryRating`; None before its first match."""
    bound: str = ""
    ci95: float | None = None
    change: float | None = None
    """The change of the Elo since the ratings of a day before; None if it had none then."""
    version_change: float | None = None
    """The difference of the Elo to that of the version before it in the league; None without one that has a rating."""
    previous: int | None = None
    """The number of the entry of that version."""
    line: tuple[RatingPoint, ...] = ()
    """Its Elo at some earlier moments, the oldest first."""
    deals: int = 0
    matches: int = 0
    decisions: int = 0
    charged_us: int = 0
    faults: dict[str, int] | None = None
    """The number of its faults by kind."""
    forfeits: int = 0
    """The matches in which it had no strikes left."""
    above: int | None = None
    """The next stronger entry, as in `EntryRating`."""
    separated: bool | None = None
    """Whether the 95 % interval of the difference to the row above excludes 0; None for the first, and where it is
    unknown.
    """
    flags: tuple[Flag, ...] = ()
    """What the audit says of the entry."""
    played: PlayedBatch | None = None
    """The last batch that the entry played; None if it is not known."""
    group_rank: int | None = None
    """The rank among the active entries of its group; None on the board of all."""


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a league at a moment."""

    league: LeagueRow
    rows: tuple[BoardRow, ...]
    """The active entries with a rating, the strongest first, then those without one; then, where asked for, those that
    are retired or suspended.
    """
    matches: int = 0
    """The number of all rated matches."""
    deals: int = 0
    """The number of all rated deals."""
    results: int = 0
    """The number of batches in the ratings."""
    rated: str | None = None
    """When the ratings were made, in UTC as ISO 8601; None before the first result."""
    names: Mapping[int, str] = field(default_factory=dict)
    """The names of all entries of the league."""
    repeats: Repeats | None = None
    """What was found of repeated matches; None where it was not looked for."""
    hidden: str | None = None
    """Since when visitors see no new results, UTC, ISO 8601; None where they see all."""
    group: str | None = None
    """The group whose entries it has; None: those of all."""


def load_board(
    store: Store,
    name: str,
    *,
    past: bool = False,
    history: RatingHistory | None = None,
    played: PlayedBatches | None = None,
    practice: bool = False,
) -> Board:
    """Return the board of a league.

    past: with the entries that are no longer active.
    practice: also that of a practice league.
    history, played: what is known of earlier calls, to be quick.

    Raises NoSuchRow if there is no league of that name.
    """
    with store.snapshot():
        league = Leagues(store).named(name, practice=practice)
        bound = Leagues(store).hiding(league.id)
        entries = Leagues(store).entries(league.id)
        history = history or RatingHistory(store, league.id)
        newest, before, moments = history.newest(), history.day_before(), history.moments()
        played = played or PlayedBatches(store, league.id)
        played.update()
    names = {entry.number: entry.name for entry in entries}
    hidden = None if bound is None else bound.since
    if newest is None:
        unrated = tuple(BoardRow(None, entry) for entry in entries if past or entry.is_active)
        return Board(league, unrated, names=names, hidden=hidden)
    previous = _previous_versions(entries, newest.rows)
    flags = flags_by_entry(newest.suspicions)
    rows = [
        _row(entry, previous.get(entry.number), newest, before, moments, played, flags.get(entry.number, []))
        for entry in entries
    ]
    active = sorted((row for row in rows if row.entry.is_active), key=_order)
    ranked = _ranked(active)
    others = sorted((row for row in rows if not row.entry.is_active), key=_order) if past else []
    rated = newest.matches, newest.deals, newest.number, newest.when
    return Board(league, (*ranked, *others), *rated, names, newest.repeats, hidden)


def versions_of(entry: EntryRow, entries: Collection[EntryRow]) -> list[EntryRow]:
    """Return the entries of all versions of a bot, the oldest version first. Copies of the entry are left out."""
    same = (
        other
        for other in entries
        if other.submission[0] == entry.submission[0]
        and (other.submission != entry.submission or other.number == entry.number)
    )
    return sorted(same, key=lambda other: (other.submission[1], other.number))


def _row(
    entry: EntryRow,
    previous: int | None,
    newest: StoredRatings,
    before: StoredRatings | None,
    moments: Sequence[StoredRatings],
    played: PlayedBatches,
    flags: Sequence[Flag],
) -> BoardRow:
    rated = newest.rows.get(entry.number)
    if rated is None:
        return BoardRow(None, entry)
    earlier = before.rows.get(entry.number) if before is not None else None
    return BoardRow(
        None,
        entry,
        change=None if earlier is None else rated.elo - earlier.elo,
        version_change=None if previous is None else rated.elo - newest.rows[previous].elo,
        previous=previous,
        line=points_of(moments[:-1], entry.number),
        flags=(*flags, *forfeit_flags(rated.forfeits, rated.matches)),
        played=played.last(entry.number),
        **rated._asdict(),
    )


def _ranked(active: Sequence[BoardRow]) -> list[BoardRow]:
    """Return the active rows with their ranks. Whether a row is separated is known of the one that was above it."""
    above = [None, *(row.entry.number for row in active)]
    return [
        row if row.elo is None else
        replace(row, rank=place, separated=row.separated if row.above == above[place - 1] else None)
        for place, row in enumerate(active, 1)
    ]  # fmt: skip


def _previous_versions(entries: Collection[EntryRow], rated: Mapping[int, Rated]) -> dict[int, int]:
    """Return the entry of the last version before each that has a rating, where there is one."""
    previous: dict[int, int] = {}
    last: dict[str, EntryRow] = {}
    for entry in sorted(entries, key=lambda entry: (entry.submission[1], entry.number)):
        if entry.number in rated:
            before = last.get(entry.submission[0])
            if before is not None and before.submission == entry.submission:  # a copy of a sample bot
                continue
            if before is not None:
                previous[entry.number] = before.number
            last[entry.submission[0]] = entry
    return previous


def _order(row: BoardRow) -> tuple[bool, float, int]:
    return (row.elo is None, -(row.elo or 0.0), row.entry.number)
