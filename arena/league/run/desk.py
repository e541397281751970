"""One league of a run: what is entered, rated, drawn and leased."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from arena.errors import ArenaError
from arena.league.plan.anchors import OWNER
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.placement import placement_over
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import last_date, new_season
from arena.league.results.board import pack_ratings, superseded
from arena.league.results.league_ratings import EntryRating
from arena.league.run.drawing import Drawing
from arena.league.run.standings import LeagueStandings
from arena.store import Store
from arena.store.league_rows import (
    ACTIVE,
    BatchKind,
    BatchRow,
    EntryRow,
    EntryState,
    LeagueRow,
    Lease,
    NewEntry,
    RatingsRow,
)
from arena.submissions.errors import ManifestError, PackError
from arena.submissions.manifest import Manifest
from arena.submissions.names import owner
from arena.submissions.roster import Roster
from arena.tournament.errors import FieldError, HostingError
from arena.tournament.plan.definition import Definition, Entrant
from arena.tournament.plan.field import entrant_from_submission
from arena.tournament.run.hosting import Hosting
from referee.engine.registry import game

PLACING: tuple[EntryState, ...] = ("placing",)

FAULT_MATCHES = 50
"""Matches in its last batches from which the faults of an entry tell anything."""

LATELY = 20
"""Batches from which the time of a deal is computed."""

AHEAD = 1
"""Batches that wait beyond those that can be played at once: more would be drawn from older ratings."""

OVERTAKING = 4
"""Batches that may be drawn, and played, while a challenge waits."""

INTERVAL_SECONDS = 60.0
"""Between two computations of all intervals, where these take long."""

REST_SECONDS = 30.0
"""Before another attempt, where this machine or the field is not fit for a batch."""

QUICK_ENTRIES = 300
"""With as many entries intervals take no time worth mention."""

Leased = tuple[BatchRow, Definition, bytes]
"""A batch with its definition, whose bots are unpacked, and its secret."""


def _say_nothing(line: str) -> None:
    """Say nothing."""


class CannotStart(ArenaError):
    """This machine cannot start the bot of an entry."""

    def __init__(self, entry: EntryRow, error: ArenaError) -> None:
        super().__init__(f"{entry.name} cannot be started: {error}")
        self.entry = entry


class LeagueDesk:
    """A league of a database, for one run. Its methods use the database; only `lease` may run beside another one.

    seconds: of a core, that this run has spent on it. is_over: whether it is closed and nothing of it is under way.
    """

    def __init__(
        self,
        store: Store,
        where: str,
        league: LeagueRow,
        hosting: Hosting | None = None,
        say: Callable[[str], None] = _say_nothing,
    ) -> None:
        """where: of the database, to find the files of bots. hosting: how they are run; None: none is started.

        say: is told what people should read.

        Raises PlanError if this version of arena cannot play the league.
        """
        self.id = league.id
        self.name = league.name
        self.seconds = 0.0
        self.is_over = False
        self._store = store
        self._state = league.state
        self._definition = LeagueDefinition.from_json(league.definition.values)
        self._game = game(self._definition.game)
        self._definition.check_rules(self._game)
        self._standings = LeagueStandings(store, league.id)
        self._bots: dict[int, Entrant] = {}
        self._entries: dict[int, EntryRow] = {}
        self._readmitted: dict[int, datetime] = {}
        self._seen_log = -1
        self._rated = 0
        self._rests_until = 0.0
        self._seen_submissions: tuple[int, int, str] | None = None
        self._intervals_at: datetime | None = None
        self._where = where
        self._hosting = hosting
        self._say = say

    def check_bots(self) -> None:
        """Unpack the bots that play at the moment; those that this machine cannot start are suspended.

        Raises PackError if this machine cannot unpack them, HostingError if it does not keep anchors apart from others.
        """
        self._read_entries()
        for entry in list(self._entries.values()):
            if entry.is_active:
                try:
                    self._find_bot(entry)
                except CannotStart as error:
                    if entry.is_anchor:
                        raise
                    self._suspend(error)

    def tend(self) -> bool:
        """Enter what was accepted, rate what was stored and draw what is missing; return whether anything was drawn."""
        now = datetime.now(UTC)
        self._state = self._store.leagues.named(self.name).state
        self._read_entries()
        if self._state == "closed":
            self._store.batches.void_unplayed(self.id, round(now.timestamp() * 1000))
        else:
            self._enter_submissions()
        self.rate()
        unplayed = self._store.batches.unplayed(self.id)
        self.is_over = self._state == "closed" and not any(row.state == "leased" for row in unplayed)
        if self._state != "open" or monotonic() < self._rests_until:
            return False
        try:
            self._begin_season(now)
            drawn = self._draw_trials(now)
            return self._draw(now, unplayed) or drawn
        except (DrawError, PackError) as error:
            return self._rest(error)

    def lease(self, runner: str, now: int, until: int, held: Collection[int]) -> Leased | None:
        """Lease the next batch; None if none waits. The parameters are those of `Batches.lease`."""
        if self._state != "open" or monotonic() < self._rests_until:
            return None
        unplayed = self._store.batches.unplayed(self.id)
        if not any(row.state == "waiting" or row.lease_until <= now or row.runner == runner for row in unplayed):
            return None
        row = self._store.batches.lease(self.id, runner, now, until, held)
        if row is None:
            return None
        event = self._store.event(row.event)
        definition = Definition.from_json(event.definition.values)
        self._read_entries()
        lease = Lease(row.league, row.number, row.attempt)
        try:
            field = tuple(self._find_bot(self._entries[entry]) for entry in row.entries)
        except CannotStart as error:
            self._suspend(error)
            self._store.batches.give_back(lease, "failed", str(error))
            return None
        except PackError as error:
            self._store.batches.give_back(lease, "released")
            self._rest(error)
            return None
        return row, replace(definition, field=field), event.secret

    def _rest(self, error: ArenaError) -> bool:
        """Do nothing for a while, as this machine, or the field, is not fit for it now; return False."""
        self._rests_until = monotonic() + REST_SECONDS
        self._say(f"the league {self.name} rests for {REST_SECONDS:.0f} s: {error}")
        return False

    def _begin_season(self, now: datetime) -> None:
        """Begin a season once the chain of secrets of the last one is used up."""
        season = self._store.leagues.seasons(self.id)[-1]
        if last_date(season) < now.date():
            new = new_season(season.number + 1, now.date(), entropy=season.entropy)
            self._store.leagues.begin_season(self.id, new, "arena")

    def _read_entries(self) -> None:
        length = self._store.leagues.log_length(self.id)
        if length != self._seen_log:
            self._entries = {each.number: each for each in self._store.leagues.entries(self.id)}
            readmitted = self._store.leagues.log(self.id, "readmit")
            self._readmitted = {row.details["entry"]: datetime.fromisoformat(row.created) for row in readmitted}
            self._seen_log = length

    def _enter_submissions(self) -> None:
        """Enter the newest version of every bot that plays the game, and retire entries whose version is retired."""
        state = self._store.submissions.state()
        if state == self._seen_submissions:
            return
        known = {entry.name: entry for entry in self._entries.values()}
        newest = {row.name: row for row in self._store.submissions.newest()}
        for row in newest.values():
            is_anchor = owner(row.name) == OWNER
            if is_anchor or row.title in known or not Manifest.from_json(row.manifest).plays(self._game.name):
                continue
            new = NewEntry(row.title, (row.name, row.version), owner(row.name))
            self._store.leagues.enter(self.id, new, "arena", self._definition.active_per_owner)
        for entry in known.values():
            name = entry.submission[0]
            if entry.is_active and not entry.is_anchor and (name not in newest or newest[name].title != entry.title):
                self._store.leagues.change_entry(self.id, entry.number, "retired", "arena", f"{entry.title} is retired")
        self._seen_submissions = state
        self._read_entries()

    def rate(self) -> None:
        """Rate what was stored since, and end the placement of entries about which enough is known."""
        now = datetime.now(UTC)
        self._standings.update(now)
        if self._standings.results == self._rated:
            return
        is_due = self._intervals_at is None or (now - self._intervals_at).total_seconds() >= INTERVAL_SECONDS
        intervals = is_due or len(self._entries) <= QUICK_ENTRIES
        anchors = [entry.number for entry in self._entries.values() if entry.is_anchor]
        ratings = self._standings.fit(anchors, intervals=intervals)
        if intervals:
            self._intervals_at = now
        rows = ratings.by_entry()
        for entry in self._entries.values():
            if entry.is_active and not entry.is_anchor and entry.number in rows:
                self._judge(entry, rows[entry.number])
        times = self._store.leagues.rating_times(self.id)
        packed = RatingsRow(self._standings.results, pack_ratings(ratings), now.isoformat(timespec="seconds"))
        self._store.leagues.save_ratings(self.id, packed, superseded(times, now))
        self._rated = self._standings.results
        self._read_entries()

    def _judge(self, entry: EntryRow, row: EntryRating) -> None:
        """Suspend an entry for its faults, or end its placement once enough is known about it."""
        change = partial(self._store.leagues.change_entry, self.id, entry.number)
        faults, matches = self._standings.recent.faults(entry.number, self._readmitted.get(entry.number))
        if matches >= FAULT_MATCHES and faults > self._definition.fault_share * matches:
            reason = f"{faults} faults in its last {matches} matches: hand in a version without them"
            change("suspended", "arena", reason, ACTIVE)
        elif entry.state == "placing":
            end = placement_over(row.deals, row.ci95, row.totals.charged_us / 1e6)
            if end is not None:
                interval = "no interval" if row.ci95 is None else f"± {row.ci95:.0f} Elo"
                change("standing", "arena", f"{interval} after {row.deals} deals", PLACING)

    def _draw(self, now: datetime, unplayed: list[BatchRow]) -> bool:
        """Draw batches until enough wait; return whether any was drawn."""
        active = self._playing(now)
        if all(entry.is_anchor for entry in active):
            return False
        placed = {number for row in unplayed if row.kind == "placement" for number in row.entries}
        if any(entry.state == "placing" and entry.number not in placed for entry in active):
            return self._add(now, unplayed, "placement", without=placed)
        has_standing = any(entry.state == "standing" and not entry.is_anchor for entry in active)
        waiting = sum(row.state == "waiting" and row.kind != "challenge" for row in unplayed)
        if has_standing and waiting < AHEAD and not self._yields_to_challenge(unplayed):
            return self._add(now, unplayed, "standing")
        return False

    def _yields_to_challenge(self, unplayed: list[BatchRow]) -> bool:
        """Return whether a challenge has waited while enough other batches were drawn."""
        waiting = [row.number for row in unplayed if row.kind == "challenge" and row.state == "waiting"]
        return bool(waiting) and self._store.batches.next_number(self.id) > min(waiting) + OVERTAKING

    def _playing(self, now: datetime) -> list[EntryRow]:
        """Return the active entries but for those that have used their CPU time of the day."""
        active = [entry for entry in self._entries.values() if entry.is_active]
        most = self._definition.cpu_per_day
        if not most:
            return active
        used = self._standings.recent.cpu_seconds(now)
        return [entry for entry in active if entry.is_anchor or used[entry.number] < most]

    def _add(
        self,
        now: datetime,
        unplayed: list[BatchRow],
        kind: BatchKind,
        tried: int | None = None,
        without: Collection[int] = (),
    ) -> bool:
        """Draw a batch and store it; return False where another runner was faster.

        without: newcomers that have a batch already.
        """
        drawn = [each for each in self._playing(now) if each.state != "placing" or each.number not in without]
        snapshot = self._standings.snapshot(drawn, unplayed)
        number, stored_as = self._store.batches.next_number(self.id), self._save(snapshot)
        try:
            new = self._drawing(now).draw(number, kind, snapshot, stored_as, tried=tried)
        except CannotStart as error:
            self._suspend(error)
            return False
        return self._store.batches.add(self.id, new, number)

    def _suspend(self, error: "CannotStart") -> None:
        """Suspend an entry that this machine cannot start, so that the others play on."""
        self._store.leagues.change_entry(self.id, error.entry.number, "suspended", "arena", str(error), ACTIVE)
        self._read_entries()

    def _save(self, snapshot: Snapshot) -> int:
        return self._store.leagues.add_snapshot(self.id, snapshot.text().encode(), snapshot.digest())

    def add_challenge(self, challenger: EntryRow, against: Sequence[EntryRow], deals: int, who: str) -> int:
        """Have an entry play deals against others, which are not rated; return the number of the batch."""
        self._read_entries()
        now, others = datetime.now(UTC), [entry.number for entry in against]
        snapshot = self._standings.snapshot((), ())
        tables = max(-(-deals // self._definition.deals), -(-len(others) // (self._definition.table_size - 1)))
        while True:
            number = self._store.batches.next_number(self.id)
            new = self._drawing(now).draw(
                number,
                "challenge",
                snapshot,
                self._save(snapshot),
                tried=challenger.number,
                against=others,
                tables=tables,
            )
            details = {"batch": number, "entry": challenger.number, "against": others}
            if self._store.batches.add(self.id, new, number, ("challenge", who, details)):
                return number

    def _drawing(self, now: datetime) -> Drawing:
        season = self._store.leagues.seasons(self.id)[-1]
        return Drawing(self._definition, season, now.date(), self._deal_seconds(), self._entries, self._find_bot)

    def _deal_seconds(self) -> dict[BatchKind, float]:
        """Return the seconds of a core that a deal of a table took lately, in all rotations, by the kind of batch."""
        seconds, deals = defaultdict[BatchKind, float](float), Counter[BatchKind]()
        for row in self._store.batches.of(self.id, limit=LATELY):
            if row.seconds is not None:
                seconds[row.kind] += row.seconds
                deals[row.kind] += row.matches // self._definition.table_size
        return {kind: seconds[kind] / deals[kind] for kind in deals}

    def _find_bot(self, entry: EntryRow) -> Entrant:
        """Return the bot of an entry, unpacked.

        Raises CannotStart if this machine cannot start it, PackError if it cannot unpack it.
        """
        if entry.number not in self._bots:
            row = self._store.submissions.version(*entry.submission)
            try:
                bot = replace(entrant_from_submission(row, Roster(self._where)), name=entry.name)
                if self._hosting is not None:
                    self._hosting.check_rated_mode([bot])
            except (FieldError, HostingError, ManifestError) as error:
                raise CannotStart(entry, error) from None
            self._bots[entry.number] = bot
        return self._bots[entry.number]

    def _draw_trials(self, now: datetime) -> bool:
        """Have each entry of a void batch tried alone; suspend one that came to no result alone either."""
        drawn = False
        for row in self._store.batches.void(self.id):
            for number in row.entries:
                entry = self._entries[number]
                if entry.is_anchor or not entry.is_active:
                    continue
                if row.kind == "trial":
                    alone = f"batch {row.number}, in which it met sample bots alone,"
                    reason = f"{alone} came to no result {row.failed} times"
                    self._store.leagues.change_entry(self.id, number, "suspended", "arena", reason, ACTIVE)
                    continue
                if not self._is_on_trial(number):
                    if not self._add(now, [], "trial", number):
                        return drawn  # another runner was faster, or it is suspended now: look again
                    drawn = True
            self._store.batches.note_void(self.id, row.number)
        self._read_entries()
        return drawn

    def _is_on_trial(self, entry: int) -> bool:
        unplayed = self._store.batches.unplayed(self.id)
        return any(row.kind == "trial" and entry in row.entries for row in unplayed)
