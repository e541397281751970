"""Which matches the tables of a league's live page show.

A match of quick bots lasts milliseconds, and its deal is played again in the other rotations of its batch. So the page
shows matches of stored batches, in a time in which people can follow them; whoever opens it sees the same as all
others. A table goes on to the newest batch, or to another match of the same one, once it has shown its match.

Matches that take a while are shown as they are played, where this program plays them: those whose deal nobody plays
later. Organisers see the others too, as they do of tournaments (`arena.server.access.Access`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock

from arena.league.run.live_matches import LiveMatch, LiveMatches
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow
from arena.league.store.leagues import Leagues
from arena.plan.schedule import Plan
from arena.server.access import VISITOR
from arena.server.live.page_parts import PageParts
from arena.server.watch.shown_tables import ShownTable, frames_element, live_table, not_shown_element, stored_table
from arena.store import Store
from arena.store.engine.errors import NoSuchRow
from arena.values.errors import ArenaError
from arena.values.rows import BatchEventRow
from referee.engine.errors import EngineError

MOST = 8
"""Tables of a page."""

STEP = 10.0
"""Seconds between two looks at whether a table has shown its match."""

WANTED_SECONDS = 10.0
"""For which matches under way are asked for, whenever somebody watches; longer than between two looks."""

LATELY = 32
"""Batches among which the newest stored one is looked for."""

IDLE_SECONDS = 15 * 60.0
"""After which a league that plays nothing new shows no further match."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What may be watched."""

    matches: LiveMatches | None = None
    """The matches under way; None: only those of stored batches are shown."""
    everybody_sees_all: bool = False
    """Whether everybody sees all matches under way, also those whose deals are played again."""


NOTHING_LIVE = Watching()


class _Slot:
    """A table of the page: what it shows, until when, and where in the batch that is from."""

    def __init__(self, shown: ShownTable, batch: int, turn: int, until: float) -> None:
        self.shown = shown
        self.batch = batch
        self.turn = turn
        self.until = until


class WatchedLeagues:
    """The tables of all leagues that are watched, for all pages that show them.

    watching: what may be watched.
    """

    def __init__(self, store: Store, watching: Watching) -> None:
        self._store = store
        self._watching = watching
        self._watched: dict[int, WatchedLeague] = {}

    def of(self, id: int, name: str) -> "WatchedLeague":
        """Return the tables of a league."""
        new = WatchedLeague(self._store, id, name, self._watching)
        return self._watched.setdefault(id, new)


