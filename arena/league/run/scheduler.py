"""One league of a run: what is entered, rated, drawn and leased."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from time import monotonic
from typing import NamedTuple

from msgspec.structs import replace

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import define_final
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import last_date, new_season
from arena.league.run.batch_drawer import BatchDrawer
from arena.league.run.batch_pace import BatchPace
from arena.league.run.division_keeper import DivisionKeeper
from arena.league.run.drawing import slow_entries
from arena.league.run.entry_bots import CannotStart, EntryBots, MachineUnfit
from arena.league.run.grant_hosting import GrantHosting
from arena.league.run.league_entries import LeagueEntries
from arena.league.run.problems import ProblemKind, Problems
from arena.league.run.rating import LeagueRater
from arena.league.run.season_end import SeasonEnd
from arena.league.run.standings import LeagueStandings
from arena.league.run.start_failures import StartProblem, start_problem
from arena.league.run.unfit_batches import MOST_RESTING, UnfitBatches
from arena.league.store.batches import Batches
from arena.league.store.league_dates import has_unchecked
from arena.league.store.league_rows import BatchResult, BatchRow, EntryRow, LeagueRow, Lease, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.packs.errors import PackError
from arena.run.hosting import Hosting
from arena.store import NoSuchRow, Store
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.server_log import Notice

AHEAD = 1
"""Batches that wait beyond those that can be played at once: more would be drawn from older ratings."""

OVERTAKING = 4
"""Batches that may be drawn, and played, before a challenge, and before the next one."""

CHECKS_FOR = timedelta(hours=1)
"""So long a season with a deadline waits, after its end, for checks of bots that were received in time."""

RETRY_SECONDS = 30.0
"""Before another attempt, where this machine or the field is not fit for a batch."""


class Leased(NamedTuple):
    """A leased batch, with what it takes to play it."""

    row: BatchRow
    definition: Definition
    """The definition of the batch, with its bots unpacked."""
    secret: bytes
    """The secret of its deals."""
    secrets: tuple[tuple[str, str, str], ...]
    """The secrets of bots, as in `Hosting`."""
    slow: frozenset[int]
    """Its entries that take much longer than others."""
    pace: BatchPace
    """What is known of the time that it takes."""


def _say_nothing(line: str) -> None:
    """Say nothing."""


class LeagueScheduler:
    """A league of a database, for one run. Its methods use the database; only `lease` may run beside another one.

    unfit: the batches that could not be played here.
    problems: why nothing can be drawn or played.
    seconds: of a core, that this run has spent on the league.
    is_practice: whether it is a practice league, which others do not see.
    is_over: as `Leagues.is_over` of the store, at the last `update`.
    """

    def __init__(
        self,
        store: Store,
        where: str,
        league: LeagueRow,
        hosting: Hosting | None = None,
        say: Callable[[str], None] = _say_nothing,
    ) -> None:
        """Prepare the draws and ratings of a league.

        where: of the database, to find the files of bots.
        hosting: how bots are run; None: none is started.
        say: is told what people should read.

        Raises PlanError if this version of arena cannot play the league.
        """
        self.id = league.id
        self.name = league.name
        self.seconds = 0.0
        self.is_over = False
        self.is_practice = league.owner is not None
        self._store = store
        self._state = league.state
        self._definition = LeagueDefinition.from_json(league.definition)
        self._definition.check_rules()
        self._standings = LeagueStandings(store, league.id)
        self._bots = EntryBots(store, where, hosting)
        self._grants = GrantHosting(league.name, self._bots, hosting, say)
        self._resting = set[int]()
        self._slow = set[int]()
        self._slow_at = (-1, -1)
        self._plays_final = False
        self._overrun: dict[int, frozenset[int]] = {}
        self.unfit = UnfitBatches()
        self.problems = Problems()
        self._entries = LeagueEntries(store, league.id, self._definition)
        self._rater = LeagueRater(store, league.id, self._definition, self._entries, self._standings)
        self._drawer = BatchDrawer(store, league, self._definition, self._entries, self._standings, self._bots)
        self._divisions = DivisionKeeper(
            store, league.id, self._definition, self._entries, self._ratings_now, self._drawer.save
        )
        self._waits_until = 0.0
        self._is_checking = False
        self._say = say

    def check_bots(self) -> None:
        """Unpack the bots that play at the moment; those that this machine cannot start are suspended.

        Raises PackError if this machine cannot unpack them, CannotStart if it cannot start anchors, MachineUnfit if it
        can start none at all.
        """
        self._entries.read()
        for entry in self._entries.active:
            try:
                self._bots.find(entry)
            except CannotStart as error:
                self._entries.suspend(error)

    def update(self, lost: float = 0.0) -> bool:
        """Enter what was accepted, rate what was stored and draw what is missing; return whether anything was drawn.

        lost: by how many seconds leases hold longer, as `lost_lately` says.

        The number of the next batch is read before everything else: what another runner draws meanwhile has it then.
        """
        now = datetime.now(UTC)
        held = round((now.timestamp() - lost) * 1000)
        number = Batches(self._store).next_number(self.id)
        self._state = self._row().state
        self._entries.read()
        season = self._drawer.newest_season()
        self._plays_final = season.frozen is not None and self._definition.time.mode == "fast"
        # Before they enter: what is accepted in between would be neither unchecked nor entered.
        self._is_checking = self._is_over(now) and has_unchecked(self._store, self._entries.dates)
        if self.is_practice:
            self._entries.retire_barred()
        elif self._state != "closed":
            self._entries.enter_submissions(is_frozen=season.frozen is not None)
        self.rate()
        unplayed = self._unplayed(held)
        drawn = {number for row in unplayed for number in row.entries}
        entries = self._entries.rows.values()
        self._resting = self._grants.resting(entry for entry in entries if entry.is_active or entry.number in drawn)
        self.is_over = self._state == "closed" and Leagues(self._store).is_over(self.id)
        if self._state != "open":
            self.problems.end("draw", "play")
            return False
        self._find_slow(unplayed)
        if monotonic() < self._waits_until:
            return False
        try:
            is_drawn = self._go_on(season, now, number, unplayed, held)
        except (CannotStart, DrawError, MachineUnfit, PackError) as error:
            return self._wait("draw", error)
        self.problems.end("draw", *(() if is_drawn or unplayed else ("play",)))
        return is_drawn

    def _go_on(self, season: SeasonRow, now: datetime, number: int, unplayed: list[BatchRow], held: int) -> bool:
        """Draw what is missing, or take the next step of the season; return whether a batch was drawn."""
        if self._draw_trials(now):
            return True
        if self._is_due(season, now):
            self._freeze(season)
            return False
        if season.frozen is None and last_date(season) < now.date():
            new = new_season(season.number + 1, now.date(), entropy=season.entropy)
            Leagues(self._store).begin_season(self.id, new, "arena", held)
            return False
        if season.frozen is None and self._divisions.is_due(season, now.date()):
            self._divisions.decide(season, now.date(), number)
            return False
        if season.frozen is None:
            return _text(now) >= self._entries.dates.opens and self._draw(now, unplayed)
        return self._go_on_with_end(season, now, number, unplayed)

    @property
    def anchors(self) -> list[int]:
        """The numbers of the entries whose mean is 0 Elo."""
        return self._entries.anchors

    def rate(self) -> None:
        """Rate what was stored since, and end the placement of entries about which enough is known."""
        self._rater.rate(judges=self._state != "closed")

    def lease(
        self, runner: str, now: int, until: int, held: Collection[int], *, with_slow: bool = True
    ) -> Leased | None:
        """Lease the next batch; None if none waits. The other parameters are those of `Batches.lease`.

        with_slow: whether it may be one with an entry that takes much longer than others; parts of a final may, where
            bots share cores.
        """
        if self._state != "open" or monotonic() < self._waits_until:
            return None
        unplayed = self._playable(Batches(self._store).unplayed(self.id))
        if not any(row.state == "waiting" or row.lease_until <= now or row.runner == runner for row in unplayed):
            return None
        left_alone = self._resting if with_slow or self._plays_final else self._resting | self._slow
        row = Batches(self._store).lease(self.id, runner, now, until, held, left_alone, self.unfit.resting)
        if row is None:
            return None
        event = self._store.event(row.event)
        definition = Definition.from_json(json.loads(event.definition_text))
        self._entries.read()
        lease = Lease(row.league, row.number, row.attempt)
        entries = [self._entries.rows[entry] for entry in row.entries]
        if resting := self._grants.resting(entries):  # granted since the last update
            self._resting |= resting
            Batches(self._store).give_back(lease, "released")
            return None
        try:
            field = tuple(map(self._bots.find, entries))
        except (CannotStart, MachineUnfit, PackError) as error:
            Batches(self._store).give_back(lease, "released", str(error))
            if not isinstance(error, CannotStart) or error.entry.is_anchor:  # this machine lacks something
                self._wait("play", error)
            else:  # no attempt would come to a result, and the others are not on trial for it
                self._entries.suspend(error)
                Batches(self._store).void_of(self.id, [error.entry.number], now)
            return None
        played = replace(definition, field=field)
        if not self._note_grants(lease, definition, played):
            return None
        slow = frozenset(self._slow.intersection(row.entries))
        return Leased(row, played, event.secret, self._grants.secrets(entries), slow, self._pace(row, played))

    def _pace(self, row: BatchRow, played: Definition) -> BatchPace:
        """Return what was known of the time that a batch takes when it was drawn."""
        usual = self._definition.seconds_of(row.kind)
        try:
            snapshot = Snapshot.from_text(Leagues(self._store).snapshot(self.id, row.snapshot))
        except (DrawError, NoSuchRow):  # verifications name it
            return BatchPace(usual)
        return BatchPace.of(snapshot, row.entries, played, usual)

    def note_overrun(self, number: int, entries: Collection[int]) -> None:
        """Note that a batch under way takes much longer than it should: until it is over it is one of the slow ones.

        entries: those that may be the reason; they are drawn for nothing else meanwhile.
        """
        self._overrun[number] = frozenset(entries)
        self._slow_at = (-1, -1)

    def start_problem(self, batch: BatchRow, result: BatchResult) -> StartProblem | None:
        """Return why the result of a batch counts for nothing, as bots could not be started; None if it counts."""
        return start_problem(result, [self._entries.rows[number] for number in batch.entries])

    def _note_grants(self, lease: Lease, drawn: Definition, played: Definition) -> bool:
        """Store the grants with which a batch is played, where they are not those with which it was drawn.

        Returns whether the lease still holds.
        """
        bots = zip(drawn.field, played.field, strict=True)
        field = tuple(replace(stored, grants=bot.grants) for stored, bot in bots)
        if field == drawn.field:
            return True
        return Batches(self._store).redefine(lease, replace(drawn, field=field))

    def add_challenge(
        self, challenger: EntryRow, against: Sequence[EntryRow], deals: int, who: str, check: Callable[[], None]
    ) -> int:
        """Have an entry play deals against others, as `BatchDrawer.add_challenge`; return the number of the batch."""
        self._entries.read()
        return self._drawer.add_challenge(challenger, against, deals, who, check)

    def _wait(self, kind: ProblemKind, error: ArenaError) -> bool:
        """Draw and lease nothing for a while, as this machine, or the field, is not fit for it now; return False."""
        self._waits_until = monotonic() + RETRY_SECONDS
        self.problems.add(kind, str(error))
        sentence = f"the league {self.name} draws nothing for {RETRY_SECONDS:.0f} s: {error}"
        self._say(Notice(sentence, "draw_failed", league=self.name))
        return False

    def _unplayed(self, now: int) -> list[BatchRow]:
        """Return the batches that wait or are played; in a closed league those that nobody plays become void.

        now: as in `Batches.lease`.
        """
        unplayed = Batches(self._store).unplayed(self.id)
        if self._state == "closed" and any(row.state == "waiting" or row.lease_until <= now for row in unplayed):
            Batches(self._store).void_unplayed(self.id, now)
            return Batches(self._store).unplayed(self.id)
        return unplayed

    def _is_due(self, season: SeasonRow, now: datetime) -> bool:
        """Return whether a season is at its end, by its dates or else by the definition of the league.

        It waits for the checks of bots that were received before its deadline, for `CHECKS_FOR` at most.
        """
        if season.frozen is not None:
            return False
        ends, days = self._entries.dates.ends, self._definition.season_days
        if not ends:
            return bool(days) and now.date() >= date.fromisoformat(season.first_day) + timedelta(days=days)
        is_late = now >= datetime.fromisoformat(ends) + CHECKS_FOR
        return self._is_over(now) and (is_late or not self._is_checking)

    def _is_over(self, now: datetime) -> bool:
        """Return whether the newest season has reached the end that its dates say."""
        ends = self._entries.dates.ends
        return bool(ends) and _text(now) >= ends

    def _freeze(self, season: SeasonRow) -> None:
        final = define_final(self._definition, None, None, closes=False)
        dates, days = self._entries.dates, self._definition.season_days
        reason = f"it ends at {dates.ends}" if dates.ends else f"it has lasted {days} days"
        Seasons(self._store).freeze(self.id, season.number, final, "arena", reason, self._entries.log_length)

    def _go_on_with_end(self, season: SeasonRow, now: datetime, number: int, unplayed: Sequence[BatchRow]) -> bool:
        """Take the next step to the end of a frozen season; return whether a batch was drawn.

        number: of the next batch, before anything else was read.
        """
        seen = number, self._entries.log_length
        end = SeasonEnd(self._store, self.id, self._definition, season, self._entries.anchors)
        if season.phase == "frozen":
            is_rated = self._standings.results == self._row().results
            if not unplayed and is_rated:
                snapshot, among = self._ratings_now(), self._divisions.first_division()
                end.settle(snapshot, self._drawer.save(snapshot), self._drawer.drawing(now).final_tables, seen, among)
            return False
        active = [entry.number for entry in self._entries.active]
        waiting = sum(row.state == "waiting" for row in self._playable(unplayed))
        if waiting >= AHEAD or any(row.kind == "trial" for row in unplayed):
            return False
        part = end.missing_part(active)
        if part is not None:
            return self._drawer.add_part(now, number, part, active)
        if unplayed or Batches(self._store).void(self.id):
            return False
        if self._divisions.ends_with(season):
            self._divisions.decide(season, now.date(), number, is_over=True)
        elif end.finish(active, now.date(), seen):
            self._say(f"season {season.number} of the league {self.name} has ended")
        return False

    def _ratings_now(self) -> Snapshot:
        """Return the ratings of the active entries after all results that are known."""
        return self._standings.snapshot(self._entries.active, ())

    def _draw(self, now: datetime, unplayed: list[BatchRow]) -> bool:
        """Draw batches until enough wait; return whether any was drawn."""
        active, slow = self._playing(now), self._slow
        quick = [entry for entry in active if entry.number not in slow]
        of_quick = [row for row in unplayed if slow.isdisjoint(row.entries) and row.number not in self._overrun]
        if len(of_quick) < len(unplayed) or _are_placing(quick, of_quick):  # the slow ones have one batch at a time
            active, unplayed = quick, of_quick
        if all(entry.is_anchor for entry in active):
            return False
        placed = _placed(unplayed)
        if _are_placing(active, unplayed):
            entries = [entry for entry in active if entry.state != "placing" or entry.number not in placed]
            return self._drawer.add(now, "placement", entries, under_way=unplayed)
        playable = self._playable(unplayed)
        has_standing = any(entry.state == "standing" and not entry.is_anchor for entry in active)
        waiting = sum(row.state == "waiting" and row.kind != "challenge" for row in playable)
        is_room = waiting < AHEAD and len(self.unfit.resting) < MOST_RESTING
        if has_standing and is_room and not self._yields_to_challenge(playable):
            return self._drawer.add(now, "standing", active, under_way=unplayed)
        return False

    def _find_slow(self, unplayed: Iterable[BatchRow]) -> None:
        """Find the active entries that take much longer than others, by matches, check or a batch under way.

        One batch with any of them is drawn at a time, and it leaves referees to the others.
        """
        numbers = {row.number for row in unplayed}
        for number in [number for number in self._overrun if number not in numbers]:
            del self._overrun[number]
        state = self._standings.results, self._entries.log_length
        if state != self._slow_at:
            checked_us = self._entries.checked_us_per_deal
            snapshot = self._standings.snapshot(self._entries.active, (), checked_us, lately=True)
            self._slow = slow_entries(snapshot).union(*self._overrun.values())
            self._slow_at = state
            self._drawer.slow = frozenset(self._slow)

    def _row(self) -> LeagueRow:
        return Leagues(self._store).named(self.name, practice=self.is_practice)

    def _playable(self, unplayed: Iterable[BatchRow]) -> list[BatchRow]:
        """Return the batches that may be played here now: those that do not rest themselves, nor an entry of theirs."""
        resting = self.unfit.resting
        return [row for row in unplayed if self._resting.isdisjoint(row.entries) and row.number not in resting]

    def _yields_to_challenge(self, unplayed: list[BatchRow]) -> bool:
        """Return whether it is a challenge's turn: enough other batches were drawn since it was asked for.

        And since the last one was played: whoever asks for many at once does not hold up everybody else.
        """
        challenges = [row for row in unplayed if row.kind == "challenge"]
        if not challenges or any(row.state == "leased" for row in challenges):
            return False
        return Batches(self._store).overtaking(self.id, min(row.number for row in challenges)) >= OVERTAKING

    def _playing(self, now: datetime) -> list[EntryRow]:
        """Return the active entries but for those that rest here, or have used their CPU time of the day."""
        active = [entry for entry in self._entries.active if entry.number not in self._resting]
        most = self._definition.cpu_per_day
        if not most:
            return active
        used = self._standings.recent.cpu_seconds(now)
        return [entry for entry in active if entry.is_anchor or used[entry.number] < most]

    def _draw_trials(self, now: datetime) -> bool:
        """Have each entry of a void batch tried alone; suspend one that came to no result alone either.

        Also a retired one, if its owner could readmit it, or retiring for a moment would undo a match that it loses.
        """
        drawn = False
        for row in Batches(self._store).void(self.id):
            for number in row.entries:
                entry = self._entries.rows[number]
                if entry.is_anchor or not Leagues(self._store).may_play(self.id, number):
                    continue
                if row.kind == "trial":
                    alone = f"batch {row.number}, in which it met sample bots alone,"
                    attempts = Batches(self._store).attempts(self.id, row.number)
                    times = sum(attempt.outcome in ("failed", "expired") for attempt in attempts)
                    reason = f"{alone} came to no result {times} times"
                    Leagues(self._store).suspend_failing(self.id, number, reason)
                    continue
                if not self._is_on_trial(number):
                    if not self._drawer.add(now, "trial", self._playing(now), tried=number):
                        return drawn  # another runner was faster, or it is suspended now: look again
                    drawn = True
            Batches(self._store).note_void(self.id, row.number)
        self._entries.read()
        return drawn

    def _is_on_trial(self, entry: int) -> bool:
        unplayed = Batches(self._store).unplayed(self.id)
        return any(row.kind == "trial" and entry in row.entries for row in unplayed)


def _text(moment: datetime) -> str:
    """Return a moment as the dates of seasons are written."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _placed(unplayed: Iterable[BatchRow]) -> set[int]:
    """Return the entries of batches that place newcomers."""
    return {number for row in unplayed if row.kind == "placement" for number in row.entries}


def _are_placing(entries: Iterable[EntryRow], unplayed: Iterable[BatchRow]) -> bool:
    """Return whether any entry is placing and has no batch."""
    placed = _placed(unplayed)
    return any(entry.state == "placing" and entry.number not in placed for entry in entries)
