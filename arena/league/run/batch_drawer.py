"""Draws the batches of a league from its newest ratings, and stores them to be played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime

from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import day_of
from arena.league.run.drawing import Drawing
from arena.league.run.entry_bots import CannotStart, EntryBots
from arena.league.run.league_entries import LeagueEntries
from arena.league.run.standings import LeagueStandings
from arena.league.store.batches import Batches
from arena.league.store.league_entries import SeasonFrozen
from arena.league.store.league_rows import BatchKind, BatchRow, EntryRow, LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.store import Store

LATELY = 20
"""Batches from which the time of a deal is computed."""


class BatchDrawer:
    """Draws and stores batches; an entry that this machine cannot start is suspended instead.

    slow: entries that take much longer than others; their batches tell nothing of the time of usual ones.
    """

    def __init__(
        self,
        store: Store,
        league: LeagueRow,
        definition: LeagueDefinition,
        entries: LeagueEntries,
        standings: LeagueStandings,
        bots: EntryBots,
    ) -> None:
        self._store = store
        self._id = league.id
        self._name = league.name
        self._definition = definition
        self._entries = entries
        self._standings = standings
        self._bots = bots
        self.slow: frozenset[int] = frozenset()

    def add(
        self,
        now: datetime,
        kind: BatchKind,
        entries: Iterable[EntryRow],
        *,
        under_way: Iterable[BatchRow] = (),
        tried: int | None = None,
    ) -> bool:
        """Draw a batch and store it; return False where another runner was faster, or an entry is suspended now.

        entries: those that may play.
        under_way: batches whose deals count as played.
        tried: the entry on trial.

        Raises DrawError if the entries fill no table.
        """
        snapshot = self._standings.snapshot(entries, under_way, self._entries.checked_us_per_deal, lately=True)
        number, stored_as = Batches(self._store).next_number(self._id), self.save(snapshot)
        try:
            new = self.drawing(now).draw(number, kind, snapshot, stored_as, tried=tried)
        except CannotStart as error:
            self._entries.suspend(error)
            return False
        return Batches(self._store).add(self._id, new, number)

    def add_part(self, now: datetime, number: int, part: FinalPart, active: Collection[int]) -> bool:
        """Draw a part of a final as batch `number`; return False as `add` does.

        active: the entries that still play.
        """
        playing = [self._entries.rows[entry] for entry in part.final.entries or () if entry in active]
        snapshot = self._standings.snapshot(playing, (), lately=True)
        try:
            new = self.drawing(now).draw(number, "final", snapshot, self.save(snapshot), tables=0, part=part)
        except CannotStart as error:
            self._entries.suspend(error)
            return False
        return Batches(self._store).add(self._id, new, number)

    def add_challenge(
        self, challenger: EntryRow, against: Sequence[EntryRow], deals: int, who: str, check: Callable[[], None]
    ) -> int:
        """Have an entry play deals against others, which are not rated; return the number of the batch.

        check: raises where it is not allowed; nothing is drawn between its last call and the challenge.

        Raises SeasonFrozen where that has to wait for the next season.
        """
        others = [entry.number for entry in against]
        snapshot = self._standings.snapshot((), ())
        tables = max(-(-deals // self._definition.deals), -(-len(others) // (self._definition.table_size - 1)))
        while True:
            if self.newest_season().frozen is not None:
                raise SeasonFrozen(f"the season of the league {self._name} ends: challenges go on in the next one")
            number = Batches(self._store).next_number(self._id)
            check()
            new = self.drawing(datetime.now(UTC)).draw(
                number,
                "challenge",
                snapshot,
                self.save(snapshot),
                tried=challenger.number,
                against=others,
                tables=tables,
            )
            details = {"batch": number, "entry": challenger.number, "against": others}
            if Batches(self._store).add(self._id, new, number, ("challenge", who, details)):
                return number

    def save(self, snapshot: Snapshot) -> int:
        """Store a snapshot of the ratings; return its number."""
        return Leagues(self._store).add_snapshot(self._id, snapshot.text().encode(), snapshot.digest())

    def drawing(self, now: datetime) -> Drawing:
        """Return what draws at a moment."""
        season, seconds = self.newest_season(), self._deal_seconds()
        day, (newest_season, newest) = day_of(season, now.date()), Batches(self._store).newest_day(self._id)
        if newest_season == season.number:
            day = max(day, newest)  # the clock was ahead, or that of another runner is: its day is not public yet
        return Drawing(self._definition, season, day, seconds, self._entries.rows, self._bots.find)

    def newest_season(self) -> SeasonRow:
        """Return the season that goes on, or ended last."""
        return Leagues(self._store).seasons(self._id)[-1]

    def _deal_seconds(self) -> dict[BatchKind, float]:
        """Return the seconds of a core that a deal of a table took lately, in all rotations, by the kind of batch."""
        seconds, deals = defaultdict[BatchKind, float](float), Counter[BatchKind]()
        for row in Batches(self._store).of(self._id, limit=LATELY):
            if row.seconds is not None and self.slow.isdisjoint(row.entries):
                seconds[row.kind] += row.seconds
                deals[row.kind] += row.matches // self._definition.table_size
        return {kind: seconds[kind] / deals[kind] for kind in deals}