class WatchedLeague:
    """The tables of a league, the same for all who watch; safe to be used from several threads."""

    def __init__(
        self,
        store: Store,
        league: int,
        name: str,
        watching: Watching = NOTHING_LIVE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._id = league
        self._name = name
        self._watching = watching
        self._clock = clock
        self._live = dict[tuple[int, int, int], tuple[LiveMatch, ShownTable]]()
        self._places: dict[bool, dict[tuple[int, int, int], int]] = {True: {}, False: {}}
        self._slots: list[_Slot | None] = [None] * MOST
        self._closed = 0
        self._last: int | None = None
        self._lock = Lock()

    def pulse(self) -> object:
        """Return what changes whenever a table may show something else."""
        if self._watching.matches is not None:
            self._watching.matches.want(WANTED_SECONDS)
        live = tuple((one.key, len(one.row.answers), one.is_over, one.is_last) for one in self._under_way())
        return Leagues(self._store).named(self._name).results, int(self._clock() / STEP), live

    def parts(self, count: int, *, organiser: bool = False) -> PageParts:
        """Return what the first `count` tables show, as parts of the page.

        organiser: as for `tables`.
        """
        shown = self.tables(count, organiser=organiser)
        elements = {f"watch-{place}": frames_element(place, table) for place, table in enumerate(shown)}
        return PageParts(elements | {"watch-hidden": not_shown_element(self._hidden(organiser))})

    def tables(self, count: int, *, organiser: bool = False) -> list[ShownTable | None]:
        """Return what the first `count` tables show; None for a table that has nothing to show.

        organiser: whether matches are shown whose deals are played again.
        """
        with self._lock:
            stored = self._stored_tables(count)
            live = self._live_tables(count, organiser)
        return [live.get(place, table) for place, table in enumerate(stored)]

    def _hidden(self, organiser: bool) -> int:
        """Return how many matches are under way that are not shown yet."""
        return sum(not one.is_over and not self._is_seen(one, organiser) for one in self._under_way())

    def _under_way(self) -> Sequence[LiveMatch]:
        """Return the matches under way; none where their results will be hidden."""
        matches = self._watching.matches
        if matches is None or (self._store.is_for_visitors and Leagues(self._store).hiding(self._id) is not None):
            return ()
        return matches.of(self._id)

    def _is_seen(self, match: LiveMatch, organiser: bool) -> bool:
        return match.is_last or organiser or self._watching.everybody_sees_all

    def _live_tables(self, count: int, organiser: bool) -> dict[int, ShownTable]:
        """Return the matches under way by table: each stays at its table."""
        seen = {one.key: one for one in self._under_way()}
        self._live = {key: known for key, known in self._live.items() if key in seen}
        allowed = {key: one for key, one in seen.items() if self._is_seen(one, organiser)}
        known = self._places[organiser]
        places = {key: place for key, place in known.items() if key in allowed}
        for key in allowed.keys() - places.keys():
            if free := sorted(set(range(MOST)) - set(places.values())):
                places[key] = free[0]
        self._places[organiser] = places
        tables = {place: self._live_table(allowed[key]) for key, place in places.items() if place < count}
        return {place: table for place, table in tables.items() if table is not None}

    def _live_table(self, match: LiveMatch) -> ShownTable | None:
        if match.key not in self._live or self._live[match.key][0] != match:
            try:
                row = Batches(self._store).get(self._id, match.batch)
                event = self._store.event(row.event) if row is not None else None
                if not isinstance(event, BatchEventRow):
                    return None
                self._live[match.key] = match, live_table(event, match)
            except (ArenaError, EngineError):
                return None
        return self._live[match.key][1]

    def _stored_tables(self, count: int) -> list[ShownTable | None]:
        self._forget_closed()
        self._forget_hidden()
        newest = self._newest()
        if newest is None:
            return [None] * count
        for place in range(count):
            slot = self._slots[place]
            if slot is None or (self._clock() >= slot.until and self._goes_on(slot, newest)):
                self._slots[place] = self._next(place, slot, newest) or slot
        return [slot.shown if slot is not None else None for slot in self._slots[:count]]

    def _forget_closed(self) -> None:
        """Show no names of accounts that were closed meanwhile."""
        closed = self._store.accounts.closed()
        if closed != self._closed:
            self._closed, self._slots, self._live = closed, [None] * MOST, {}

    def _forget_hidden(self) -> None:
        """Show no match that was hidden meanwhile."""
        hidden = Leagues(self._store).hiding(self._id) if self._store.is_for_visitors else None
        last = None if hidden is None else hidden.last
        if last != self._last:
            self._last, self._slots = last, [None] * MOST

    def _newest(self) -> BatchRow | None:
        """Return the batch that was stored last."""
        stored = [row for row in Batches(self._store).of(self._id, limit=LATELY) if row.result is not None]
        return max(stored, key=lambda row: row.result or 0, default=None)

    def _goes_on(self, slot: _Slot, newest: BatchRow) -> bool:
        """Return whether a table that has shown its match shows another one."""
        if slot.batch != newest.number:
            return True
        if any(row.state == "leased" for row in Batches(self._store).unplayed(self._id)):
            return True
        return newest.ended is not None and _age(newest.ended) < IDLE_SECONDS

    def _next(self, place: int, slot: _Slot | None, batch: BatchRow) -> _Slot | None:
        """Return the next match for a table, of a batch; None if it cannot be shown."""
        turn = slot.turn + 1 if slot is not None and slot.batch == batch.number else 0
        try:
            event = self._store.event(batch.event)
            plan = Plan.of(event.definition, event.secret)
            match = VISITOR.match(self._store, batch.first_match + _chosen(plan, place, turn))
            shown = stored_table(match, batch.ended)
        except (NoSuchRow, ArenaError, EngineError):  # as a game that is not installed here any more
            return None
        return _Slot(shown, batch.number, turn, self._clock() + shown.seconds)


def _chosen(plan: Plan, place: int, turn: int) -> int:
    """Return the number of a match of a batch: another one for each table and turn, as long as there are any."""
    number = place + MOST * turn
    deals = plan.rounds * plan.tables
    deal, before = number % deals, number // deals
    return deal * plan.rotations + (deal + before) % plan.rotations


def _age(when: str) -> float:
    """Return how many seconds ago a time in UTC was."""
    return (datetime.now(UTC) - datetime.fromisoformat(when)).total_seconds()
