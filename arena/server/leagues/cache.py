"""What the pages know of each league, read anew when something has changed."""

from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, pairwise
from threading import Lock
from typing import NamedTuple

from arena.league.announcements.announcement import Announcement
from arena.league.announcements.control import announcements
from arena.league.plan.definition import LeagueDefinition, unplayable
from arena.league.results.board import Board, BoardRow, load_board
from arena.league.results.comparisons import LeagueComparisons, Meetings
from arena.league.results.played_batches import PlayedBatches
from arena.league.results.rating_history import RatingHistory
from arena.league.results.season_report import SeasonReport, report_season
from arena.league.results.upsets import MOST_CI95, Upset, UpsetGroup, find_upsets, grouped
from arena.league.store.batches import Batches
from arena.league.store.league_dates import NO_DATES, LeagueDates
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues
from arena.league.store.seasons import Seasons
from arena.server.access import VISITOR, Access
from arena.server.limits.refresh import Refresh
from arena.store import Store, StoreError
from arena.store.matches.hidden_results import HiddenResults
from arena.values.tournament_errors import PlanError

LATELY = 20
"""Batches from which the time of a match is computed, and in which upsets are looked for."""

COMPARED = 64
"""Entries whose comparisons with others are kept; the least recently shown are dropped."""

UPSETS = 6
"""Bots whose upsets are shown."""

UPSETS_OF_BATCH = 24
"""Upsets of a batch that are kept."""


