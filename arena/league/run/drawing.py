"""Draws the batches of a league, of a suitable size and in the form in which they are stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median_low

from arena.league.plan.batch_draw import TRIAL_TABLES, deals_of, draw_batch
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.snapshot import BatchDraw, Snapshot
from arena.league.plan.secret_chain import batch_secret, day_secret
from arena.league.store.league_rows import BatchKind, EntryRow, NewBatch, SeasonRow
from arena.plan.new_event import new_event
from arena.plan.schedule import Plan
from arena.values.definition import Entrant

FIRST_TABLES = 4
"""Tables of the first batches, while nobody knows how long matches take."""

UNKNOWN_TABLES = 2
UNKNOWN_DEALS = 1
"""The most tables, and deals of each, of a batch with an entry of which nobody knows how long it takes to answer."""

LONGEST = 10.0
"""How many times as long as it should a batch may take, by what those who play were charged for earlier deals.

That is more than they take of a core, as charged time has waits in it.
"""

PLACEMENT_SECONDS = 60.0
"""The same for a batch of newcomers, whose owners wait, and so do other newcomers: seconds by the clock at most."""


SLOW = 10
"""How many times as long as the median of all an entry takes for a deal that has a lane of its own."""

SLOW_SECONDS = 1.0
"""The same in seconds, at least: below nobody is held up."""


def slow_entries(snapshot: Snapshot) -> set[int]:
    """Return the entries that take much longer than others, by what is known of their time for a deal.

    Those of which nothing is known count as quick: they are sample bots that have not played yet.
    """
    paces = [entry.cpu_us_per_deal for entry in snapshot.entries]
    limit = max(SLOW * median_low(paces or [0]), SLOW_SECONDS * 1e6)
    return {entry.number for entry in snapshot.entries if entry.cpu_us_per_deal > limit}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws batches for one league at one moment.

    season, day: those whose secret a batch follows from.
    """

    definition: LeagueDefinition
    season: SeasonRow
    day: int
    deal_seconds: Mapping[BatchKind, float]
    """The seconds of a core for a deal of a table in all rotations, by the kind of the batch, as far as known."""
    entries: Mapping[int, EntryRow]
    """The entries by number."""
    find_bot: Callable[[EntryRow], Entrant]
    """Returns the bot of an entry, unpacked."""

    def draw(
        self,
        number: int,
        kind: BatchKind,
        snapshot: Snapshot,
        stored_as: int,
        *,
        tried: int | None = None,
        against: Sequence[int] = (),
        tables: int | None = None,
        part: FinalPart | None = None,
    ) -> NewBatch:
        """Draw a batch.

        number: of the batch.
        stored_as: the number of the snapshot.
        tried, against: the entry on trial, or the challenger with those whom it challenges.
        part: of a final.
        tables: their number; None: as many as fill the time that a batch should take.

        Raises DrawError if the entries of the snapshot fill no table.
        """
        secret = batch_secret(day_secret(self.season, self.day), self.season.entropy, number)
        anchors = [entry.number for entry in self.entries.values() if entry.is_anchor]
        draw = partial(
            draw_batch, self.definition, kind, snapshot, tried=tried, against=against, anchors=anchors, part=part
        )
        if tables is not None:
            drawn = draw(tables, secret)
        else:
            drawn = draw(TRIAL_TABLES if kind == "trial" else self._tables(kind), secret)
            while (fitting := self._fitting(kind, snapshot, drawn)) != (len(drawn.tables), drawn.deals):
                drawn = draw(fitting[0], secret, deals=fitting[1])
        place = {entry: place for place, entry in enumerate(drawn.entries)}
        field = tuple(self.find_bot(self.entries[entry]) for entry in drawn.entries)
        seated = tuple(tuple(place[entry] for entry in table) for table in drawn.tables)
        definition = self.definition.batch(field, seated, drawn.deals)
        event = new_event(definition, secret, None, Plan.of(definition, secret).matches)
        number_of_part = None if part is None else part.number
        return NewBatch(event, self.season.number, self.day, kind, stored_as, drawn.entries, number_of_part)

    def final_tables(self, deals: int) -> int:
        """Return how many tables a part of a final has, so that it takes as long as a batch should."""
        pace = self.deal_seconds.get("standing", self.deal_seconds.get("placement"))
        wanted = FIRST_TABLES if pace is None else round(self.definition.seconds_of("final") / (pace * deals))
        return max(min(wanted, self.definition.process_matches // deals), 1)

    def _fitting(self, kind: BatchKind, snapshot: Snapshot, drawn: BatchDraw) -> tuple[int, int]:
        """Return how many of the tables of a draw, and deals of each, there may be by what is known of those who play.

        Slow bots do not hold a referee for much longer than others. Newcomers play fewer deals first, as more tables
        tell more of them, and others at fewer tables, as a bot starts its processes for each batch.
        """
        tables, deals = len(drawn.tables), drawn.deals
        rated = {entry.number: entry for entry in snapshot.entries}
        players = [rated[number] for table in drawn.tables for number in table if number in rated]
        strangers = (player for player in players if not self.entries[player.number].is_anchor)
        if any(not player.deals and not player.cpu_us_per_deal for player in strangers):
            return min(tables, UNKNOWN_TABLES), min(deals, UNKNOWN_DEALS)
        seconds = sum(player.cpu_us_per_deal for player in players) * deals / 1e6
        longest = LONGEST * self.definition.seconds_of(kind)
        if kind == "placement":
            longest = min(longest, PLACEMENT_SECONDS)
        if seconds <= longest:
            return tables, deals
        fewer_tables = max(min(tables - 1, int(tables * longest / seconds)), 1)
        fewer_deals = max(min(deals - 1, int(deals * longest / seconds)), 1)
        if kind == "placement":
            return (tables, fewer_deals) if deals > 1 else (fewer_tables, deals)
        return (fewer_tables, deals) if tables > 1 else (tables, fewer_deals)

    def _tables(self, kind: BatchKind) -> int:
        """Return how many tables make a batch that takes as long as it should."""
        definition, deals = self.definition, deals_of(self.definition, kind)
        most = definition.process_matches * definition.batch_entries // (definition.table_size * deals)
        pace = self.deal_seconds.get(kind)
        wanted = FIRST_TABLES if pace is None else round(definition.seconds_of(kind) / (pace * deals))
        return max(min(wanted, most), 1)
