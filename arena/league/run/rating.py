"""Rates a league as batches are stored, and decides by its ratings and faults which entries play."""

from datetime import UTC, datetime
from functools import partial

from arena.hooks.plugins import notify
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.placement import placement_over
from arena.league.results.board import pack_ratings, superseded
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import EntryTotals
from arena.league.run.league_entries import LeagueEntries
from arena.league.run.standings import LeagueStandings
from arena.league.store.league_rows import ACTIVE, EntryRow, EntryState, LeagueRow, RatingsRow
from arena.league.store.leagues import Leagues
from arena.store import Store
from arena.values.thinking import thinking_problem

PLACING: tuple[EntryState, ...] = ("placing",)

FAULT_MATCHES = 50
"""Matches in its last batches from which the faults of an entry tell anything."""

INTERVAL_SECONDS = 60.0
"""Between two computations of all intervals, where these take long."""

AUDIT_SECONDS = 300.0
"""Between two audits."""

QUICK_ENTRIES = 300
"""With as many entries intervals take no time worth mention."""


class LeagueRater:
    """Rates a league.

    standings: the results of the league and their fit.
    """

    def __init__(
        self,
        store: Store,
        league: int,
        definition: LeagueDefinition,
        entries: LeagueEntries,
        standings: LeagueStandings,
    ) -> None:
        self._store = store
        self._league = league
        self._definition = definition
        self._entries = entries
        self._standings = standings
        self._rated = 0
        self._judged_at = 0
        self._intervals_at: datetime | None = None
        self._audited_at: datetime | None = None

    def rate(self, *, judges: bool = True) -> None:
        """Rate what was stored since.

        judges: whether to suspend entries for faults, and to end their placement.
        """
        now = datetime.now(UTC)
        self._standings.update(now)
        if self._standings.results != self._rated:
            self._rate(now)
        elif self._entries.log_length == self._judged_at:
            return
        self._judged_at = self._entries.log_length
        if judges and self._standings.ratings is not None:  # also who was readmitted since
            self._judge_all(self._standings.ratings)

    def _rate(self, now: datetime) -> None:
        is_due = self._intervals_at is None or (now - self._intervals_at).total_seconds() >= INTERVAL_SECONDS
        intervals = is_due or len(self._entries.rows) <= QUICK_ENTRIES
        anchors, active = self._entries.anchors, self._entries.active
        if self._audited_at is None or (now - self._audited_at).total_seconds() >= AUDIT_SECONDS:
            self._standings.audit(anchors)
            self._audited_at = now
        ratings = self._standings.fit(anchors, intervals=intervals, active=[entry.number for entry in active])
        if intervals:
            self._intervals_at = now
        rows = ratings.by_entry()
        times = Leagues(self._store).rating_times(self._league)
        packed = RatingsRow(self._standings.results, pack_ratings(ratings), now.isoformat(timespec="seconds"))
        hidden = Leagues(self._store).hiding(self._league)
        last = None if hidden is None else hidden.last
        if packed.number != last or packed.number not in dict(times):  # what visitors see stays as it stood
            Leagues(self._store).save_ratings(self._league, packed, superseded(times, now, last))
        self._rated = self._standings.results
        notify(
            "arena_league_rated",
            store=self._store,
            league=self._league,
            number=packed.number,
            ratings=rows,
            entries=self._entries.rows,
        )

    def _judge_all(self, ratings: LeagueRatings) -> None:
        rows = ratings.by_entry()
        for entry in self._entries.active:
            if not entry.is_anchor and entry.number in rows:
                self._judge(entry, rows[entry.number])
        self._entries.read()

    def _judge(self, entry: EntryRow, row: EntryRating) -> None:
        """Suspend an entry for its faults, or end its placement once enough is known about it."""
        change = partial(Leagues(self._store).change_entry, self._league, entry.number)
        faults, matches = self._standings.recent.faults(entry.number, self._entries.readmitted.get(entry.number))
        if matches >= FAULT_MATCHES and faults > self._definition.fault_share * matches:
            reason = f"{faults} faults in its last {matches} matches: hand in a version without them"
            change("suspended", "arena", reason, ACTIVE)
        elif (
            row.totals.matches >= FAULT_MATCHES
            and entry.number not in self._entries.readmitted
            and (problem := self._thinking_problem(row.totals))
        ):
            change("suspended", "arena", f"{problem}: hand in a quicker version", ACTIVE)
        elif entry.state == "placing":
            end = placement_over(row.deals, row.ci95, row.totals.charged_us / 1e6)
            if end is not None:
                interval = "no interval" if row.ci95 is None else f"± {row.ci95:.0f} Elo"
                change("standing", "arena", f"{interval} after {row.deals} deals", PLACING)

    def _thinking_problem(self, totals: EntryTotals) -> str:
        """Return in words that an entry takes longer for its answers than the league allows; empty if it does not."""
        seats = self._definition.seats // self._definition.table_size
        return thinking_problem(totals.charged_us / (totals.matches * seats), self._definition.thinking)


def rate_closed(store: Store, league: LeagueRow) -> None:
    """Rate a closed league that nobody runs, as after an import; nothing else of it changes."""
    definition = LeagueDefinition.from_json(league.definition)
    entries = LeagueEntries(store, league.id, definition)
    entries.read()
    LeagueRater(store, league.id, definition, entries, LeagueStandings(store, league.id)).rate(judges=False)
