"""The entries of a league as a run knows them: read anew as its log grows, entered and retired with their bots."""

from datetime import datetime

from arena.league.plan.anchors import OWNER
from arena.league.plan.definition import LeagueDefinition
from arena.league.run.entry_bots import CannotStart
from arena.league.store.league_dates import NO_DATES, LeagueDates, read_dates
from arena.league.store.league_entries import SeasonFrozen
from arena.league.store.league_rows import EntryRow, NewEntry
from arena.league.store.leagues import Leagues
from arena.packs.manifest import Manifest
from arena.store import Store
from arena.store.people.submissions import SubmissionRow
from arena.values.thinking import thinking_problem
from arena.values.versioned_names import owner


class LeagueEntries:
    """The entries of a league, as of the last `read`.

    rows: the entries by number.
    log_length: the length of the log of the league at that moment; -1 before the first.
    dates: of its newest season.
    readmitted: when an organiser readmitted each entry last, by number: its faults are counted from then on.
    """

    def __init__(self, store: Store, league: int, definition: LeagueDefinition) -> None:
        self.rows: dict[int, EntryRow] = {}
        self.readmitted: dict[int, datetime] = {}
        self.log_length = -1
        self.dates = NO_DATES
        self._store = store
        self._league = league
        self._definition = definition
        self._checked_us: dict[int, int] = {}
        self._seen_barred: tuple[int, int, str, int] | None = None
        self._seen_submissions: tuple[tuple[int, int, str, int], bool, LeagueDates] | None = None

    @property
    def active(self) -> list[EntryRow]:
        """The entries that play."""
        return [entry for entry in self.rows.values() if entry.is_active]

    @property
    def anchors(self) -> list[int]:
        """The numbers of those whose mean is 0 Elo."""
        return [entry.number for entry in self.rows.values() if entry.is_anchor]

    def read(self) -> None:
        """Read the entries if the log has grown."""
        length = Leagues(self._store).log_length(self._league)
        if length != self.log_length:
            self.rows = {entry.number: entry for entry in Leagues(self._store).stored_entries(self._league)}
            readmitted = Leagues(self._store).signed_log(self._league, "readmit")
            self.readmitted = {
                row.details["entry"]: datetime.fromisoformat(row.created)
                for row in readmitted
                if row.who != self.rows[row.details["entry"]].owner
            }
            with self._store.read() as connection:
                self.dates = read_dates(connection, self._league)
            self.log_length = length

    def enter_submissions(self, *, is_frozen: bool) -> None:
        """Enter the newest version of every bot that plays the game, and retire entries whose version is retired.

        Of versions that were received after the deadline of the season none enters before the next one.

        is_frozen: whether the season is frozen: none enters before the next one.
        """
        dates = self.dates
        state = self._store.submissions.state(), is_frozen, dates
        if state == self._seen_submissions:
            return
        known = {entry.name: entry for entry in self.rows.values()}
        rows = [row for row in self._store.submissions.all() if row.retired is None]
        newest = {row.name: row for row in rows}
        in_time = {row.name: row for row in rows if dates.takes(owner(row.name), row.received)}
        # Those that came last enter last, as each retires earlier ones of its owner.
        for row in () if is_frozen else sorted(in_time.values(), key=lambda row: (row.received, row.created)):
            is_anchor = owner(row.name) == OWNER
            if is_anchor or row.title in known or not Manifest.from_json(row.manifest).plays(self._definition.game):
                continue
            if self._is_too_slow(row):
                continue
            new = NewEntry(row.title, (row.name, row.version), owner(row.name))
            try:
                Leagues(self._store).enter(self._league, new, "arena", self._definition.active_per_owner)
            except SeasonFrozen:  # just now
                return
        for entry in known.values():
            name = entry.submission[0]
            version = newest[name].version if name in newest else 0
            waits = is_frozen or (
                name in newest and (newest[name] is not in_time.get(name) or self._is_too_slow(newest[name]))
            )
            stays = version == entry.submission[1] or (waits and version > entry.submission[1])
            if entry.is_active and not entry.is_anchor and not stays:
                reason = f"{entry.title} is retired"
                Leagues(self._store).change_entry(self._league, entry.number, "retired", "arena", reason)
        self._seen_submissions = state
        self.read()

    def retire_barred(self) -> None:
        """Retire entries of a practice league whose versions are barred from play; nothing enters by itself there."""
        state = self._store.submissions.state()
        if state == self._seen_barred:
            return
        for entry in self.active:
            if not entry.is_anchor and self._store.submissions.version(*entry.submission).retired is not None:
                reason = f"{entry.title} is retired"
                Leagues(self._store).change_entry(self._league, entry.number, "retired", "arena", reason)
        self._seen_barred = state
        self.read()

    def checked_us_per_deal(self, entry: EntryRow) -> int:
        """Return how long an entry takes to answer in a deal in all rotations by its check, in µs; 0 where unknown."""
        if entry.number not in self._checked_us:
            per_match = self._checked_us_per_match(self._store.submissions.version(*entry.submission))
            # Measured at one seat: with teams an entry holds several of each match, and all of them over a deal.
            self._checked_us[entry.number] = per_match * self._definition.seats
        return self._checked_us[entry.number]

    def _checked_us_per_match(self, row: SubmissionRow) -> int:
        return int(row.report.get("charged_us_per_match", {}).get(self._definition.game, 0))

    def _is_too_slow(self, row: SubmissionRow) -> bool:
        """Return whether a version takes longer for its answers than the league allows, by its check."""
        return bool(thinking_problem(self._checked_us_per_match(row), self._definition.thinking))

    def suspend(self, error: CannotStart) -> None:
        """Suspend an entry that this machine cannot start, so that the others play on.

        Raises the error if it is an anchor: without these nobody plays.
        """
        if error.entry.is_anchor:
            raise error
        Leagues(self._store).suspend_failing(self._league, error.entry.number, str(error))
        self.read()