class LeaguePulse(NamedTuple):
    """A few values of a league, one of which changes whenever a page of it does."""

    state: str
    results: int
    decisions: int
    ratings: int
    queue: tuple[tuple[int, str, int], ...]
    """The number, state and attempt of each unplayed batch."""
    closed: int = 0
    """The number of names that are not shown any more."""
    hidden: HiddenResults | None = None
    """What visitors do not see now; None where they see all."""


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A league at a moment, as its pages show it."""

    league: LeagueRow
    definition: LeagueDefinition
    pulse: LeaguePulse
    board: Board
    """The board, with entries that are no longer active."""
    rows: Mapping[int, BoardRow]
    """The rows of the board by the number of the entry."""
    queue: tuple[BatchRow, ...]
    """The unplayed batches, in the order in which they are played."""
    match_seconds: float | None
    """How many seconds of a core a match took lately; None while that is unknown."""
    upsets: tuple[UpsetGroup, ...]
    """The upsets of the latest batches by the bot that won, the least expected first."""
    season: SeasonReport
    """The newest season."""
    past: tuple[int, ...]
    """The numbers of the seasons with a final table, the newest first."""
    unplayable: str
    """Why this arena cannot play the league; empty if it can, or if it is closed."""
    dates: LeagueDates = NO_DATES
    """The dates of the newest season."""
    announcements: tuple[Announcement, ...] = ()
    """Its announcements, the newest first."""
    sees_all: bool = True
    """Whether it has results that are hidden from visitors."""

    @property
    def active(self) -> list[BoardRow]:
        """The rows of active entries, in the order of the board."""
        return [row for row in self.board.rows if row.entry.is_active]


class EntryComparison(NamedTuple):
    """How an entry compares with others."""

    los: Mapping[tuple[int, int], float | None]
    """For each version of its bot and the next, the probability that the later is stronger; None if it is unknown."""
    meetings: tuple[Meetings, ...]
    """The meetings with each other entry, the entries that it met most often first."""


class CachedLeague:
    """One league; safe to be asked from several threads."""

    def __init__(self, store: Store, row: LeagueRow) -> None:
        self.id = row.id
        self.name = row.name
        self.history = RatingHistory(store, row.id)
        self.played = PlayedBatches(store, row.id)
        self._store = store
        self._definition = LeagueDefinition.from_json(row.definition)
        self._comparisons = LeagueComparisons(store, row.id)
        self._refresh = Refresh()
        self._upsets: deque[list[Upset]] = deque(maxlen=LATELY)
        self._scanned = 0
        self._view: LeagueView | None = None
        self._lock = Lock()
        self._compared: OrderedDict[int, EntryComparison] = OrderedDict()
        self._comparing = Lock()

    def pulse(self) -> LeaguePulse:
        """Return what changes whenever a page of the league does."""
        with self._store.snapshot():
            league = Leagues(self._store).named(self.name, practice=True)
            queue = Batches(self._store).unplayed(self.id)
            return LeaguePulse(
                league.state,
                league.results,
                Leagues(self._store).log_length(self.id),
                Leagues(self._store).newest_ratings(self.id),
                tuple((row.number, row.state, row.attempt) for row in queue),
                self._store.accounts.closed(),
                Leagues(self._store).hiding(self.id),
            )

    def view(self) -> LeagueView:
        """Return the league as it is now."""
        pulse = self.pulse()
        with self._lock:
            if self._view is None or self._view.pulse != pulse:
                self._forget_hidden(pulse.hidden)
                self._view = self._read(pulse)
            return self._view

    def comparison(self, versions: Sequence[int], entry: int) -> EntryComparison:
        """Return how an entry compares with others; an older answer where that was computed only just now.

        versions: the entries of all versions of its bot, the oldest first.
        """
        with self._comparing:
            self._update_comparisons()
            if entry not in self._compared:  # not measured: whoever asks for many entries must not put off the news
                los = {pair: self._comparisons.los(*reversed(pair)) for pair in pairwise(versions)}
                self._compared[entry] = EntryComparison(los, tuple(self._comparisons.opponents(entry)))
            self._compared.move_to_end(entry)
            while len(self._compared) > COMPARED:
                self._compared.popitem(last=False)
            return self._compared[entry]

    def los(self, one: int, other: int) -> float | None:
        """Return the probability that an entry is better than another, as `comparison` knows it; None: unknown."""
        with self._comparing:
            self._update_comparisons()
            return self._comparisons.los(one, other)

    def _forget_hidden(self, hidden: HiddenResults | None) -> None:
        """Begin again where results were read that are hidden by now, as the organiser may hide what was seen."""
        if hidden is None or not self._store.is_for_visitors:
            return
        if self._scanned > hidden.last:
            self._upsets.clear()
            self._scanned = 0
        if self.played.results > hidden.last:
            self.played = PlayedBatches(self._store, self.id)

    def _update_comparisons(self) -> None:
        hidden = Leagues(self._store).hiding(self.id)
        if self._store.is_for_visitors and hidden is not None and self._comparisons.results > hidden.last:
            self._comparisons = LeagueComparisons(self._store, self.id)
            self._compared.clear()
            self._refresh = Refresh()
        if self._refresh.is_due():
            known = self._comparisons.results
            with self._refresh.measure():
                self._comparisons.update()
            if self._comparisons.results != known:
                self._compared.clear()

    def _read(self, pulse: LeaguePulse) -> LeagueView:
        board = load_board(self._store, self.name, past=True, history=self.history, played=self.played, practice=True)
        rows = {row.entry.number: row for row in board.rows}
        queue = Batches(self._store).unplayed(self.id)
        latest = [row for row in Batches(self._store).of(self.id, limit=2 * LATELY) if row.seconds is not None]
        matches = sum(row.matches for row in latest)
        seconds = sum(row.seconds or 0.0 for row in latest) / matches if matches else None
        self._find_upsets(latest, rows)
        found = sorted(chain(*self._upsets), key=lambda upset: (upset.chance, -upset.match))
        return LeagueView(
            board.league,
            self._definition,
            pulse,
            board,
            rows,
            tuple(queue),
            seconds,
            tuple(grouped(found, {number: row.entry.submission[0] for number, row in rows.items()})[:UPSETS]),
            report_season(self._store, board.league),
            tuple(Seasons(self._store).with_table(self.id)),
            "" if pulse.state == "closed" else unplayable(board.league.definition),
            Leagues(self._store).dates(self.id),
            tuple(announcements(self._store, board.league)),
            not self._store.is_for_visitors,
        )

    def _find_upsets(self, latest: list[BatchRow], rows: Mapping[int, BoardRow]) -> None:
        """Look for upsets in batches that were stored since."""
        elo = {
            number: row.elo
            for number, row in rows.items()
            if row.elo is not None and row.ci95 is not None and row.ci95 <= MOST_CI95
        }
        new = [row for row in latest if row.result is not None and row.result > self._scanned]
        for row in sorted(new, key=lambda row: row.result or 0)[-LATELY:]:
            found = find_upsets(Batches(self._store).seat_results(row), row.entries, elo, row.ended or "")
            self._upsets.append(found[:UPSETS_OF_BATCH])
            self._scanned = row.result or 0


class LeagueCache:
    """The leagues of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._leagues: dict[int, CachedLeague] = {}
        self._lock = Lock()

    def of(self, name: str, access: Access = VISITOR) -> CachedLeague:
        """Return a league that a visitor may see. Raises NoSuchRow if there is none of that name."""
        row = access.league(self._store, name)
        if row.owner is not None and row.owner == access.owner:
            with suppress(StoreError):  # a database that cannot be written can be read
                PracticeLeagues(self._store).note_seen(row.id, datetime.now(UTC))
        return self._cached(row)

    def all(self) -> list[CachedLeague]:
        """Return all leagues that this version of arena can read, the newest first."""
        found = []
        for row in reversed(Leagues(self._store).all()):
            with suppress(PlanError):
                found.append(self._cached(row))
        return found

    def views(self) -> list[LeagueView]:
        """Return all leagues as they are now, the newest first."""
        return [cached.view() for cached in self.all()]

    def has_any(self) -> bool:
        """Tell whether there is a league; asked of the database until there is one."""
        if not self._leagues:
            self.all()
        return bool(self._leagues)

    def _cached(self, row: LeagueRow) -> CachedLeague:
        with self._lock:
            if row.id not in self._leagues:
                self._leagues[row.id] = CachedLeague(self._store, row)
            return self._leagues[row.id]
