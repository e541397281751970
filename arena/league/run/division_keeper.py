"""Takes the decisions on the divisions of a league that are due, for a run; several runs may try, and one succeeds."""

from collections.abc import Callable, Collection
from datetime import date

from arena.league.divisions.decisions import DivisionDecision, DivisionDecisions, holders
from arena.league.divisions.rules import divide, ended_span
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.run.league_entries import LeagueEntries
from arena.league.store.league_rows import SeasonRow
from arena.store import Store


class DivisionKeeper:
    """The divisions of a league.

    snapshot: returns the ratings of the active entries after all results that are known.
    save: stores a snapshot and returns its number.
    """

    def __init__(
        self,
        store: Store,
        league: int,
        definition: LeagueDefinition,
        entries: LeagueEntries,
        snapshot: Callable[[], Snapshot],
        save: Callable[[Snapshot], int],
    ) -> None:
        self._decisions = DivisionDecisions(store, league)
        self._definition = definition
        self._entries = entries
        self._snapshot = snapshot
        self._save = save
        self._newest: DivisionDecision | None = None
        self._read_at = -1

    def first_division(self) -> Collection[int] | None:
        """Return the active entries of the first division; None where there are no divisions, or not yet."""
        newest = self._read()
        if newest is None:
            return None
        return holders(newest.places, self._entries.rows, [entry.number for entry in self._entries.active])[0]

    def is_due(self, season: SeasonRow, today: date) -> bool:
        """Return whether a span has ended in an open season, and was not decided."""
        ended = self._ended(season, today)
        return ended > 0 and self._decided(season) < ended

    def decide(self, season: SeasonRow, today: date, number: int, *, is_over: bool = False) -> bool:
        """Decide the end of a span; return False where something has happened meanwhile: try again.

        number: of the next batch, before anything else was read.
        is_over: whether the season ends, and with it the span.
        """
        snapshot = self._snapshot()
        newest, anchors = self._read(), self._entries.anchors
        active = [entry.number for entry in self._entries.active]
        before = holders(newest.places, self._entries.rows, active) if newest is not None else ()
        outcome = divide(snapshot, anchors, before, self._definition)
        decision = DivisionDecision.of_outcome(
            outcome,
            before,
            self._definition.divisions,
            season=season.number,
            span=self._ended(season, today) + is_over,
            batch=number,
            snapshot=self._save(snapshot),
        )
        moves = outcome.moves(before, self._definition.divisions)
        return self._decisions.add(decision, moves, snapshot.number, (number, self._entries.log_length))

    def ends_with(self, season: SeasonRow) -> bool:
        """Return whether divisions are to be decided now that the final of a season is over."""
        if not self._definition.divisions or season.final is None or season.final.closes:
            return False
        newest = self._read()
        return newest is None or newest.number < self._decisions.freeze(season.number)

    def _ended(self, season: SeasonRow, today: date) -> int:
        return ended_span((today - date.fromisoformat(season.first_day)).days, self._definition.division_days)

    def _decided(self, season: SeasonRow) -> int:
        newest = self._read()
        return newest.span if newest is not None and newest.season == season.number else 0

    def _read(self) -> DivisionDecision | None:
        if self._definition.divisions and self._read_at != self._entries.log_length:
            self._newest, self._read_at = self._decisions.newest(), self._entries.log_length
        return self._newest
